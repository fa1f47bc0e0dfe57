"""Specifies the knobs of a site: its feeds and sitemaps, revisions, pages of fronts and articles, scripted fronts."""

import gzip
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import pairwise

import pytest
from lxml import etree

from broadsheet.newsweb._story_history import RevisionKind
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_knobs import LIFELIKE_REVISIONS, FileState, Knobs, Removal, RevisionKnobs
from broadsheet.newsweb.truth import ArticleTruth, PageTruth, RevisionTruth
from broadsheet.newsweb.web import NewsWeb
from tests.newsweb.parsing import NOON, PARAGRAPHS, get, hrefs, tree_of

HOUR = timedelta(hours=1)
DAY = 24 * HOUR
SECOND = timedelta(seconds=1)
FAR = datetime(2027, 1, 1, tzinfo=UTC)
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"


def web_with(**knobs: object) -> NewsWeb:
    """Return a web of three sites, one for each template."""
    return NewsWeb(3, 3, Knobs(**knobs))  # type: ignore[arg-type]


def feed_url(site: Site) -> str:
    return f"http://{site.host}{site.paths.feed}"


def sitemap_url(site: Site) -> str:
    return f"http://{site.host}{site.paths.sitemap}"


def truth(web: NewsWeb, url: str, at: datetime = NOON) -> PageTruth:
    page = web.truth(url, at)
    assert page is not None
    return page


def newest(web: NewsWeb, site: Site, at: datetime = NOON, number: int = 20) -> list[str]:
    return [article.url for article in web.articles(at - 9 * DAY, at + SECOND, at, site)[::-1][:number]]


def links_of(response: Response) -> list[str]:
    root = etree.fromstring(response.body)
    return [str(link.text or link.get("href")) for link in (*root.iter("link"), *root.iter(f"{ATOM}link"))]


@pytest.mark.parametrize(("feed_format", "kind"), [("atom", "application/atom+xml"), ("json", "application/feed+json")])
def test_a_feed_can_have_another_format(feed_format: str, kind: str) -> None:
    web = web_with(feed_format=feed_format)
    site = web.sites[0]
    response = get(feed_url(site), web=web)

    if feed_format == "json":
        urls = [item["url"] for item in json.loads(response.body)["items"]]
    else:
        entries = etree.fromstring(response.body).findall(f"{ATOM}entry")
        urls = [str(link.get("href")) for entry in entries for link in entry.findall(f"{ATOM}link")]
    assert response.headers["Content-Type"].startswith(kind)
    assert urls == newest(web, site)
    assert feed_url(site) in [link.url for link in truth(web, web.home(site)).links]
    heads = [tree_of(get(web.home(site), web=web)) for site in web.sites if site.template != "tables"]
    assert all(tree.xpath(f"//link[@rel='alternate' and @type='{kind}']") for tree in heads)


def test_feeds_and_sitemaps_can_be_missing() -> None:
    web = web_with(feed="missing", sitemap="missing")

    for site in web.sites:
        assert {get(url, web=web).status for url in (feed_url(site), sitemap_url(site))} == {404}
        assert b"Sitemap" not in get(f"http://{site.host}/robots.txt", web=web).body
        home = get(web.home(site), web=web)
        assert b"alternate" not in home.body
        assert feed_url(site) not in hrefs(tree_of(home), web.home(site))


def test_files_that_are_not_announced_are_there_all_the_same() -> None:
    web = web_with(announced=False)

    for site in web.sites:
        assert b"Sitemap" not in get(f"http://{site.host}/robots.txt", web=web).body
        assert b"alternate" not in get(web.home(site), web=web).body
        assert {get(url, web=web).status for url in (feed_url(site), sitemap_url(site))} == {200}


def test_a_stale_feed_is_days_old_and_changes_rarely() -> None:
    web = web_with(feed="stale", sitemap="stale", stale_days=3)
    site = web.sites[0]

    for url in (feed_url(site), sitemap_url(site)):
        answers = [get(url, NOON + hour * HOUR, web) for hour in range(0, 240, 12)]
        entries = [[link.url for link in truth(web, url, NOON + hour * HOUR).links] for hour in range(0, 240, 12)]

        assert 3 <= len({answer.body for answer in answers}) <= 5
        for hour, urls in zip(range(0, 240, 12), entries, strict=True):
            assert not set(urls) & set(newest(web, site, NOON + hour * HOUR, 10))
            last = max(article.published for url in urls if (article := truth(web, url, FAR).article))
            assert 3 * DAY <= NOON + hour * HOUR - last < 7 * DAY


