"""Compares the columns with lxml's own tree, and the compiled parse with the walk over that tree in Python."""

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import broadsheet
from broadsheet.document import _column_parsing, tags
from broadsheet.document._column_parsing import DEEPEST, parse_columns, parse_in_python
from broadsheet.document.characters import INVISIBLE, SPACE, classes
from broadsheet.document.columns import TAIL_SLOT, TEXT_SLOT, Columns, differing_columns
from broadsheet.document.document import Document
from tests.document.html import MARKUP
from tests.document.real_pages import pages_of


def lxml_nodes(root: etree._Element) -> list[etree._Element]:
    return list(root.iter())


def lxml_slots(root: etree._Element) -> Iterator[tuple[etree._Element, int, str]]:
    """Yield every slot with text, in document order, from lxml's own iteration."""
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start" and element.text and element.tag not in tags.UNREAD:
            yield element, TEXT_SLOT, element.text
        if event != "start" and element.tail and element is not root:
            yield element, TAIL_SLOT, element.tail


def assert_rebuilds_the_tree(document: Document) -> None:
    root = document.element(0)
    elements = lxml_nodes(root)
    row_of = {element: row for row, element in enumerate(elements)}
    nodes, pieces = document.nodes, document.pieces

    assert [document.element(row) for row in range(len(nodes))] == elements
    assert nodes.parent[1:].tolist() == [row_of[up] for e in elements if (up := e.getparent()) is not None]
    assert nodes.end.tolist() == [row + len(lxml_nodes(element)) for row, element in enumerate(elements)]
    slots = list(lxml_slots(root))
    assert document.text(0) == "".join(text for _, _, text in slots)
    owners = zip(pieces.owner, pieces.slot, strict=True)
    piece_slots = [(elements[owner], slot, document.piece_text(piece)) for piece, (owner, slot) in enumerate(owners)]
    assert piece_slots == [slot for slot in slots if any(map(visible, slot[2]))]
    tree = root.getroottree()
    known = np.flatnonzero(nodes.tag > tags.COMMENT)[:50].tolist()
    # libxml2 treats a document type called html as a sibling of the root.
    expected = [tree.getpath(elements[row]).replace("/html[1]", "/html", 1) for row in known]
    assert [document.path(row) for row in known] == expected
    assert [attributes_of(document, row) for row in range(len(nodes))] == [lxml_attributes(e) for e in elements]
    links = [e for e in elements if e.tag in ("a", "area") and e.get("href") is not None]
    assert [elements[row] for row in document.hrefs.node] == links
    assert [document.href(k) for k in range(len(links))] == [e.get("href") for e in links]


def attributes_of(document: Document, row: int) -> list[tuple[str, str | None]]:
    return [(name, document.attribute(row, name)) for name in document.columns.attributes.names(row)]


def lxml_attributes(element: etree._Element) -> list[tuple[str, str]]:
    return [(str(name), str(value)) for name, value in element.items()]


def visible(character: str) -> bool:
    return classes()[ord(character)] not in (SPACE, INVISIBLE)


def assert_same(first: Columns | None, second: Columns | None) -> None:
    assert first is not None
    assert second is not None
    assert differing_columns(first, second) == []


def assert_parses_agree(page: bytes) -> None:
    assert_same(parse_columns(page, DEEPEST), parse_in_python(page, DEEPEST))


@given(MARKUP, st.lists(st.sampled_from(["p", "div", "a", "td", "#comment", "nav"]), min_size=1, unique=True))
def test_the_rows_of_names_are_those_of_their_tags_in_order(markup: str, names: list[str]) -> None:
    columns = broadsheet.parse(markup).columns

    rows = columns.rows(*names)

    wanted = {tags.CODES[name] for name in names}
    assert rows.tolist() == [row for row, tag in enumerate(columns.nodes.tag.tolist()) if tag in wanted]


@given(MARKUP)
def test_the_columns_rebuild_text_links_and_ancestors(markup: str) -> None:
    assert_rebuilds_the_tree(broadsheet.parse(markup))


@given(MARKUP)
def test_the_compiled_parse_and_the_one_in_python_agree(markup: str) -> None:
    assert_parses_agree(markup.encode("utf-8", "replace"))


def test_real_pages_are_parsed_correctly(shared_data: Path) -> None:
    for _, page in pages_of(shared_data, max_per_corpus=3):
        assert_parses_agree(page)
        assert_rebuilds_the_tree(broadsheet.parse(page, encoding="utf-8"))


