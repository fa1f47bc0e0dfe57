"""Every limit, with a page that exceeds it."""

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import broadsheet
from broadsheet.base.errors import (
    AttributeTooLong,
    TooDeep,
    TooManyAttributes,
    TooManyBytes,
    TooManyNodes,
    TooTangled,
)
from broadsheet.document._census import census
from broadsheet.document.document import Document

BOMBS = [
    pytest.param(b"x" * 20_000_001, TooManyBytes, id="long"),
    pytest.param("é" * 15_000_000, TooManyBytes, id="long once it is UTF-8"),
    pytest.param(b"<p>" * 1_000_001, TooManyNodes, id="many elements"),
    pytest.param(b"<!---->" * 1_000_001, TooManyNodes, id="many comments"),
    pytest.param(b"<p a b c d e f g h i j>" * 100_000, TooManyNodes, id="many attributes in all"),
    pytest.param(b"<div>" * 2_001, TooDeep, id="deep"),
    pytest.param(b"<div>" * 100_000, TooDeep, id="deeper than the parser goes"),
    pytest.param(b"<table><tr><td>" * 100_000, TooTangled, id="nested tables"),
    pytest.param(b"<div>" * 1_900 + b"<li>x</ul>" * 300_000, TooTangled, id="deep and wide"),
    pytest.param(b'<p title="' + b"x" * 4_000_001 + b'">', AttributeTooLong, id="long attribute"),
    pytest.param(b"<p title=" + b"x" * 4_000_001 + b">", AttributeTooLong, id="long attribute without quotes"),
    pytest.param(b"<p " + b" ".join(b"a%d" % k for k in range(2_001)) + b">", TooManyAttributes, id="wide tag"),
    pytest.param(
        b"<p " + b" ".join(b"a%d='<b>'" % k for k in range(2_001)) + b">", TooManyAttributes, id="wide tag in disguise"
    ),
]


@pytest.mark.parametrize(("page", "error"), BOMBS)
def test_a_page_beyond_a_cap_is_refused(page: bytes, error: type[broadsheet.LimitError]) -> None:
    with pytest.raises(error) as raised:
        broadsheet.parse(page)

    assert raised.value.found > raised.value.allowed
    assert "\n" not in str(raised.value)


def test_a_cap_can_be_raised() -> None:
    page = b"<div>" * 2_001 + b"deep"

    document = broadsheet.parse(page, limits=broadsheet.Limits(max_depth=5_000))

    assert document.text(0) == "deep"


def test_nothing_is_lost_up_to_the_maximum_depth() -> None:
    document = broadsheet.parse(b"<div>" * 1_990 + b"deep" + b"</div>" * 1_990 + b"<p>after")

    assert document.text(0) == "deepafter"


def test_what_the_parser_would_silently_drop_is_an_error() -> None:
    with pytest.raises(TooDeep):
        broadsheet.parse(b"<div>" * 2_047 + b"deep", limits=broadsheet.Limits(max_depth=1_000_000))


HARD_PAGES = {
    "many links": b"<a href=/x>x</a>" * 100_000,
    "many different links": b"".join(b"<a href='../a/./b%d'>x</a>" % number for number in range(60_000)),
    "links like no other": b"".join(b"<p><a class=c%d href=/%d>x</a>" % (number, number) for number in range(30_000)),
    "long links": b"".join(b"<a href='/%d%s'>x</a>" % (number, b"&a%20=" * 600_000) for number in range(3)),
    "long base": b"<base href='http://x/" + b"a/" * 1_000_000 + b"'>" + b"<a href=y>y</a>" * 2_000,
    "nested links": b"<object><a href=/x>" * 900 + b"x " * 1_000_000,
    "long text": b"<p>" + b"word " * 1_000_000,
    "wide cell": b"<td colspan=9007199254740991>x",
    "comments never closed": b"<!--" * 1_000_000,
    "many metas": b"<meta charset>" * 200_000,
    "long meta": b"<meta charset" + b"a" * 60_000,
    "scripts never opened": b"<script" * 1_000_000,
    "entities": b"&amp;" * 1_000_000,
    "end tags never ended": b"<script>" + b"</scrip " * 1_000_000,
    "brackets": b"<" * 1_000_000,
    "a wide tag": b"<p " + b"a " * 1_999 + b">",
    "a deep page": b"<b>" * 1_900,
    "foreign letters between tags": b"\xe9<" * 3_000_000,
    "pictures in links": b"<a href=/x>" + b"<img>" * 200_000,
}


