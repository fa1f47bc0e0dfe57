"""Specifies what planned sites have besides news, and servers that do not work well."""

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest

import broadsheet
from broadsheet.newsweb._url_patterns import PLANNED_PATTERNS
from broadsheet.newsweb.drawn_sites import draw_site, draw_sites
from broadsheet.newsweb.knob_settings import set_knob
from broadsheet.newsweb.page_layouts import JUDGING_LAYOUTS, LAYOUTS
from broadsheet.newsweb.server_trouble import TroubleKnobs
from broadsheet.newsweb.site import Site, make_site
from broadsheet.newsweb.site_extras import PageExtras
from broadsheet.newsweb.site_knobs import Knobs, RevisionKnobs
from broadsheet.newsweb.site_plan import PageLayout
from broadsheet.newsweb.site_services import NAMES, service_paths
from broadsheet.newsweb.truth import PageTruth
from broadsheet.newsweb.web import NewsWeb

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def web_with(extras: PageExtras | None = None, knobs: Knobs | None = None) -> tuple[NewsWeb, Site]:
    site = set_knob(draw_site(5, 2, "ordinary"), "plan.tracking", "false")
    site = replace(site, extras=extras or PageExtras(), knobs=knobs or Knobs())
    return NewsWeb(sites=[site]), site


def page_at(web: NewsWeb, url: str, at: datetime = NOON) -> PageTruth:
    page = web.truth(url, at)
    assert page is not None
    return page


def links_to(page: PageTruth, role: str) -> list[str]:
    return [link.url for link in page.links if link.role == role]


def newest(web: NewsWeb, at: datetime = NOON) -> str:
    return next(
        article.url
        for article in reversed(web.articles(at - 48 * HOUR, at))
        if web.fetch(article.url, at).status == 200
    )


def test_an_article_links_to_topics_that_list_it() -> None:
    web, _ = web_with(PageExtras(tags=tuple(f"topic {number}" for number in range(12))))
    article = newest(web)
    topics = links_to(page_at(web, article), "keyword")

    assert 1 <= len(topics) <= 3
    for url in topics:
        topic = page_at(web, url)
        assert (topic.kind, topic.subtype) == ("section", "tag")
        assert article in links_to(topic, "list")


def test_an_article_links_to_a_search_that_finds_it() -> None:
    web, _ = web_with(PageExtras(search=True))
    article = newest(web)
    (url,) = links_to(page_at(web, article), "search")
    found = page_at(web, url)
    words = parse_qs(urlsplit(url).query)["q"][0]

    assert (found.kind, found.subtype) == ("section", "search")
    assert article in links_to(found, "list")
    titles = [page.article.title for page in (page_at(web, each) for each in links_to(found, "list")) if page.article]
    assert all(words in title for title in titles)
    assert f'name="q" value="{escape(words)}"' in web.fetch(url, NOON).body.decode()
    assert b'action="/search/"' in web.fetch(url, NOON).body


def test_there_is_a_page_for_every_search() -> None:
    web, site = web_with(PageExtras(search=True))
    for query in ("", "?q=", "?q=%3Cb%3E%22nothing", "?q=%ff&q=x&other=1"):
        url = f"http://{site.host}/search/{query}"
        assert links_to(page_at(web, url), "list") == []
        assert web.fetch(url, NOON).status == 200
        assert b"<b>" not in web.fetch(url, NOON).body
    without, site = web_with()
    assert without.fetch(f"http://{site.host}/search/", NOON).status == 404


def test_a_front_may_begin_with_its_newest_story_in_full() -> None:
    site = set_knob(draw_site(5, 2, "ordinary"), "plan.lead", "6")
    web = NewsWeb(sites=[site])
    front = f"http://{site.host}{site.paths.to_section(site.sections[0].slug)}"
    members = {member.name for member in site.members(site.sections[0])}
    published = [each for each in web.articles(NOON - 48 * HOUR, NOON) if each.section in members]
    lead = next(each for each in reversed(published) if web.fetch(each.url, NOON).status == 200)
    shown = web.fetch(front, NOON).body.decode()

    assert page_at(web, front).kind == "section"
    assert page_at(web, front).changed >= lead.published
    assert all(escape(paragraph) in shown for paragraph in (lead.title, *lead.paragraphs[:6]))


def test_a_live_blog_is_a_list_of_entries_under_their_times() -> None:
    web, _ = web_with(knobs=Knobs(revisions=RevisionKnobs(live=1)))
    article = web.articles(NOON - 6 * HOUR, NOON - 4 * HOUR, at=NOON)[0]
    page = page_at(web, article.url)
    assert page.article is not None
    times = [text[:5] for text in page.article.paragraphs if text[2:3] == ":"]
    shown = web.fetch(article.url, NOON).body.decode()

    assert (page.kind, page.article.form) == ("article", "live")
    assert len(times) >= 3
    assert times == sorted(times, reverse=True)
    assert all(f">{time}</h3>" in shown for time in times)