@pytest.mark.soak
def test_every_real_page_is_parsed_correctly(shared_data: Path) -> None:
    pages = 0
    for name, page in pages_of(shared_data):
        try:
            assert_parses_agree(page)
            assert_rebuilds_the_tree(broadsheet.parse(page, encoding="utf-8"))
        except AssertionError as error:
            raise AssertionError(name) from error
        pages += 1
    print(f"{pages} real pages: the two parses agree, and the columns rebuild the tree")
    assert pages > 4_000


def test_the_compiled_parse_is_in_use() -> None:
    assert parse_columns is not parse_in_python


MISPLACED = [
    b"<p>one</body></html> two <p>three",
    b"<p>one</html><!-- after --><html class=late><body id=late>two",
    b"<!-- before --> text <head><title>late</title>",
    b"<frameset><frame src=a></frameset><noframes>none",
    b"<table><p>in a table<tr><td>cell</table>",
    b"<p hidden checked title>boolean",
    b"<p a=1 a=2 A=3>repeated",
    b'<script type=application/ld+json>{"a": "<b>"}',
    b"<title>open",
    b"<p>a&nbsp;b&copy c&unknown; &#0; \x00 d\r\ne\rf",
    b"<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN' 'x'><body> <p> ",
    b"<!-- only a comment -->",
    b" \n ",
    b"",
]


@pytest.mark.parametrize("page", MISPLACED)
def test_what_is_misplaced_or_missing_is_parsed_as_lxml_does(page: bytes) -> None:
    assert_parses_agree(page)


def test_both_parses_refuse_a_page_that_is_too_deep() -> None:
    deep = b"<div>" * 40

    assert parse_columns(deep, 41) is None
    assert parse_in_python(deep, 41) is None
    assert_same(parse_columns(deep, 42), parse_in_python(deep, 42))


def test_subtrees_are_slices_and_sums_are_differences() -> None:
    document = broadsheet.parse("<div>one two<p>three <a href=x>four</a></p>five</div><p>six")
    div, paragraph = document.rows("div")[0], document.rows("p")[0]

    assert document.text(div) == "one twothree fourfive"
    assert document.total(document.sums.words)[div] == 5
    assert document.total(document.sums.words)[paragraph] == 2
    assert document.total(document.sums.link_characters)[div] == len("four")


def test_pieces_on_one_line_share_its_number() -> None:
    document = broadsheet.parse("Note:<p>A <a href=x>link</a> in<br>it</p><div><span>a</span><span>b</span></div>end")

    lines = document.pieces.line.tolist()

    texts = [document.piece_text(piece) for piece in range(len(document.pieces))]
    assert [texts[k] + ("|" if lines[k] != lines[k + 1] else "") for k in range(len(texts) - 1)] == [
        "Note:|", "A ", "link", " in|", "it|", "a", "b|"
    ]  # fmt: skip


def test_comments_keep_their_place_and_their_tails_carry_text() -> None:
    document = broadsheet.parse("<p>one<!-- not text -->two")

    (paragraph,) = document.rows("p")
    comment = paragraph + 1
    assert document.nodes.tag[comment] == tags.COMMENT
    assert document.pieces.owner.tolist() == [paragraph, comment]
    assert document.pieces.slot.tolist() == [TEXT_SLOT, TAIL_SLOT]


def test_invisible_content_is_not_text() -> None:
    document = broadsheet.parse("<style>p{}</style><script>x</script><p>seen<iframe>no</iframe> too")

    assert document.text(0) == "seen too"


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ImportError("No module named _sax"), id="not compiled"),
        pytest.param(AttributeError("undefined symbol: htmlCtxtReadMemory"), id="libxml2 hidden"),
        pytest.param(ValueError("lxml.etree._Element size changed"), id="layout changed"),
    ],
)
def test_an_incompatible_compiled_parse_falls_back_to_python(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def load() -> _column_parsing.ParseColumns:
        raise error

    with caplog.at_level(logging.WARNING):
        chosen = _column_parsing.choose_parse(load)

    assert chosen is parse_in_python
    assert str(error) in caplog.text


def test_an_incorrect_compiled_parse_falls_back_to_python(caplog: pytest.LogCaptureFixture) -> None:
    def wrong(page: bytes, deepest: int) -> Columns | None:
        return parse_in_python(page.replace(b"<p", b"<div"), deepest)

    with caplog.at_level(logging.WARNING):
        chosen = _column_parsing.choose_parse(lambda: wrong)

    assert chosen is parse_in_python
    assert "nodes.tag" in caplog.text