def read_everything(page: bytes) -> Document:
    document = broadsheet.parse(page, "https://example.org/news/")
    links = document.links
    assert len(links.keys) == len(links.domains) == len(links.urls)
    for row in range(min(3_000, len(links))):
        assert links.path(row).startswith("/html")
        assert len(links.anchor(row)) <= 10_000
    assert len(document.tokens.node) == len(document.tokens.start)
    assert document.metadata.titles == ()
    return document


@pytest.mark.parametrize("page", HARD_PAGES.values(), ids=HARD_PAGES)
def test_every_page_within_the_limits_is_fast(page: bytes) -> None:
    started = time.process_time()

    document = read_everything(page)

    # Not a measure of speed: a page that takes quadratic time would take minutes, even without coverage.
    assert time.process_time() - started < 20
    assert len(document.links) == page.count(b"<a ")


def test_attributes_that_are_slow_to_parse_are_refused() -> None:
    tag = b"<p " + b" ".join(b"a%d" % number for number in range(1_900)) + b">"

    with pytest.raises(TooTangled):
        broadsheet.parse(tag * 200)


def test_self_closing_elements_are_not_nested() -> None:
    page = b"<svg>" + b'<path d="x"/>' * 2_100 + b"</svg>" + b"<p>x</p>" * 62_000

    assert len(broadsheet.parse(page).rows("p")) == 62_000


def test_refusing_a_page_takes_no_extra_memory() -> None:
    page = b"<p>" * 3_000_000
    tracemalloc.start()

    with pytest.raises(TooManyNodes):
        broadsheet.parse(page)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 2 * len(page)


@pytest.mark.parametrize(
    ("page", "nodes", "longest", "most"),
    [
        (b"", 0, 0, 0),
        (b"no markup < at all", 0, 0, 0),
        (b"<p>", 1, 0, 0),
        (b"<p a=1 b='22' c=\"333\" d>", 5, 3, 4),
        (b"<p title='a > b' x>", 3, 5, 2),
        (b"<!-- <p> <p> --><p>", 2, 0, 0),
        (b"<!--><p>", 2, 0, 0),
        (b"<!-- x --!><p>", 2, 0, 0),
        (b"<!doctype html><p>", 2, 0, 0),
        (b"<script>if (a<b) '<p>'</script><p>", 2, 0, 0),
        (b"<SCRIPT><p></scripty></Script ><p>", 2, 0, 0),
        (b"<title><p></title><textarea><p></textarea>", 2, 0, 0),
        (b"<p a=", 2, 0, 1),
        (b"<p a='unended", 2, 7, 1),
        (b"</p x=1>", 1, 1, 1),
        (b"<title/><p>", 2, 0, 0),
        (b"<a href=x/><p>", 3, 2, 1),
        (b"</3 <p>", 1, 0, 0),
        (b"<?-- <p>", 1, 0, 0),
        (b"<!--!><p>--!><p>", 2, 0, 0),
        (b"<script><!--<script></script><p>--></script><p>", 2, 0, 0),
        (b"<script><!-- --></script><p>", 2, 0, 0),
    ],
)
def test_the_census_counts_only_real_markup(page: bytes, nodes: int, longest: int, most: int) -> None:
    assert census(page)[0:3:2] == (nodes, longest)
    assert census(page)[3] == most


SOUP = st.lists(
    st.sampled_from(
        b"<textarea> </textarea> <title> </title> <script> </script> <!-- --> --!> <style/> <script/> <title/> </3 </| "
        b'<? <! <![CDATA[ ]]> <a|x=" " \' > <p> <xmp> </xmp> <iframe> </iframe> <noscript> <plaintext> <svg> </svg> '
        b"<!DOCTYPE| <a|b= / = < x <noembed> </noembed> <select> <option> <template> </title| </textarea/ - !".split()
    ),
    max_size=8,
)


@given(SOUP)
@settings(max_examples=1_000, deadline=None)
def test_no_page_hides_nodes_from_the_census(tokens: list[bytes]) -> None:
    page = b"".join(tokens).replace(b"|", b" ") + b"<b>" * 40

    root = etree.fromstring(page, etree.HTMLParser(encoding="utf-8", huge_tree=True))

    built = 0 if root is None else sum(1 + len(node.attrib) for node in root.getroottree().iter())
    # The parser adds missing html, head and body elements, and occasional paragraphs.
    assert built <= census(page)[0] + 4
