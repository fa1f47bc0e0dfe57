import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base import urls
from broadsheet.document import parse
from broadsheet.reading import read, to_article
from broadsheet.reading._amp import find_amp, is_amp
from broadsheet.reading._multipage import Pagination, find_pagination
from broadsheet.reading._page_numbers import may_be_numbered, parse_page_numbers
from tests.document.html import MARKUP

STORY = "https://courier.example/city/bridge"


def pagination_of(url: str, *links: str, head: str = "") -> Pagination | None:
    return find_pagination(parse(f"<head>{head}</head><body><p>Text.</p>{''.join(links)}</body>", url))


def link(href: str, text: str = "2", rel: str = "") -> str:
    return f'<a href="{href}" rel="{rel}">{text}</a>'


@pytest.mark.parametrize(
    ("url", "second"),
    [
        (STORY, f"{STORY}?page=2"),
        (STORY, f"{STORY}/2"),
        (f"{STORY}/", f"{STORY}/2/"),
        (STORY, f"{STORY}/page/2"),
        (f"{STORY}.html", f"{STORY}_2.html"),
        (f"{STORY}.html", f"{STORY}-p2.html"),
        (f"{STORY}.html", f"{STORY}_Page2.html"),
        (f"{STORY}-a-706953.html", f"{STORY}-a-706953-2.html"),
        (f"{STORY}.html", f"{STORY}-seite-2.html"),
        ("https://courier.example/story?id=77", "https://courier.example/story?p=2&id=77"),
    ],
)
def test_a_link_that_shows_its_number_leads_to_the_next_page(url: str, second: str) -> None:
    assert pagination_of(url, link(second)) == Pagination(1, second, None, "link to a page of the article")


def test_the_middle_page_has_two_neighbours() -> None:
    links = [link(STORY, "1"), link(f"{STORY}/3", "3"), link(f"{STORY}/9", "9")]

    assert pagination_of(f"{STORY}/2", *links) == Pagination(2, f"{STORY}/3", STORY, "link to a page of the article")


def test_the_last_page_has_one_before_it() -> None:
    pagination = pagination_of(f"{STORY}?page=3", link("?page=2", "« zurück", rel="prev"))

    assert pagination is not None
    assert (pagination.number, pagination.next, pagination.previous) == (3, None, f"{STORY}?page=2")


def test_numbers_are_read_in_any_script() -> None:
    assert pagination_of(STORY, link(f"{STORY}/2", "صفحة ٢")) is not None


@pytest.mark.parametrize("href", [f"{STORY}?page=2", f"{STORY}/2", f"{STORY},pack,2"])
def test_a_link_element_says_next(href: str) -> None:
    pagination = pagination_of(STORY, head=f'<link rel="next" href="{href}">')

    assert pagination == Pagination(1, href, None, "link next")


@pytest.mark.parametrize(
    "href",
    [
        "https://courier.example/city/library",
        "https://courier.example/city/bridge-opens-2",
        "https://courier.example/city/bridge-2",
        "https://courier.example/2026/03/bridge/2",
        "https://courier.example/city?page=2",
        "https://other.example/city/bridge/2",
        "https://courier.example/page/2/",
    ],
)
def test_the_next_article_is_not_the_next_page(href: str) -> None:
    """WordPress marks the next article `next`, too, and appends a 2 to the name of a second article."""
    assert pagination_of(STORY, link(href, "Next story", rel="next"), head=f'<link rel="next" href="{href}">') is None


def test_the_next_article_id_is_not_the_next_page() -> None:
    here, there = ("https://courier.example/news.php?id=5", "https://courier.example/news.php?id=6")

    assert pagination_of(here, link(there, "Next", rel="next")) is None


@pytest.mark.parametrize(
    "links",
    [
        f"<div class=comments-pager>{link('?page=2')}</div>",
        f"<section id=disqus_thread><ul><li>{link('?page=2')}</li></ul></section>",
        link("?page=2#comments"),
        f"<div class='photo-gallery'>{link(STORY + '/2')}</div>",
    ],
)
def test_pages_of_comments_and_pictures_are_not_pages_of_the_article(links: str) -> None:
    assert pagination_of(STORY, links) is None


def test_a_link_with_a_long_text_does_not_lead_to_another_page() -> None:
    assert pagination_of(STORY, link("?page=2", "Two things that you must know about the bridge")) is None


