"""Compares the columns with lxml's own tree, and the two walks with each other."""

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import broadsheet
from broadsheet.document import _walking, tags
from broadsheet.document._parsing import parse_tree
from broadsheet.document._pywalk import walk_in_python
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


def assert_walks_agree(page: bytes) -> None:
    root = parse_tree(page, broadsheet.Limits())
    compiled = _walking.walk(root, _walking.DEEPEST)
    plain = walk_in_python(root, _walking.DEEPEST)

    assert compiled is not None
    assert plain is not None
    assert differing_columns(compiled, plain) == []


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
def test_the_compiled_walk_and_the_one_in_python_agree(markup: str) -> None:
    assert_walks_agree(markup.encode("utf-8", "replace"))


def test_real_pages_are_walked_correctly(shared_data: Path) -> None:
    for _, page in pages_of(shared_data, max_per_corpus=3):
        assert_walks_agree(page)
        assert_rebuilds_the_tree(broadsheet.parse(page, encoding="utf-8"))


@pytest.mark.soak
def test_every_real_page_is_walked_correctly(shared_data: Path) -> None:
    pages = 0
    for name, page in pages_of(shared_data):
        try:
            assert_walks_agree(page)
            assert_rebuilds_the_tree(broadsheet.parse(page, encoding="utf-8"))
        except AssertionError as error:
            raise AssertionError(name) from error
        pages += 1
    print(f"{pages} real pages: the two walks agree, and the columns rebuild the tree")
    assert pages > 4_000


def test_the_compiled_walk_is_in_use() -> None:
    assert _walking.walk is not walk_in_python


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


def test_an_incompatible_compiled_walk_falls_back_to_python(caplog: pytest.LogCaptureFixture) -> None:
    def load() -> _walking.Walk:
        raise ValueError("lxml.etree._Element size changed")

    with caplog.at_level(logging.WARNING):
        walk = _walking.choose_walk(load)

    assert walk is walk_in_python
    assert "size changed" in caplog.text


def test_an_incorrect_compiled_walk_falls_back_to_python(caplog: pytest.LogCaptureFixture) -> None:
    def wrong(root: etree._Element, deepest: int) -> Columns | None:
        return walk_in_python(root[0], deepest)

    with caplog.at_level(logging.WARNING):
        walk = _walking.choose_walk(lambda: wrong)

    assert walk is walk_in_python
    assert "nodes.tag" in caplog.text
