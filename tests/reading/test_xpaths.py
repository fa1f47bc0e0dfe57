from hypothesis import given
from hypothesis import strategies as st

import broadsheet
from broadsheet.reading._xpaths import MAX_PATH_DEPTH, paths_of

TAGS = ("<div>", "</div>", "<p>x", "<b>", "</b>", "<odd-one>", "<odder-one>", "<!-- x -->")


@given(st.lists(st.sampled_from(TAGS), max_size=60), st.data())
def test_paths_do_not_depend_on_the_order_of_nodes(tags: list[str], data: st.DataObject) -> None:
    document = broadsheet.parse("".join(tags))
    nodes = data.draw(st.lists(st.integers(0, len(document.nodes) - 1), max_size=20))

    assert list(paths_of(document, nodes)) == [document.path(node) for node in nodes]


def test_a_node_that_is_too_deep_has_the_path_of_an_ancestor() -> None:
    document = broadsheet.parse("<div>" * 300 + "<p>deep</p><p>deep, too</p>" + "</div>" * 300 + "<p>after</p>")

    deep, other, after = paths_of(document, document.rows("p").tolist())

    assert deep == other == "/html/body/div" + "/div" * (MAX_PATH_DEPTH - 2)
    assert after == "/html/body/p"


def test_texts_of_one_element_share_one_path() -> None:
    document = broadsheet.parse("<div>" * 200 + "<p>x")
    row = int(document.rows("p")[0])

    first, second = paths_of(document, [row, row])

    assert first is second
