from collections import Counter

import numpy as np
from hypothesis import given

import broadsheet
from broadsheet.document.document import Document
from broadsheet.document.link_collections import collect, largest_collection
from tests.document.html import MARKUP


def page(*, articles: list[str], banner: str = "", extra_block: str = "") -> Document:
    cards = "".join(
        f"<article><a class=image href=/{name}><img></a><h3><a class=title href=/{name}>{name}</a></h3>"
        f"<a class=label href=/politics>Politics</a></article>"
        for name in articles
    )
    return broadsheet.parse(
        f"<body>{banner}<nav><ul><li><a href=/>Home</a><li><a href=/politics class='on active'>Politics</a>"
        f"<li><a href=/sport class=on>Sport</a></ul></nav><main>{extra_block}<div>{cards}</div></main>"
        "<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer></body>",
        "https://example.org/",
    )


def members(document: Document) -> dict[int, list[str]]:
    """Return the targets of each collection in order, by identity."""
    links = document.links
    collections: dict[int, list[str]] = {}
    for row in range(len(links)):
        identity = int(links.collections.identity[links.collection[row]])
        collections.setdefault(identity, []).append(str(links.url(row)).removeprefix("https://example.org/"))
    return collections


def test_a_list_of_cards_has_one_collection_per_kind_of_link() -> None:
    collections = list(members(page(articles=["a", "b", "c"])).values())

    assert collections.count(["a", "b", "c"]) == 2
    assert ["politics", "politics", "politics"] in collections
    assert ["imprint", "privacy"] in collections


def test_only_the_first_class_of_a_link_matters() -> None:
    assert ["politics", "sport"] in members(page(articles=["a", "b"])).values()


def test_positions_count_within_the_collection() -> None:
    links = page(articles=["a", "b", "c"]).links

    for collection in range(len(links.collections)):
        positions = links.position[links.collection == collection]
        assert positions.tolist() == list(range(links.collections.size[collection]))


def test_items_move_within_a_collection_that_keeps_its_identity() -> None:
    before, after = members(page(articles=["a", "b", "c"])), members(page(articles=["x", "a", "b", "c", "d"]))

    assert before.keys() == after.keys()
    assert ["x", "a", "b", "c", "d"] in after.values()


def test_insertions_above_a_collection_do_not_matter() -> None:
    before = members(page(articles=["a", "b"]))
    after = members(page(articles=["a", "b"], banner="<div id=ad><p>Advertisement</div>", extra_block="<h1>Live</h1>"))

    assert before == after


def test_collections_with_equal_paths_are_distinguished_by_their_order() -> None:
    block = "<section><ul><li><a href=/{0}1>1</a><li><a href=/{0}2>2</a></ul></section>"
    document = broadsheet.parse(block.format("a") + block.format("b"), "https://example.org/")

    assert list(members(document).values()) == [["a1", "a2"], ["b1", "b2"]]


def test_a_link_without_similar_ones_is_alone_in_its_collection() -> None:
    document = broadsheet.parse("<p><a href=/a>a</a></p><div><a href=/b>b</a></div>", "https://example.org/")

    assert document.links.collections.size.tolist() == [1, 1]


IDENTITY = "0xf6d09c3ce04c651d"


def test_identities_are_the_same_on_every_machine() -> None:
    document = broadsheet.parse("<ul><li><a class=x href=/a>a</a><li><a class=x href=/b>b</a></ul>")

    assert [hex(identity) for identity in document.links.collections.identity] == [IDENTITY]


@given(MARKUP)
def test_every_link_is_in_one_collection(markup: str) -> None:
    document = broadsheet.parse(markup, "https://example.org/")
    links = document.links

    assert np.array_equal(np.bincount(links.collection, minlength=len(links.collections)), links.collections.size)
    assert len(set(links.collections.identity.tolist())) == len(links.collections)
    assert max(Counter(zip(links.collection, links.position, strict=True)).values(), default=1) == 1
    for row in range(len(links)):
        container = links.collections.container[links.collection[row]]
        assert container == -1 or container < links.node[row] < document.nodes.end[container]


@given(MARKUP)
def test_the_largest_collection_is_counted_without_naming_any(markup: str) -> None:
    document = broadsheet.parse(markup)
    nodes, words = document.nodes, document.sums.words
    _, collection, _ = collect(nodes, document.hrefs)
    rows = document.hrefs.node
    anchors = words[nodes.piece_end[rows]] - words[nodes.piece_start[rows]]

    for least in (0, 1, 2):
        expected = Counter(collection[anchors >= least].tolist())
        assert largest_collection(nodes, document.hrefs, words, least) == max(expected.values(), default=0)