def test_a_page_of_the_site_is_not_a_page_of_an_article() -> None:
    assert pagination_of("https://courier.example/", link("https://courier.example/page/2/")) is None


def test_a_url_with_many_numbers_is_not_a_later_page() -> None:
    assert len(parse_page_numbers(f"{STORY}?page=2&p=3&pg=4")) == 4
    assert len(parse_page_numbers(f"{STORY}?page=2&p=3&pg=4&pn=5")) == 1
    assert parse_page_numbers(f"{STORY}?page=2&x={'y' * 1_000}") == []


@given(st.text(st.sampled_from("/?&=#.-_,;pageP123x"), max_size=14))
def test_the_cheap_check_for_page_numbers_misses_none(tail: str) -> None:
    address = urls.resolve(f"https://courier.example/{tail}", None) or ""

    assert may_be_numbered(address) or len(parse_page_numbers(address)) == 1


@pytest.mark.parametrize("href", ["#b2", "#bridge-2", "mailto:bridge@courier.example", "", "x" * 1_000 + "/bridge/2"])
def test_links_that_do_not_lead_to_another_page_are_ignored(href: str) -> None:
    assert pagination_of(STORY, link(href)) is None


def test_a_match_across_two_links_does_not_count() -> None:
    """Links are stored back to back, so the end of one may continue in the next."""
    assert pagination_of(STORY, link("/city/brid"), link("ge/2"), link("/city/bri"), link(f"{STORY}/2")) == Pagination(
        1, f"{STORY}/2", None, "link to a page of the article"
    )


def test_without_a_url_the_canonical_one_is_used() -> None:
    page = f'<link rel="canonical" href="{STORY}"><a href="{STORY}?page=2">2</a>'

    assert find_pagination(parse(page)) is not None
    assert find_pagination(parse('<a href="?page=2">2</a>')) is None


def test_the_article_has_the_url_of_its_next_page() -> None:
    document = parse(f"<p>Text.</p>{link('?page=2')}{link('?page=3', '3')}", STORY)

    article = to_article(document, read(document))

    assert (article.page_number, article.next_page, article.previous_page) == (1, f"{STORY}?page=2", None)
    assert article.evidence["next_page"] == "link to a page of the article"


def test_an_article_on_one_page_has_no_number() -> None:
    document = parse("<p>Text.</p>", STORY)

    article = to_article(document, read(document))

    assert (article.page_number, article.next_page, article.is_amp, article.amp_url) == (None, None, False, None)


@pytest.mark.parametrize("mark", ["amp", "⚡", 'lang="en" amp=""', "amp lang=en"])
def test_an_amp_page_is_recognized_by_its_root(mark: str) -> None:
    assert is_amp(parse(f"<!doctype html><html {mark}><body><p>Text.</p></body></html>"))


@pytest.mark.parametrize("mark", ["", 'class="amp"', "data-amp", "amp4email"])
def test_other_pages_are_not_amp_pages(mark: str) -> None:
    assert not is_amp(parse(f"<!doctype html><html {mark}><body><p>Text.</p></body></html>"))


def test_the_amp_form_is_found() -> None:
    document = parse('<link rel="amphtml" href="/amp/bridge"><p>Text.</p>', STORY)

    article = to_article(document, read(document))

    assert article.amp_url == "https://courier.example/amp/bridge"
    assert article.evidence["amp_url"] == "link amphtml"


def test_a_page_is_not_its_own_amp_form() -> None:
    assert find_amp(parse(f'<link rel="amphtml" href="{STORY}">', STORY)) is None


@given(st.text(max_size=60), st.integers(1, 99))
def test_any_url_can_be_parsed(tail: str, number: int) -> None:
    ways = parse_page_numbers(f"https://courier.example/{tail}")

    assert all(1 <= way.number <= 99 for way in ways)
    assert ("courier.example/city/bridge", number) in [
        (way.article, way.number) for way in parse_page_numbers(f"{STORY}?page={number}")
    ]


@given(MARKUP, st.sampled_from((None, STORY, "no address", "https://[")))
def test_neighbours_of_any_page_are_urls(page: str, url: str | None) -> None:
    pagination = find_pagination(parse(page, url))

    addresses = (pagination.next, pagination.previous) if pagination else ()
    assert all(address is None or address.startswith(("http://", "https://")) for address in addresses)
