"""Specifies the simulated web: which pages exist at which time, and that the ground truth describes them."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.newsweb._editor import FRONT_STORIES
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.truth import PageTruth
from broadsheet.newsweb.web import NewsWeb
from tests.newsweb.parsing import NOON, WEB, get, hrefs, tree_of

HOUR = timedelta(hours=1)
PROPERTY = settings(max_examples=25, deadline=None)
SITES = pytest.mark.parametrize("site", WEB.sites, ids=lambda site: f"{site.template}-{site.slug}")

sites = st.sampled_from(WEB.sites)
moments = st.datetimes(datetime(2020, 1, 3), datetime(2060, 1, 1)).map(
    lambda moment: moment.replace(tzinfo=UTC, microsecond=0)
)


def truth(url: str, at: datetime = NOON) -> PageTruth:
    page = WEB.truth(url, at)
    assert page is not None
    return page


def pages_of(site: Site, at: datetime) -> list[str]:
    """Return all permanent pages and some articles."""
    articles = [article.url for article in WEB.articles(at - 48 * HOUR, at, site=site)]
    return [page.url for page in WEB.permanent_pages(site, at)] + articles[:1] + articles[-2:]


def listed(site: Site, at: datetime, role: str, path: str = "/") -> list[str]:
    return [link.url for link in truth(f"http://{site.host}{path}", at).links if link.role == role]


def lists_of(site: Site, at: datetime, path: str) -> dict[int, list[str]]:
    lists: dict[int, list[str]] = {}
    for link in truth(f"http://{site.host}{path}", at).links:
        if link.role in ("lead", "list"):
            lists.setdefault(link.group, []).append(link.url)
    return lists


@PROPERTY
@given(sites, moments)
def test_pages_do_not_depend_on_earlier_requests(site: Site, at: datetime) -> None:
    fresh = NewsWeb(seed=3, sites=6)

    for url in pages_of(site, at)[::5]:
        assert get(url, at, fresh) == get(url, at)


def test_another_seed_gives_another_web() -> None:
    other = NewsWeb(seed=4, sites=1)

    assert get(other.home(other.sites[0]), web=other).body != get(WEB.home(WEB.sites[0])).body


def test_more_sites_leave_the_first_ones_as_they_are() -> None:
    assert NewsWeb(seed=3, sites=2).sites == WEB.sites[:2]


def test_a_web_without_sites_is_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        NewsWeb(sites=0)


@SITES
def test_every_link_leads_to_an_existing_page(site: Site) -> None:
    for at in (NOON, site.founded, site.founded + 30 * HOUR, NOON + 5000 * HOUR):
        targets = {link.url for url in pages_of(site, at) for link in truth(url, at).links}

        assert {get(url, at).status for url in targets} == {200}


@PROPERTY
@given(sites, moments)
def test_links_of_the_home_page_lead_to_existing_pages(site: Site, at: datetime) -> None:
    home = WEB.home(site)

    assert all(WEB.truth(url, at) for url in hrefs(tree_of(get(home, at)), home))


@SITES
def test_the_truth_has_the_links_that_parsing_finds(site: Site) -> None:
    for url in pages_of(site, NOON):
        page, response = truth(url), get(url)
        if response.headers["Content-Type"].startswith("text/html"):
            assert set(hrefs(tree_of(response), url)) == {link.url for link in page.links}


@SITES
def test_kinds_and_subtypes(site: Site) -> None:
    pages = [*WEB.permanent_pages(site, NOON), truth(pages_of(site, NOON)[-1])]
    kinds = {(page.kind, page.subtype) for page in pages}

    assert kinds == {
        ("section", "home"),
        ("section", "front"),
        ("section", "archive"),
        ("article", "article"),
        ("other", "author"),
        ("other", "legal"),
        ("other", "feed"),
        ("other", "sitemap"),
        ("other", "robots"),
    }
    assert all((page.article is not None) == (page.kind == "article") for page in pages)


@SITES
def test_articles_only_move_down_until_they_leave(site: Site) -> None:
    for path in ("/", *(site.paths.to_section(section.slug) for section in site.sections)):
        rounds = [lists_of(site, NOON + hour * HOUR, path) for hour in range(0, 72, 2)]
        for group in rounds[0]:
            left: set[str] = set()
            for before, after in pairwise(page[group] for page in rounds):
                moves = {after.index(url) - before.index(url) for url in before if url in after}
                assert len(moves) <= 1
                assert all(move >= 0 for move in moves)
                left |= set(before) - set(after)
                assert left.isdisjoint(after)
            assert left


@SITES
def test_a_new_article_appears_at_once_on_its_front_and_on_the_home_page(site: Site) -> None:
    for article in WEB.articles(NOON, NOON + 24 * HOUR, site=site):
        section = next(section for section in site.sections if section.name == article.section)
        front = site.paths.to_section(section.slug)

        assert listed(site, article.published, "list", front)[0] == article.url
        assert article.url in listed(site, article.published, "list") + listed(site, article.published, "lead")
        second = timedelta(seconds=1)
        assert article.url not in listed(site, article.published - second, "list", front)
        assert get(article.url, article.published - second).status == 404
        assert get(article.url, article.published).status == 200


@SITES
def test_archive_pages_continue_each_other(site: Site) -> None:
    slug = site.sections[0].slug
    pages = [listed(site, NOON, "list", site.paths.to_section(slug, page)) for page in (1, 2, 3)]
    everything = [url for page in pages for url in page]

    assert [len(page) for page in pages] == [FRONT_STORIES] * 3
    assert len(set(everything)) == len(everything)
    assert [len(listed(site, NOON, "pager", site.paths.to_section(slug, page))) for page in (1, 2, 3)] == [2, 2, 2]
    published = [article.published for url in everything if (article := truth(url).article)]
    assert published == sorted(published, reverse=True)


@PROPERTY
@given(sites, moments)
def test_windows_of_articles_agree_with_their_pages(site: Site, at: datetime) -> None:
    for article in WEB.articles(at - 6 * HOUR, at, site=site):
        assert at - 6 * HOUR <= article.published < at
        assert truth(article.url, at).article == article


def test_articles_of_all_sites_come_in_order() -> None:
    articles = WEB.articles(NOON, NOON + 24 * HOUR)

    assert [article.published for article in articles] == sorted(article.published for article in articles)
    assert {article.site for article in articles} == {site.slug for site in WEB.sites}


def test_a_correction_is_visible_from_its_time_on() -> None:
    article = next(article for article in WEB.articles(NOON - 99 * HOUR, NOON) if article.modified)
    assert article.modified is not None

    before, after = truth(article.url, article.modified - timedelta(seconds=1)), truth(article.url, article.modified)

    assert before.article is not None
    assert before.article.modified is None
    assert after.article == article
    assert before.article.paragraphs != article.paragraphs


@SITES
@pytest.mark.parametrize("days", [0, 0.4, 3, 1000.7, 9000])
def test_the_stated_time_of_change_is_true(site: Site, days: float) -> None:
    at = site.founded + timedelta(days=days)
    for page in (truth(url, at) for url in pages_of(site, at)):
        assert page.changed <= at
        assert get(page.url, page.changed).body == get(page.url, at).body
        assert get(page.url, page.changed - timedelta(seconds=1)).body != get(page.url, at).body


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/story/99",
        "/story/999999999",
        "/harbour/2026/02/30/words-1/",
        "/harbour/9999/12/31/words-0/",
        "/static/x.png",
        "/%00",
        "/?page=2",
    ],
)
@SITES
def test_unknown_paths_have_the_404_page_of_the_site(site: Site, path: str) -> None:
    response = get(f"http://{site.host}{path}")

    assert response.status == 404
    assert not response.headers.keys() & {"ETag", "Last-Modified"}
    words = site.lexicon.interface.not_found
    assert words in str(tree_of(response).text_content())
    assert WEB.truth(f"http://{site.host}{path}", NOON) is None


def test_an_article_has_exactly_one_url() -> None:
    dated = next(site for site in WEB.sites if site.template == "semantic")
    url = WEB.articles(NOON - 24 * HOUR, NOON, site=dated)[0].url

    assert get(url).status == 200
    assert get(f"{url}?utm_source=feed").body == get(url).body
    parts = urlsplit(url).path.split("/")
    parts[-2] = f"other-words-{parts[-2].rpartition('-')[2]}"
    assert get(f"http://{dated.host}{'/'.join(parts)}").status == 404
    moved = get(url.rstrip("/"))
    assert (moved.status, moved.headers["Location"]) == (301, url)


def test_a_site_has_no_pages_before_it_opens() -> None:
    for site in WEB.sites:
        assert get(WEB.home(site), site.founded - HOUR).status == 404
        assert WEB.permanent_pages(site, site.founded - HOUR) == ()
        assert get(WEB.home(site), site.founded).status == 200


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("http://no-such-site.example/", 404),
        ("http://www.python.org/", 404),
        ("http://127.0.0.1/no-such-site/", 404),
        ("http://127.0.0.1/", 200),
        ("http://[::1]:80/robots.txt", 200),
        ("ftp://paper.example/", 400),
        ("http://[::1/", 400),
        ("http://paper.example:99999/", 400),
        ("no address", 400),
        ("", 400),
    ],
)
def test_other_urls(url: str, status: int) -> None:
    assert get(url).status == status


@SITES
def test_a_site_under_a_path_is_the_same_site(site: Site) -> None:
    base = f"http://127.0.0.1:8600/{site.slug}"
    for own in pages_of(site, NOON)[::3]:
        url = own.replace(f"http://{site.host}", base)
        there, here = truth(url), truth(own)

        assert (there.kind, there.subtype, there.changed) == (here.kind, here.subtype, here.changed)
        assert [link.text for link in there.links] == [link.text for link in here.links]
        if get(url).headers["Content-Type"].startswith("text/html"):
            links = hrefs(tree_of(get(url)), url)
            assert all(href.startswith(f"{base}/") for href in links)
            assert {get(href).status for href in set(links)} == {200}
            assert set(links) == {link.url for link in there.links}


def test_user_information_in_the_url_does_not_reach_the_page() -> None:
    site = WEB.sites[0]

    response = get(f'http://"><b>@{site.host.upper()}/')

    assert response.body == get(WEB.home(site)).body


def test_a_month_of_hourly_home_pages_computes_each_day_and_each_story_once() -> None:
    web = NewsWeb(seed=3, sites=1)
    site = web.sites[0]
    for hour in range(720):
        assert get(web.home(site), NOON + hour * HOUR, web).status == 200

    editor = web.editors[site.slug]
    published = len(web.articles(NOON, NOON + 720 * HOUR))
    assert editor.timeline.day.cache_info().misses <= 30 + 6
    assert editor.timeline.most_read_of_hour.cache_info().misses <= 720 + 12
    assert editor.stories.versions.cache_info().misses <= published + 60
