"""Specifies planned sites: HTML, HTTP and link occurrences tell the same, and what is linked is there."""

import http.client
import unicodedata
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import broadsheet
from broadsheet.base.clock import ManualClock
from broadsheet.newsweb.drawn_sites import SITE_KINDS, draw_site, draw_sites, is_for_judging
from broadsheet.newsweb.page_layouts import JUDGING_LAYOUTS, LAYOUTS
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_knobs import Knobs, RevisionKnobs
from broadsheet.newsweb.site_plan import BoxPlan
from broadsheet.newsweb.truth import LinkTruth
from broadsheet.newsweb.web import NewsWeb

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
#: As many sites as layouts, so that each layout is there once.
WEB = NewsWeb(sites=draw_sites(7, len(LAYOUTS)))
SOME_SITES = pytest.mark.parametrize(
    "site", WEB.sites[::4], ids=lambda site: f"{site.plan.layout.name}-{site.plan.kind}"
)
SITES = pytest.mark.parametrize("site", WEB.sites, ids=lambda site: f"{site.plan.layout.name}-{site.plan.kind}")


def some_pages(site: Site, at: datetime = NOON, web: NewsWeb = WEB) -> list[str]:
    """Return a page of every subtype and an article."""
    places = reversed(web.editors[site.slug].places.permanent.values())
    first = {place.subtype: f"http://{site.host}{place.path}" for place in places}
    articles = next(
        found for hours in (48, 2000) if (found := web.articles(at - hours * HOUR, at, site=site, outlines=True))
    )
    newest = next(article.url for article in reversed(articles) if web.fetch(article.url, at).status == 200)
    return [*first.values(), newest]


def is_html(response: Response) -> bool:
    return response.headers["Content-Type"].startswith("text/html")


@SITES
def test_links_without_html_are_those_that_parsing_finds(site: Site) -> None:
    for url in some_pages(site):
        response = WEB.fetch(url, NOON)
        if not is_html(response):
            continue
        links = broadsheet.parse(response.body, url=url).links
        # Addresses of mail are links to no page.
        rows = [row for row in range(len(links)) if links.url(row)]
        occurrences = WEB.occurrences(url, NOON)

        assert [(each.url, each.text) for each in occurrences] == [(links.url(row), links.anchor(row)) for row in rows]
        expected, found = defaultdict(list), defaultdict(list)
        for row, each in zip(rows, occurrences, strict=True):
            expected[each.collection].append(row)
            found[int(links.collection[row])].append(row)
        assert sorted(expected.values()) == sorted(found.values())
        assert [each.position for each in occurrences] == links.position[rows].tolist()
        page = WEB.truth(url, NOON)
        assert page is not None
        assert {link.url for link in page.links} == {each.url for each in occurrences}


@SOME_SITES
def test_the_kind_of_a_page_is_the_same_without_its_text(site: Site) -> None:
    linked = list({link.url for link in WEB.occurrences(WEB.home(site), NOON)})[:60]
    urls = [*some_pages(site), *linked, f"{WEB.home(site)}never/was"]
    # Some articles are not published yet, and some have moved or were removed.
    for at in (NOON - 30 * HOUR, NOON, NOON + 60 * HOUR):
        truths = [WEB.truth(url, at) for url in urls]

        assert [WEB.kind(url, at) for url in urls] == [truth and truth.kind for truth in truths]


@SOME_SITES
def test_a_bare_page_says_what_its_truth_says_without_the_text(site: Site) -> None:
    linked = list({link.url for link in WEB.occurrences(WEB.home(site), NOON)})[:60]
    for url in [*some_pages(site), *linked, f"{WEB.home(site)}never/was"]:
        truth, bare = WEB.truth(url, NOON), WEB.bare_page(url, NOON)

        assert (bare and (bare.kind, bare.subtype)) == (truth and (truth.kind, truth.subtype))
        if bare and bare.kind == "section":
            assert bare.links == WEB.occurrences(url, NOON)
        if bare and bare.article and truth and truth.article:
            assert (bare.article.url, bare.article.title) == (truth.article.url, truth.article.title)
            assert bare.article.published == truth.article.published