@pytest.mark.parametrize("state", ["good", "foreign", "misdated", "broken", "stale"])
def test_feeds_and_sitemaps_can_be_asked_for_conditionally(state: FileState) -> None:
    web = web_with(feed=state, sitemap=state)

    for site in web.sites:
        for url in (feed_url(site), sitemap_url(site)):
            first = get(url, web=web)
            again = get(url, NOON + SECOND, web, If_None_Match=first.headers["ETag"])
            since = get(url, NOON + SECOND, web, If_Modified_Since=first.headers["Last-Modified"])
            assert (first.status, again.status, since.status) == (200, 304, 304)
            changed = truth(web, url).changed
            assert get(url, changed, web).body == first.body
            assert get(url, changed - SECOND, web).body != first.body


def test_a_foreign_feed_leads_to_another_site() -> None:
    web = web_with(feed="foreign", sitemap="foreign")

    for site in web.sites:
        for url in (feed_url(site), sitemap_url(site)):
            links = [link.url for link in truth(web, url).links]
            assert links
            assert all(link.startswith("http://syndicate.example/") for link in links)
            body = get(url, web=web).body.decode()
            assert all(link in body for link in links)


def test_a_misdated_feed_has_wrong_times() -> None:
    web = web_with(feed="misdated")
    site = web.sites[0]
    items = etree.fromstring(get(feed_url(site), web=web).body).findall("channel/item")

    for item in items:
        article = truth(web, item.findtext("link", "")).article
        assert article is not None
        assert abs(parsedate_to_datetime(item.findtext("pubDate", "")) - article.published) >= 2 * DAY


@pytest.mark.parametrize("feed_format", ["rss", "atom", "json"])
def test_a_broken_file_cannot_be_parsed_as_a_whole(feed_format: str) -> None:
    web = web_with(feed="broken", sitemap="broken", feed_format=feed_format)

    for site in web.sites:
        for url in (feed_url(site), sitemap_url(site)):
            with pytest.raises((etree.XMLSyntaxError, json.JSONDecodeError)):
                (json.loads if url.endswith("json") else etree.fromstring)(get(url, web=web).body)


@pytest.mark.parametrize("packed", [False, True])
def test_an_index_names_sitemaps_that_have_all_articles_of_a_week(packed: bool) -> None:
    web = web_with(sitemap_form="index", sitemap_gzip=packed)

    def locations(url: str) -> list[str]:
        response = get(url, web=web)
        assert response.status == 200
        assert url.endswith(".gz") is packed
        body = gzip.decompress(response.body) if packed else response.body
        return [str(location.text) for location in etree.fromstring(body).iter(f"{SITEMAP}loc")]

    for site in web.sites:
        files = locations(sitemap_url(site))
        listed = [set(locations(url)) for url in files]

        assert truth(web, sitemap_url(site)).subtype == "sitemap-index"
        assert len(files) >= 7
        expected = {article.url for article in web.articles(NOON - 6 * DAY, NOON, site=site)}
        assert expected <= set().union(*listed[1:])
        assert {url for url in expected if truth(web, url).article} <= set().union(*listed)
        assert sitemap_url(site) in get(f"http://{site.host}/robots.txt", web=web).body.decode()


def revised(web: NewsWeb, days: int = 10) -> list[tuple[ArticleTruth, tuple[RevisionTruth, ...]]]:
    articles = web.articles(NOON - days * DAY, NOON, NOON - days * DAY)
    return [(article, web.revisions(article.url)) for article in articles]


def test_about_one_article_in_seven_changes_and_most_of_them_soon() -> None:
    histories = revised(web_with(revisions=LIFELIKE_REVISIONS), days=30)
    changed = [history for _, history in histories if len(history) > 1]
    delays = [history[1].at - history[0].at for history in changed]

    assert 0.10 < len(changed) / len(histories) < 0.18
    assert sum(delay < 4 * HOUR for delay in delays) > 0.6 * len(delays)
    kinds = Counter(revision.kind for history in changed for revision in history[1:])
    assert set(kinds) == {"correction", "headline", "rewrite", "live", "move", "removal"}
    silent = [revision.silent for history in changed for revision in history if revision.kind == "correction"]
    assert 0.2 < sum(silent) / len(silent) < 0.5