def test_the_archive_of_a_day_lists_its_articles_and_leads_to_other_days() -> None:
    web, _ = web_with(PageExtras(day_archives=True))
    (today,) = links_to(page_at(web, web.home(web.sites[0])), "day")
    (yesterday,) = links_to(page_at(web, today), "day")
    page = page_at(web, yesterday)
    published = {
        story.published.date() for story in (page_at(web, url).article for url in links_to(page, "list")[:5]) if story
    }

    assert (page.kind, page.subtype) == ("section", "day")
    assert len(published) == 1
    assert len(links_to(page, "day")) == 2
    assert today in links_to(page, "day")
    assert web.truth(today.replace("/04/", "/06/"), NOON) is None


def test_editions_have_the_stories_of_the_home_page_in_another_order() -> None:
    _, site = web_with(PageExtras(editions=("North", "South")))
    web = NewsWeb(sites=[set_knob(site, "plan.home", "edited:9,latest:5,places:5,latest:7:side")])
    home = page_at(web, web.home(site))
    editions = [page_at(web, url) for url in links_to(home, "edition")]

    assert [edition.subtype for edition in editions] == ["edition", "edition"]
    for edition in editions:
        assert sorted(links_to(edition, "list")) == sorted(links_to(home, "list"))
        assert links_to(edition, "list") != links_to(home, "list")


def test_galleries_and_videos_are_short() -> None:
    web, _ = web_with(PageExtras(galleries=0.3, videos=0.3, briefs=0.3))
    articles = web.articles(NOON - 24 * HOUR, NOON)
    forms = [article.form for article in articles]

    assert all(0.15 < forms.count(form) / len(forms) < 0.45 for form in ("gallery", "video", "brief"))
    most = {"gallery": 2, "video": 1, "brief": 4, "text": 999}
    assert all(len(article.paragraphs) <= most[article.form] for article in articles if not article.modified)
    bodies = {article.form: web.fetch(article.url, NOON).body for article in articles}
    assert bodies["gallery"].count(b"<figcaption>") >= 6
    assert b"<video" in bodies["video"]


@pytest.mark.parametrize(
    ("types", "article", "front"),
    [("own", "article", "website"), ("article", "article", "article"), ("wrong", "website", "article")],
)
def test_what_pages_state_may_be_wrong(types: str, article: str, front: str) -> None:
    web = NewsWeb(sites=[set_knob(set_knob(draw_site(5, 2), "plan.layout", "layout-01"), "plan.types", types)])

    assert stated_type(web, newest(web)) == article
    assert stated_type(web, web.home(web.sites[0])) == front


def stated_type(web: NewsWeb, url: str) -> str:
    return web.fetch(url, NOON).body.decode().partition('og:type" content="')[2].partition('"')[0]


def test_articles_may_state_neither_author_nor_date() -> None:
    site = set_knob(draw_site(5, 2), "plan.bylines", "false")
    web = NewsWeb(sites=[site])
    url = newest(web)
    page = page_at(web, url)
    assert page.article is not None
    shown = web.fetch(url, NOON).body.decode().partition("<body")[2]

    assert links_to(page, "author") == []
    assert site.lexicon.format_date(page.article.published) not in shown


def test_an_overview_of_services_lists_them_and_a_contact_page_has_broken_lines() -> None:
    site = draw_site(5, 2)
    web = NewsWeb(sites=[site])
    overview, contact = (page_at(web, f"http://{site.host}{path}") for path in service_paths(site)[:2])

    assert (overview.kind, overview.subtype) == ("other", "service")
    # The services at the top and in the foot of every page are on both.
    listed = len(links_to(overview, "service")) - len(links_to(contact, "service"))
    assert listed == len(site.plan.services if site.plan else ())
    assert web.fetch(contact.url, NOON).body.count(b"<br>") >= 3


def test_services_have_the_names_of_real_ones_and_addresses_of_their_own() -> None:
    for site in draw_sites(5, 12):
        paths, services = service_paths(site), site.plan.services if site.plan else ()
        names = {each.name for kind in NAMES[site.lexicon.language].values() for each in kind}

        assert len(set(paths)) == len(paths) == len(services)
        assert not set(paths) & {site.paths.to_section(section.slug) for section in site.sections}
        assert 8 <= sum(name in names for name in services[:24]) <= 22
        # Real pages of this kind are hardly ever numbered only.
        assert all(any(map(str.isalpha, path.rstrip("/").rpartition("/")[2])) for path in paths)