def test_outlines_of_articles_differ_from_articles_only_in_their_text() -> None:
    site = WEB.sites[0]

    outlines = WEB.articles(NOON - 6 * HOUR, NOON, site=site, outlines=True)

    told = [(each.url, each.title, each.published) for each in WEB.articles(NOON - 6 * HOUR, NOON, site=site)]
    assert [(each.url, each.title, each.published) for each in outlines] == told


@pytest.mark.parametrize("newest", [0, 1, 7, 10_000])
def test_the_newest_articles_are_the_last_of_all(newest: int) -> None:
    every = WEB.articles(NOON - 6 * HOUR, NOON)

    assert WEB.articles(NOON - 6 * HOUR, NOON, newest=newest) == every[max(0, len(every) - newest) :]


@SOME_SITES
def test_what_is_linked_is_there(site: Site) -> None:
    for url in some_pages(site):
        page = WEB.truth(url, NOON)
        assert page is not None
        own = {link.url for link in page.links if urlsplit(link.url).hostname == site.host}
        if page.subtype in ("feed", "sitemap", "sitemap-index"):
            continue
        assert {WEB.fetch(target, NOON).status for target in sorted(own)[::20]} <= {200}


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 23), st.integers(0, 20_000))
def test_pages_do_not_depend_on_earlier_requests(index: int, hours: int) -> None:
    site, at = WEB.sites[index], datetime(2024, 1, 1, tzinfo=UTC) + hours * HOUR
    fresh = NewsWeb(sites=[draw_site(7, index)])

    assert fresh.fetch(WEB.home(site), at) == WEB.fetch(WEB.home(site), at)
    assert fresh.occurrences(WEB.home(site), at) == WEB.occurrences(WEB.home(site), at)


def test_further_pages_of_a_list_are_linked_from_when_they_are_there() -> None:
    drawn = draw_site(7, 0)
    site = replace(drawn, knobs=replace(drawn.knobs, archive_pages=5))
    web = NewsWeb(sites=[site])
    front = next(page.url for page in web.permanent_pages(site, NOON) if page.subtype == "front")

    linked = []
    for hours in range(12, 480, 36):
        at = site.founded + hours * HOUR
        links = web.occurrences(front, at)
        linked.append(sum(each.role == "pager" for each in links))
        assert links == NewsWeb(sites=[site]).occurrences(front, at), "what was counted before makes no difference"

    assert linked == sorted(linked)
    assert linked[0] < linked[-1] == 4


def test_more_sites_leave_the_first_ones_as_they_are() -> None:
    assert draw_sites(7, 3) == WEB.sites[:3]
    assert draw_sites(8, 3) != WEB.sites[:3]


def test_over_http_pages_are_the_same() -> None:
    with serve(WEB, ManualClock(NOON)) as server:
        for site in WEB.sites[::5]:
            for url in some_pages(site):
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
                connection.request("GET", url)
                assert connection.getresponse().read() == WEB.fetch(url, NOON).body
                connection.close()


@SOME_SITES
def test_only_articles_and_promoted_pages_come_to_a_home_page(site: Site) -> None:
    home = WEB.home(site)
    for before, after in pairwise(WEB.occurrences(home, NOON + hour * HOUR) for hour in range(0, 30, 3)):
        roles = {each.url: each.role for each in after}
        for target in roles.keys() - {each.url for each in before}:
            page = WEB.truth(target, NOON + 30 * HOUR)
            changing = roles[target] in ("day", "month", "bar")
            assert page is None or page.kind != "other" or page.subtype in ("missing", "service") or changing


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 23), st.integers(0, 700), st.integers(1, 30))
def test_moves_add_up(index: int, day: int, hours: int) -> None:
    """In a list of the newest, an article moves down by as many places as articles were published since."""
    site = replace(draw_site(7, index), knobs=Knobs(revisions=RevisionKnobs()))
    start = datetime(2024, 6, 1, 9, tzinfo=UTC) + day * 24 * HOUR
    section, size = site.sections[0], 30
    plan = BoxPlan("latest", size)
    assert site.plan is not None
    site = replace(site, plan=replace(site.plan, front=(plan,), tracking=False))
    web = NewsWeb(sites=[site])
    front = f"http://{site.host}{site.paths.to_section(section.slug)}"

    before, after = (
        list(dict.fromkeys(link.url for link in listed(web, front, at, "list"))) for at in (start, start + hours * HOUR)
    )
    members = {member.name for member in site.members(section)}
    published = web.articles(start + timedelta.resolution, start + hours * HOUR + timedelta.resolution, site=site)
    new = [article.url for article in published if article.section in members]

    assert after == [*reversed(new), *before][:size]


