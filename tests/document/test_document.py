import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import broadsheet
from broadsheet.document.columns import differing_columns

PAGE = (
    "<!doctype html><html><head><title> The  title </title></head><body class='front page' id=top>"
    + "".join(
        f"<article role=listitem><h2><a class=teaser href='/a/{k}'>Story {k}</a></h2></article>" for k in range(50)
    )
    + "</body></html>"
)


def test_text_and_bytes_give_the_same_document() -> None:
    assert differing_columns(broadsheet.parse(PAGE).columns, broadsheet.parse(PAGE.encode()).columns) == []


def test_a_document_is_passed_through() -> None:
    document = broadsheet.parse(PAGE)

    assert broadsheet.parse(document) is document


def test_only_text_and_bytes_like_objects_are_pages() -> None:
    assert broadsheet.parse(bytearray(b"<p>x")).text(0) == broadsheet.parse(memoryview(b"<p>x")).text(0) == "x"
    with pytest.raises(broadsheet.InputError, match="a page must be bytes, str or a Document, not NoneType"):
        broadsheet.parse(None)  # type: ignore[arg-type]


def test_a_document_has_a_title() -> None:
    assert broadsheet.parse(PAGE).title == "The title"
    assert broadsheet.parse("no title").title is None


@pytest.mark.parametrize("page", [b"", b"   ", b"<!-- only a comment -->", b"\x00", "", b"\xff\xfe"])
def test_a_page_with_nothing_in_it_is_an_empty_document(page: bytes | str) -> None:
    document = broadsheet.parse(page, "https://example.org/")

    assert len(document.nodes) >= 1
    assert len(document.links) == 0
    assert document.title is None


@pytest.mark.parametrize("page", [b"%PDF-1.4 \x00\xff\xd8", b"\x1f\x8b\x08" + bytes(range(256)), bytes(1000)])
def test_arbitrary_bytes_do_not_raise(page: bytes) -> None:
    assert broadsheet.parse(page).links is not None


@pytest.mark.parametrize(
    "root", [b"<html/>", b"<HTML lang=en />", b"<html a='/>' <link rel=icon href='x' />", b"<!-- <html> --><html//>"]
)
def test_a_root_that_is_closed_at_once_holds_the_page_as_in_browsers(root: bytes) -> None:
    document = broadsheet.parse(b"<!doctype html>" + root + b"<head><title>The title</title></head><p>Some text")

    assert document.title == "The title"
    assert document.text(0) == "The titleSome text"
    assert document.element(0).xpath("string(//p)") == "Some text"


def test_what_a_page_declares_does_not_confuse_the_parser() -> None:
    document = broadsheet.parse('<meta charset="gb2312"><p>Größe'.encode(), encoding="utf-8")

    assert document.text(0) == "Größe"


def test_tokens_name_elements() -> None:
    document = broadsheet.parse("<p class='a  b' id=c itemprop=d role=e>x<!-- class=no --></p>")

    tokens = document.tokens

    actual = [(tokens.KINDS[kind], tokens.token(row)) for row, kind in enumerate(tokens.kind)]
    assert actual == [("class", "a"), ("class", "b"), ("id", "c"), ("itemprop", "d"), ("role", "e")]
    assert set(tokens.node.tolist()) == set(document.rows("p").tolist())


def test_attributes_are_those_of_the_page_or_none() -> None:
    document = broadsheet.parse("<p class=a>1<p title='' class='b &amp; c'>2<p>3<!-- 4 -->")
    comment = document.rows("#comment")[0]

    attributes = document.attributes([*document.rows("p").tolist(), int(comment)], "class", "title")

    assert attributes == [("a", None), ("b & c", ""), (None, None), (None, None)]


def test_attributes_that_are_rarely_looked_for_are_found_by_their_names() -> None:
    document = broadsheet.parse("<p data-x=1 data-xy='2' class=a data-z>1</p>")
    (paragraph,) = document.rows("p").tolist()

    names = document.columns.attributes.names(paragraph)

    assert names == ["data-x", "data-xy", "class", "data-z"]
    assert [document.attribute(paragraph, name) for name in (*names, "data")] == ["1", "2", "a", "", None]
    assert document.attribute_sets(["data-xy"], ["data-z"])[1][-1] == ("data-xy", "2", "data-z", "")