def test_by_default_the_only_revisions_are_corrections() -> None:
    kinds = {revision.kind for _, history in revised(NewsWeb(3, 3)) for revision in history}

    assert kinds == {None, "correction"}


@pytest.mark.parametrize(
    ("knob", "kind"),
    [("corrected", "correction"), ("retitled", "headline"), ("rewritten", "rewrite"), ("live", "live")],
)
def test_the_page_has_each_version_from_its_time_on(knob: str, kind: RevisionKind) -> None:
    knobs = RevisionKnobs(**{"corrected": 0.0, knob: 1.0, "delays": "early"})  # type: ignore[arg-type]
    web = web_with(revisions=knobs)
    for article, history in revised(web, days=1)[::3]:
        assert [revision.kind for revision in history[1:]] == [kind] * (len(history) - 1)
        for before, after in list(pairwise(history))[:3]:
            assert after.article is not None
            assert truth(web, article.url, after.at - SECOND).article == before.article
            assert truth(web, article.url, after.at).article == after.article
            assert get(article.url, after.at, web).body != get(article.url, after.at - SECOND, web).body
            assert after.article.modified == after.at


def test_what_each_kind_of_revision_changes() -> None:
    web = web_with(revisions=RevisionKnobs(0.5, 0.5, 0.5, 0.2, 0.3, 0.3, 0.5, "early"))
    seen: Counter[str] = Counter()
    for _, history in revised(web, days=4):
        for before, after in pairwise(history):
            if after.article is None or before.article is None:
                assert after.kind == "removal"
                continue
            old, new = before.article, after.article
            differences = {
                "title": old.title != new.title,
                "url": old.url != new.url,
                "text": old.paragraphs != new.paragraphs,
            }
            expected = {"headline": "title", "move": "url"}.get(str(after.kind), "text")
            assert [name for name, differs in differences.items() if differs] == [expected]
            assert len("".join(new.paragraphs)) > len("".join(old.paragraphs)) or after.kind in ("headline", "move")
            assert after.silent is (new.modified == old.modified)
            seen[str(after.kind)] += 1
    assert set(seen) == {"correction", "headline", "rewrite", "live", "move"}


def test_a_new_headline_shows_on_fronts_at_once() -> None:
    web = web_with(revisions=RevisionKnobs(corrected=0, retitled=1, delays="early"))
    checked = 0
    for article, history in revised(web, days=4):
        site = next(site for site in web.sites if site.slug == article.site)
        section = next(section for section in site.sections if section.name == article.section)
        front = f"http://{site.host}{site.paths.to_section(section.slug)}"
        at = history[1].at
        if article.url not in {link.url for link in truth(web, front, at).links}:
            continue
        shown = [{(link.url, link.text) for link in truth(web, front, moment).links} for moment in (at - SECOND, at)]
        assert history[1].article is not None
        assert (article.url, article.title) in shown[0]
        assert (article.url, history[1].article.title) in shown[1] - shown[0]
        assert truth(web, front, at).changed == at
        checked += 1
    assert checked > 30


def test_a_moved_article_is_redirected() -> None:
    web = web_with(revisions=RevisionKnobs(corrected=0, moved=1, delays="early"))
    for article, history in revised(web, days=1):
        at = history[1].at
        assert history[1].article is not None
        new = history[1].article.url
        assert (get(article.url, at - SECOND, web).status, get(new, at - SECOND, web).status) == (200, 404)
        moved = get(article.url, at, web)
        assert (moved.status, moved.headers["Location"]) == (301, new)
        assert get(new, at, web).status == 200
        assert truth(web, new, at).article == history[1].article
        assert web.revisions(new) == history


@pytest.mark.parametrize(("removal", "status"), [("404", 404), ("410", 410), ("soft-404", 200)])
def test_a_removed_article_is_gone_everywhere(removal: Removal, status: int) -> None:
    web = web_with(removal=removal, revisions=RevisionKnobs(corrected=0, removed=0.5, delays="early"))
    for article, history in revised(web, days=1):
        at = history[-1].at
        if history[-1].kind != "removal":
            continue
        site = next(site for site in web.sites if site.slug == article.site)
        assert get(article.url, at - SECOND, web).status == 200
        gone = get(article.url, at, web)
        assert gone.status == status
        assert not gone.headers.keys() & {"ETag", "Last-Modified"}
        assert site.lexicon.interface.not_found in str(tree_of(gone).text_content())
        page = web.truth(article.url, at)
        assert page is None if status != 200 else page is not None and (page.kind, page.subtype) == ("other", "missing")
        listing = [web.home(site), feed_url(site), sitemap_url(site)]
        assert article.url not in {link.url for url in listing for link in truth(web, url, at).links}