@SITES
def test_the_time_of_change_is_not_before_the_last_change(site: Site) -> None:
    urls = [url for url in some_pages(site) if (page := WEB.truth(url, NOON)) and page.kind == "section"]
    for url in urls:
        for at in (NOON, NOON + 5 * HOUR):
            page = WEB.truth(url, at)
            assert page is not None
            assert page.changed <= at
            assert WEB.fetch(url, page.changed).body == WEB.fetch(url, at).body


def test_there_are_twenty_structurally_different_layouts() -> None:
    shapes = set()
    for site in WEB.sites:
        shape: set[str] = set()
        for url in (WEB.home(site), some_pages(site)[-1]):
            links = broadsheet.parse(WEB.fetch(url, NOON).body, url=url).links
            shape |= {links.generalised_path(row) for row in range(len(links))}
        shapes.add(frozenset(shape))

    assert len({site.plan.layout.name for site in WEB.sites if site.plan}) == len(LAYOUTS)
    assert len({(each.frame, each.lists, each.cards, each.article) for each in LAYOUTS}) >= 20
    assert len(shapes) >= 20
    assert len(JUDGING_LAYOUTS) == len(LAYOUTS) // 2


def test_half_of_the_layouts_and_all_seeds_from_1000_are_for_judging() -> None:
    assert sum(is_for_judging(7, site) for site in WEB.sites) == len(LAYOUTS) // 2
    assert all(is_for_judging(1000, site) for site in draw_sites(1000, 3))


def test_there_are_six_languages_in_four_scripts() -> None:
    names: dict[str, str] = {}
    for site in draw_sites(3, 40):
        if site.lexicon.language not in names:
            articles = NewsWeb(sites=[site]).articles(NOON - 24 * HOUR, NOON)
            names[site.lexicon.language] = "".join(article.title for article in articles)
    scripts = {unicodedata.name(letter).split()[0] for text in names.values() for letter in text if letter.isalpha()}

    assert set(names) == {"en", "de", "es", "el", "ru", "ja"}
    assert {"LATIN", "GREEK", "CYRILLIC", "CJK"} <= scripts


def test_an_article_page_has_its_text() -> None:
    for site in WEB.sites:
        url = some_pages(site)[-1]
        page = WEB.truth(url, NOON)
        assert page is not None
        assert page.article is not None
        read = broadsheet.extract(WEB.fetch(url, NOON).body, url=url, force=True)
        assert read is not None
        text = " ".join(read.body.split())
        shown = [paragraph for paragraph in page.part if " ".join(paragraph.split()) in text]
        assert len(shown) >= 0.5 * len(page.part)


def web_of(kind: str) -> tuple[NewsWeb, Site]:
    site = draw_site(11, 1, kind)
    return NewsWeb(sites=[site]), site


def listed(web: NewsWeb, url: str, at: datetime, *roles: str) -> list[LinkTruth]:
    page = web.truth(url, at)
    assert page is not None
    return [link for link in page.links if link.role in roles]


@pytest.mark.parametrize("kind", SITE_KINDS)
def test_every_kind_of_site_works(kind: str) -> None:
    web, site = web_of(kind)

    assert site.plan is not None
    assert site.plan.kind == kind
    assert {web.fetch(url, NOON).status for url in some_pages(site, web=web)} == {200}


def test_cards_link_to_their_section() -> None:
    web, site = web_of("section-cards")
    roles = [each.role for each in web.occurrences(web.home(site), NOON)]

    assert roles.count("tag") > 10


def test_countries_sleep_for_weeks_and_items_are_replaced_in_place() -> None:
    web, site = web_of("sleeping-countries")
    rhythms = [section.rhythm for section in site.sections if section.rhythm.sleep > 0.8]
    days = [date(2026, 1, 1) + timedelta(days=day) for day in range(200)]
    assert len(rhythms) == 12
    assert all(sum(rhythm.rests(day) for day in days) > 120 for rhythm in rhythms)

    kept = moved = 0
    for before, after in pairwise(listed(web, web.home(site), NOON + hour * HOUR, "list") for hour in range(24)):
        first = {link.url: link.position for link in before if link.group == before[0].group}
        for link in after:
            if link.group == before[0].group and link.url in first:
                kept += link.position == first[link.url]
                moved += link.position != first[link.url]
    assert kept > 20 * moved