def test_the_privacy_statement_is_long_and_the_imprint_has_addresses() -> None:
    site = draw_site(5, 2)
    web = NewsWeb(sites=[site])
    imprint, privacy = (
        web.fetch(f"http://{site.host}{site.paths.to_legal(name)}", NOON).body for name in ("imprint", "privacy")
    )

    assert imprint.count(f"@{site.host}".encode()) >= 4
    assert privacy.count(b"</p>") > 15
    assert min(page.count(b"</h2>") + page.count(b"</h3>") for page in (imprint, privacy)) >= 5


def test_addresses_of_articles_may_have_no_number() -> None:
    for number, patterns in enumerate(PLANNED_PATTERNS):
        if not patterns.coded:
            continue
        web = NewsWeb(sites=[set_knob(draw_site(5, 2), "plan.addresses", str(number))])
        path = urlsplit(newest(web)).path
        assert sum(map(str.isdigit, path)) <= 8
        assert page_at(web, newest(web)).kind == "article"


def test_an_article_has_twins_to_print_and_for_small_screens() -> None:
    web, _ = web_with(PageExtras(twins=True))
    article = newest(web)
    page = page_at(web, article)
    assert f'rel="amphtml" href="{article}?amp=1"'.encode() in web.fetch(article, NOON).body

    for url in links_to(page, "tool"):
        twin = page_at(web, url)
        assert twin.article == page.article
        assert twin.part == page.part
        assert {link.role for link in twin.links} == {"author"}
        assert len(web.fetch(url, NOON).body) < len(web.fetch(article, NOON).body)


def test_a_calendar_has_no_end() -> None:
    web, site = web_with(PageExtras(calendar=True))
    (url,) = links_to(page_at(web, web.home(site)), "month")
    for _ in range(30):
        page = page_at(web, url)
        assert (page.kind, page.subtype) == ("other", "calendar")
        _, url = links_to(page, "month")

    assert "/events/2028-09/" in url
    assert web.fetch(url, NOON).status == 200


def test_session_ids_are_new_every_minute_and_lead_to_the_same_pages() -> None:
    web, site = web_with(PageExtras(session_ids=True))
    home = web.home(site)
    first, same, later = (
        links_to(page_at(web, home, NOON + timedelta(seconds=seconds)), "bar") for seconds in (0, 30, 90)
    )

    assert first == same
    assert not set(first) & set(later)
    assert web.truth(first[-1], NOON) == web.truth(later[-1], NOON) == web.truth(first[-1].partition("?")[0], NOON)


def test_filters_multiply_the_addresses_of_a_front() -> None:
    web, site = web_with(PageExtras(filters=True))
    front = f"http://{site.host}{site.paths.to_section(site.sections[0].slug)}"
    found = {front}
    for _ in range(2):
        found |= {link for url in list(found) for link in links_to(page_at(web, url), "filter")}

    assert len(found) == 1 + 6 + 6 * 5
    assert {tuple(links_to(page_at(web, url), "list")) for url in found} == {
        tuple(links_to(page_at(web, front), "list"))
    }


@pytest.mark.parametrize("use", [LAYOUTS[::2], JUDGING_LAYOUTS], ids=["choosing", "judging"])
def test_a_redesign_changes_the_layout_and_not_the_news(use: tuple[PageLayout, ...]) -> None:
    names = {layout.name for layout in use}
    drawn = (draw_site(5, index, "redesigned") for index in range(9))
    site = next(site for site in drawn if site.plan and site.plan.layout.name in names)
    web, redesign = NewsWeb(sites=[site]), site.extras.redesign
    assert redesign is not None
    assert redesign.layout in use
    home = web.home(site)
    paths = []
    for at in (redesign.at - timedelta(seconds=1), redesign.at):
        links = broadsheet.parse(web.fetch(home, at).body, url=home).links
        rows = [row for row, each in enumerate(web.occurrences(home, at)) if each.role == "list"]
        paths.append({links.generalised_path(row) for row in rows})

    assert not paths[0] & paths[1]
    old, new = (page_at(web, home, redesign.at + timedelta(seconds=second)) for second in (-1, 0))
    common = set(links_to(old, "list")) & set(links_to(new, "list"))
    assert len(common) > 0.8 * len(set(links_to(old, "list")))
    assert new.changed == redesign.at