def test_unknown_paths_of_a_site_with_soft_404s_have_status_200() -> None:
    for removal, status in (("404", 404), ("410", 404), ("soft-404", 200)):
        web = web_with(removal=removal)
        assert {get(f"http://{site.host}/nowhere", web=web).status for site in web.sites} == {status}


def test_changing_articles_leave_no_dead_links_and_true_times_of_change() -> None:
    web = web_with(revisions=RevisionKnobs(0.2, 0.3, 0.2, 0.1, 0.3, 0.3, 0.5, "early"), paragraphs_per_page=3)
    for site in web.sites:
        for at in (NOON,):
            pages = [page.url for page in web.permanent_pages(site, at)]
            for url in (*pages[::2], *newest(web, site, at, 3)):
                page = web.truth(url, at)
                if page is None:
                    continue
                assert {get(link.url, at, web).status for link in page.links} <= {200}
                assert get(url, page.changed, web).body == get(url, at, web).body
                assert get(url, page.changed - SECOND, web).body != get(url, at, web).body


@pytest.mark.parametrize(("pagination", "mark"), [("path", "/page/2/"), ("query", "?page=2")])
def test_later_pages_of_fronts_are_addressed_by_path_or_by_query(pagination: str, mark: str) -> None:
    web = web_with(pagination=pagination, archive_pages=5, rel_next=True)
    for site in web.sites:
        section = site.sections[0]
        url: str | None = f"http://{site.host}{site.paths.to_section(section.slug)}"
        lists = []
        while url:
            tree = tree_of(get(url, web=web))
            lists.append([link.url for link in truth(web, url).links if link.role == "list"])
            following = tree.xpath("//link[@rel='next']/@href")
            assert isinstance(following, list)
            url = f"http://{site.host}{following[0]}" if following else None
            assert url is None or len(lists) > 1 or url.endswith(mark)
        assert len(lists) == 5
        listed = [article for page in lists for article in page]
        assert len(set(listed)) == len(listed) == 60


def test_an_article_of_several_pages_adds_up_to_its_text() -> None:
    web = web_with(paragraphs_per_page=3, rel_next=True)
    for site in web.sites:
        for article in web.articles(NOON - DAY, NOON, site=site):
            url: str | None = article.url
            read: list[str] = []
            numbers = []
            while url:
                page, tree = truth(web, url), tree_of(get(url, web=web))
                own = PARAGRAPHS[site.template](tree)
                assert tuple(own) == page.part
                assert page.article == article
                assert page.kind == "article"
                numbers.append(page.number)
                read += own
                following = tree.xpath("//link[@rel='next']/@href")
                assert isinstance(following, list)
                url = f"http://{site.host}{following[0]}" if following else None
                pager = {link.url for link in page.links if link.role == "pager"}
                assert pager <= set(hrefs(tree, page.url))
                assert len(pager) == -(-len(article.paragraphs) // 3) - 1
            assert tuple(read) == article.paragraphs
            assert numbers == list(range(1, len(numbers) + 1))
            beyond = f"http://{site.host}{site.paths.to_part(article.url.partition('.example')[2], len(numbers) + 1)}"
            assert get(beyond, web=web).status == 404


def test_scripts_write_the_lists_of_scripted_fronts() -> None:
    web = web_with(scripted_fronts=True)
    for site in web.sites:
        for page in web.permanent_pages(site, NOON):
            if page.kind != "section":
                continue
            tree = tree_of(get(page.url, web=web))
            (data,) = tree.xpath("//script[@id='stories-data']/text()")
            written = {item["link"]["href"] for box in json.loads(str(data)) for item in box["items"]}
            static = set(hrefs(tree, page.url))
            wanted = {link.url for link in page.links}

            assert static | {f"http://{site.host}{path}" for path in written} == wanted
            assert not any(link.role in ("lead", "list", "most-read") and link.url in static for link in page.links)
            assert len(written) > 5