@pytest.mark.parametrize("index", range(4))
def test_large_sections_are_slow(index: int) -> None:
    site = draw_site(11, index, "large-and-slow")
    web = NewsWeb(sites=[site])
    front = f"http://{site.host}{site.paths.to_section(site.sections[0].slug)}"
    days = [{link.url for link in listed(web, front, NOON + day * 24 * HOUR, "list")} for day in range(4)]

    assert all(len(day) >= 40 for day in days)
    assert all(len(after - before) < 15 for before, after in pairwise(days))


@pytest.mark.parametrize("index", range(4))
def test_a_local_paper_moves_little(index: int) -> None:
    site = draw_site(11, index, "local")
    web = NewsWeb(sites=[site])
    hours = [[link.url for link in listed(web, web.home(site), NOON + hour * HOUR, "list")] for hour in range(24)]

    assert sum(before == after for before, after in pairwise(hours)) > 8


def test_dead_sections_stay_as_they_are_and_old_articles_stay_in_the_footer() -> None:
    web, site = web_of("dead-sections")
    dead = next(section for section in site.sections if section.rhythm.dead_since and section.parent is None)
    members = {each.index for each in site.members(dead)}
    assert any(site.sections[index].rhythm.dead_since for index in members)

    kept = [{link.url for link in listed(web, web.home(site), NOON + day * 24 * HOUR, "kept")} for day in (0, 40)]
    assert len(kept[0]) >= 10
    assert kept[0] == kept[1]
    assert all(
        page and page.article and page.article.published.year == 2020
        for page in (web.truth(url, NOON) for url in kept[0])
    )


def test_other_old_articles_are_revived_every_hour() -> None:
    drawn = draw_site(11, 0, "ordinary")
    assert drawn.plan is not None
    site = replace(drawn, plan=replace(drawn.plan, front=(BoxPlan("revived", 4),)))
    web = NewsWeb(sites=[site])
    front = f"http://{site.host}{site.paths.to_section(site.sections[0].slug)}"

    hours = [[link.url for link in listed(web, front, NOON + hour * HOUR, "kept")] for hour in range(12)]

    assert all(len(links) == 4 for links in hours)
    assert all(not set(before) & set(after) for before, after in pairwise(hours))
    assert hours[0] == [link.url for link in listed(web, front, NOON + HOUR / 2, "kept")]
    assert all(
        page and page.article and page.article.published.year == 2020 for page in map(web.truth, hours[0], [NOON] * 4)
    )


def test_the_front_of_a_section_may_list_what_another_one_does() -> None:
    drawn = draw_site(11, 0, "ordinary")
    first, second, *others = drawn.sections
    site = replace(drawn, sections=(replace(first, copies=second.index), second, *others))
    web = NewsWeb(sites=[site])

    copy, original = (
        [link.url for link in listed(web, f"http://{site.host}{site.paths.to_section(section.slug)}", NOON, "list")]
        for section in (first, second)
    )

    assert copy == original


def test_legal_pages_have_news() -> None:
    web, site = web_of("news-on-legal-pages")
    url = f"http://{site.host}{site.paths.to_legal('imprint')}"
    page = web.truth(url, NOON)

    assert page is not None
    assert (page.kind, page.subtype) == ("other", "legal")
    assert len(listed(web, url, NOON, "list")) > 3


def test_a_paywalled_article_shows_only_its_beginning() -> None:
    for seed in range(40):
        site = draw_site(seed, 0)
        if site.plan and site.plan.paywall and not site.knobs.paragraphs_per_page:
            break
    web = NewsWeb(sites=[site])
    pages = [web.truth(article.url, NOON) for article in web.articles(NOON - 48 * HOUR, NOON)]
    cut = [page for page in pages if page and page.article and len(page.part) < len(page.article.paragraphs)]

    assert 0 < len(cut) < len(pages)
    assert all(page.article and page.part == page.article.paragraphs[:2] for page in cut)