@pytest.mark.parametrize("kind", ["trapped", "redesigned", "unreliable"])
def test_links_without_html_are_those_of_the_html(kind: str) -> None:
    site = draw_site(5, 3, kind)
    web, at = NewsWeb(sites=[site]), datetime(2026, 3, 25, 12, tzinfo=UTC)
    at += next(hour for hour in range(24) if not site.knobs.trouble.at(site.seed, at + hour * HOUR)) * HOUR
    home = page_at(web, web.home(site), at)
    by_role = defaultdict(list)
    for link in home.links:
        if link.url.startswith("http://") and (urlsplit(link.url).hostname or "").endswith(site.host):
            by_role[link.role].append(link.url)
    for url in [home.url, *(urls[-1] for urls in by_role.values()), newest(web, at) + "?print=1"]:
        links = broadsheet.parse(web.fetch(url, at).body, url=url).links
        parsed = [(links.url(row), links.anchor(row)) for row in range(len(links))]
        assert [(each.url, each.text) for each in web.occurrences(url, at)] == parsed


def test_a_twin_of_the_host_has_the_same_pages_and_some_links_lead_there() -> None:
    web, site = web_with(knobs=Knobs(hosts="twins"))
    home = page_at(web, web.home(site))
    hosts = {urlsplit(url).hostname for url in links_to(home, "list")}

    assert hosts == {site.host, f"www.{site.host}"}
    other = page_at(web, f"http://www.{site.host}/")
    assert [link.text for link in other.links] == [link.text for link in home.links]


def test_www_may_be_redirected_or_not_exist() -> None:
    web, site = web_with(knobs=Knobs(hosts="redirect"))
    response = web.fetch(f"http://www.{site.host}/some/where?x=1", NOON)
    assert (response.status, response.headers["Location"]) == (301, f"http://{site.host}/some/where?x=1")

    web, site = web_with()
    assert web.fetch(f"http://www.{site.host}/", NOON).status == 404


def test_http_may_be_redirected_to_https() -> None:
    web, site = web_with(knobs=Knobs(schemes="upgrade"))
    response = web.fetch(f"http://{site.host}/", NOON)

    assert (response.status, response.headers["Location"]) == (301, f"https://{site.host}/")
    page = page_at(web, f"https://{site.host}/")
    assert web.fetch(f"https://{site.host}/", NOON).status == 200
    assert {urlsplit(url).scheme for url in links_to(page, "list")} == {"https"}


class TestValidators:
    """Of any site, also a simple one."""

    def ask(self, validators: str, later: timedelta) -> tuple[int, int]:
        """Return the status of a conditional request so much later, by tag and by time."""
        web = NewsWeb(sites=[make_site(1, 0, Knobs(validators=validators))])  # type: ignore[arg-type]
        url = web.home(web.sites[0])
        first = web.fetch(url, NOON).headers
        tag, time = first.get("ETag", '"none"'), first.get("Last-Modified", "")
        return (
            web.fetch(url, NOON + later, {"If-None-Match": tag}).status,
            web.fetch(url, NOON + later, {"If-Modified-Since": time}).status,
        )

    def test_good_ones_tell_a_changed_page_from_an_unchanged_one(self) -> None:
        assert self.ask("good", timedelta(seconds=1)) == (304, 304)
        assert self.ask("good", 6 * HOUR) == (200, 200)

    def test_there_may_be_none(self) -> None:
        assert self.ask("none", timedelta(seconds=1)) == (200, 200)

    def test_restless_ones_never_match(self) -> None:
        assert self.ask("restless", timedelta(seconds=1)) == (200, 200)

    def test_lazy_ones_match_although_the_page_has_changed(self) -> None:
        assert self.ask("lazy", 6 * HOUR) == (304, 304)
        assert self.ask("lazy", 24 * HOUR) == (200, 200)


class TestTrouble:
    def hours(self, knobs: TroubleKnobs) -> list[str | None]:
        return [knobs.at("a site", NOON + hour * HOUR) for hour in range(24 * 200)]

    def test_comes_for_an_hour_on_a_share_of_days(self) -> None:
        hours = self.hours(TroubleKnobs(failing=0.25, slow=0.5))

        assert 35 < hours.count("failing") < 65
        assert 80 < hours.count("slow") < 120
        assert set(self.hours(TroubleKnobs())) == {None}

    def test_makes_a_server_fail_or_slow(self) -> None:
        web, site = web_with(knobs=Knobs(trouble=TroubleKnobs(failing=0.5, slow=0.5, seconds=12)))
        answers = [web.fetch(f"http://{site.host}/robots.txt", NOON + hour * HOUR) for hour in range(24 * 20)]

        assert {(answer.status, answer.seconds) for answer in answers} == {(200, 0.0), (200, 12.0), (503, 0.0)}
