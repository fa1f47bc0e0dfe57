"""Every cap, with a page that breaks it."""

import time
import tracemalloc

import pytest

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

BOMBS = [
    pytest.param(b"x" * 20_000_001, TooManyBytes, id="long"),
    pytest.param("é" * 15_000_000, TooManyBytes, id="long once it is UTF-8"),
    pytest.param(b"<p>" * 1_000_001, TooManyNodes, id="many elements"),
    pytest.param(b"<!---->" * 1_000_001, TooManyNodes, id="many comments"),
    pytest.param(b"<p a b c d e f g h i j>" * 100_000, TooManyNodes, id="many attributes in all"),
    pytest.param(b"<div>" * 2_001, TooDeep, id="deep"),
    pytest.param(b"<div>" * 100_000, TooDeep, id="deeper than the parser goes"),
    pytest.param(b"<table><tr><td>" * 300_000, TooTangled, id="nested tables"),
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


def test_nothing_is_lost_up_to_the_depth_that_is_allowed() -> None:
    document = broadsheet.parse(b"<div>" * 1_990 + b"deep" + b"</div>" * 1_990 + b"<p>after")

    assert document.text(0) == "deepafter"


def test_what_the_parser_would_drop_without_a_word_is_an_error() -> None:
    with pytest.raises(TooDeep):
        broadsheet.parse(b"<div>" * 2_047 + b"deep", limits=broadsheet.Limits(max_depth=1_000_000))


@pytest.mark.parametrize(
    "page",
    [
        b"<a href=/x>x</a>" * 100_000,
        b"<p>" + b"word " * 1_000_000,
        b"<td colspan=9007199254740991>x",
        b"<!--" * 1_000_000,
        b"<meta charset>" * 200_000,
        b"<script" * 1_000_000,
        b"&amp;" * 1_000_000,
        b"<script>" + b"</scrip " * 1_000_000,
        b"<" * 1_000_000,
        b"<p " + b"a " * 1_999 + b">",
        b"<b>" * 1_900,
    ],
    ids=lambda page: page[:12].decode(),
)
def test_what_is_allowed_is_also_fast(page: bytes) -> None:
    started = time.process_time()

    document = broadsheet.parse(page, "https://example.org/")
    links, _ = document.links, document.tokens

    # No measure of speed: a page that takes quadratic time would take minutes.
    assert time.process_time() - started < 5
    assert len(links) == page.count(b"<a ")


def test_a_refused_page_costs_no_more_memory_than_its_own() -> None:
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
    ],
)
def test_the_census_tells_markup_from_what_looks_like_it(page: bytes, nodes: int, longest: int, most: int) -> None:
    assert census(page)[0::2] == (nodes, longest)
    assert census(page)[3] == most
