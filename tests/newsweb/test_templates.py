"""Parsing a page by its template, without the generator, yields the ground truth."""

import json
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from lxml import etree, html

from broadsheet.newsweb.site import LEXICONS, Site
from broadsheet.newsweb.truth import ArticleTruth
from tests.newsweb.parsing import AUTHORS, DATES, NOON, PARAGRAPHS, TITLES, WEB, get, texts, tree_of

SITES = pytest.mark.parametrize("site", WEB.sites, ids=lambda site: f"{site.template}-{site.slug}")
DAY = timedelta(days=1)
NAMESPACES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "n": "http://www.google.com/schemas/sitemap-news/0.9"}


def articles(site: Site) -> list[tuple[ArticleTruth, html.HtmlElement]]:
    pages = [(article, tree_of(get(article.url))) for article in WEB.articles(NOON - 3 * DAY, NOON, site=site)]
    assert len(pages) > 20
    return pages


def day_in(language: str, moment: datetime) -> str:
    return next(lexicon for lexicon in LEXICONS if lexicon.language == language).format_date(moment)


@SITES
def test_title_authors_dates_and_paragraphs_are_where_the_template_puts_them(site: Site) -> None:
    for article, tree in articles(site):
        assert texts(tree, TITLES[site.template]) == [article.title]
        assert tuple(texts(tree, AUTHORS[site.template])) == article.authors
        assert tuple(PARAGRAPHS[site.template](tree)) == article.paragraphs
        (dates,) = texts(tree, DATES[site.template])
        assert day_in(article.language, article.published) in dates
        assert article.modified is None or day_in(article.language, article.modified) in dates


@SITES
def test_every_page_ends_its_title_with_the_name_of_the_site(site: Site) -> None:
    answers = [get(page.url) for page in WEB.permanent_pages(site, NOON)]
    pages = [answer for answer in answers if answer.headers["Content-Type"].startswith("text/html")]

    assert len(pages) > len(site.sections)
    assert [tree_of(page).findtext("head/title", "").rpartition(" | ")[2] for page in pages] == [site.name] * len(pages)


@SITES
def test_the_declared_charset_is_the_actual_one(site: Site) -> None:
    response = get(WEB.home(site))

    assert f"charset={site.charset}" in response.headers["Content-Type"]
    assert f"charset={site.charset}".encode() in response.body.replace(b'"', b"")
    assert site.name in "".join(map(str, html.document_fromstring(response.body).itertext()))


def test_templates_differ_in_structure() -> None:
    tags = {
        site.template: {element.tag for _, tree in articles(site)[:5] for element in tree.iter(etree.Element)}
        for site in WEB.sites
    }

    assert {"article", "nav", "aside", "time"} <= tags["semantic"]
    assert not tags["cards"] & {"article", "nav", "aside", "section", "time", "table", "ul"}
    assert {"table", "font"} <= tags["tables"]
    assert not tags["tables"] & {"div", "p", "h1", "article"}


def test_semantic_pages_describe_themselves_in_json_ld() -> None:
    site = next(site for site in WEB.sites if site.template == "semantic")
    for article, tree in articles(site):
        (script,) = texts(tree, "//script[@type='application/ld+json']")
        described: dict[str, Any] = json.loads(script)

        assert described["headline"] == article.title
        assert tuple(author["name"] for author in described["author"]) == article.authors
        assert datetime.fromisoformat(described["datePublished"]) == article.published
        assert datetime.fromisoformat(described["dateModified"]) == (article.modified or article.published)


def test_cards_describe_themselves_in_opengraph() -> None:
    site = next(site for site in WEB.sites if site.template == "cards")
    for article, tree in articles(site):
        stated = {(meta.get("property"), meta.get("content")) for meta in tree.iter("meta")}

        assert {
            ("og:title", article.title),
            ("og:url", article.url),
            ("article:section", article.section),
            ("article:published_time", article.published.isoformat()),
            *(("article:author", author) for author in article.authors),
        } <= stated


@SITES
def test_the_feed_lists_the_latest_articles(site: Site) -> None:
    expected = WEB.articles(NOON - 5 * DAY, NOON, site=site)[::-1][:20]

    url = f"http://{site.host}{site.paths.feed}"
    items = etree.fromstring(get(url).body).findall("channel/item")

    page = WEB.truth(url, NOON)
    assert page is not None
    assert [link.url for link in page.links] == [article.url for article in expected]

    assert [item.findtext("link") for item in items] == [article.url for article in expected]
    assert [item.findtext("title") for item in items] == [article.title for article in expected]
    assert [parsedate_to_datetime(item.findtext("pubDate", "")) for item in items] == [
        article.published for article in expected
    ]


@SITES
def test_robots_txt_names_the_sitemap_of_the_last_two_days(site: Site) -> None:
    robots = get(f"http://{site.host}/robots.txt").body.decode()
    url = robots.partition("Sitemap: ")[2].strip()

    root = etree.fromstring(get(url).body)

    expected = [
        article for article in WEB.articles(NOON - 2 * DAY, NOON, site=site) if article.published > NOON - 2 * DAY
    ]
    assert {
        (entry.findtext("s:loc", None, NAMESPACES), entry.findtext("s:lastmod", None, NAMESPACES)) for entry in root
    } == {(article.url, (article.modified or article.published).isoformat()) for article in expected}


@SITES
def test_pictures_exist(site: Site) -> None:
    tree = tree_of(get(WEB.home(site)))
    sources = {str(image.get("src")) for image in tree.iter("img")}

    responses = [get(f"http://{site.host}{source}") for source in sources]

    assert {(response.status, response.headers["Content-Type"]) for response in responses} == {(200, "image/svg+xml")}