def test_the_nodes_with_an_attribute_are_listed_with_its_values() -> None:
    document = broadsheet.parse("<p itemprop='a b'>1<p>2<p itemprop=c>3")
    first, _, third = document.rows("p").tolist()

    assert document.columns.attributes.rows_with("itemprop") == [(first, "a b"), (third, "c")]


def test_scripts_are_kept_only_if_they_are_json_ld() -> None:
    page = "<script>code</script><script type='application/LD+json; charset=utf-8'>{}</script><p>text"
    document = broadsheet.parse(page)

    assert list(document.columns.json_ld.items()) == [(int(document.rows("script")[1]), "{}")]


def test_elements_with_equal_relevant_attributes_share_a_set() -> None:
    document = broadsheet.parse("<p class=a href=1 title=x>1<p class=a href=2>2<p class=b>3<p>4")

    numbers, sets = document.attribute_sets(["class"], ["href"])

    paragraphs = [sets[number] for number in numbers[document.rows("p")]]
    assert paragraphs == [("class", "a", "href", ""), ("class", "a", "href", ""), ("class", "b"), ()]


def test_unknown_tag_names_can_be_looked_up() -> None:
    document = broadsheet.parse("<x-card>a<!-- b --></x-card>")

    names = [document.tag_name(row) for row in range(len(document.nodes))]

    assert names == ["html", "body", "x-card", "#comment"]


def test_paths_lead_to_a_node_with_and_without_indices() -> None:
    document = broadsheet.parse("<ul><li>a<li><a href=x>b</a></ul>")

    assert document.links.path(0) == "/html/body/ul/li[2]/a"
    assert document.links.generalised_path(0) == "/html/body/ul/li/a"


def test_the_columns_are_read_only() -> None:
    document = broadsheet.parse(PAGE)

    with pytest.raises(ValueError, match="read-only"):
        document.nodes.tag[0] = 1


def test_elements_outlive_their_document() -> None:
    element = broadsheet.parse(PAGE).element(5)

    assert element.getroottree().getroot().tag == "html"


def test_a_document_is_freed_with_its_last_reference() -> None:
    document = broadsheet.parse(PAGE, "https://example.org/")
    gone = weakref.ref(document)
    gc.disable()

    assert all(asked is not None for asked in (document.links.keys, document.metadata, document.tokens))
    del document

    gc.enable()
    assert gone() is None


def test_threads_that_share_pages_get_the_same_columns() -> None:
    reference = broadsheet.parse(PAGE)

    with ThreadPoolExecutor(8) as pool:
        documents = list(pool.map(broadsheet.parse, [PAGE.encode()] * 200))
        shared = list(pool.map(lambda _: reference.links.collections.identity, range(50)))

    assert all(differing_columns(document.columns, reference.columns) == [] for document in documents)
    assert all(np.array_equal(identity, shared[0]) for identity in shared)


def test_the_repr_of_a_document_is_one_line() -> None:
    assert repr(broadsheet.parse("<title>A storm</title><p>It came.")) == "Document('A storm', 4 words)"
    assert repr(broadsheet.parse("<p>Rain", "https://a.org/b")) == "Document(no title, 1 word, 'https://a.org/b')"


def test_pickling_a_document_fails_with_advice() -> None:
    with pytest.raises(broadsheet.InputError, match="send the page's bytes"):
        pickle.dumps(broadsheet.parse(PAGE))


def test_what_is_derived_from_a_document_is_computed_once() -> None:
    document, computed = broadsheet.parse(b"<p>one</p>"), []

    def words(page: broadsheet.Document) -> int:
        computed.append(page)
        return int(page.sums.words[-1])

    assert [document.derive(words), document.derive(words)] == [1, 1]
    assert computed == [document]
