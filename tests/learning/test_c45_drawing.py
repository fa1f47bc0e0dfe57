from itertools import pairwise

import numpy as np
import pytest
from lxml import etree

from broadsheet.base.errors import InputError
from broadsheet.learning.c45 import C45Classifier


@pytest.fixture
def tree() -> C45Classifier:
    table = np.array([["<a>", 1], ["<a>", 9], ['"b" & c', 3], ['"b" & c', 9]] * 3, dtype=object)
    learnt = C45Classifier(nominal=[0], prune=False, min_leaf=1)
    return learnt.fit(table, ["no", "yes", "no", "no"] * 3)


def test_rules_say_what_leads_to_each_leaf(tree: C45Classifier) -> None:
    assert [str(rule) for rule in tree.to_rules(["tag", "links"])] == [
        'if tag = "b" & c: no (6)',
        "if tag = <a> and links <= 3: no (3)",
        "if tag = <a> and links > 3: yes (3)",
    ]


def test_a_rule_keeps_only_the_inner_bound() -> None:
    table = np.arange(12.0)[:, None]
    tree = C45Classifier(prune=False, collapse=False, mdl_correction=False).fit(table, [0] * 4 + [1] * 4 + [0] * 4)

    conditions = [rule.conditions for rule in tree.to_rules(["x"])]

    assert all(len(each) <= 2 for each in conditions)
    assert ("x > 3", "x <= 7") in conditions or ("x <= 7", "x > 3") in conditions


def test_a_tree_of_one_leaf_has_one_rule() -> None:
    tree = C45Classifier().fit([[1], [2]], ["a", "a"])

    assert [str(rule) for rule in tree.to_rules()] == ["always: a (2)"]
    assert tree.to_text() == ": a (2)"
    assert "a (2)" in tree.to_svg()


def test_features_without_names_are_numbered(tree: C45Classifier) -> None:
    assert tree.to_text().splitlines() == [
        'x0 = "b" & c: no (6)',
        "x0 = <a>",
        "|   x1 <= 3: no (3)",
        "|   x1 > 3: yes (3)",
    ]


def test_names_have_to_be_as_many_as_features(tree: C45Classifier) -> None:
    with pytest.raises(InputError, match="1 names given for 2 features"):
        tree.to_text(["tag"])


def drawn(tree: C45Classifier, names: list[str]) -> tuple[float, list[etree._Element], list[str | None]]:
    """Return the picture's width, its boxes and its words."""
    picture = etree.fromstring(tree.to_svg(names).encode())
    words = [text.text for text in picture.iter("{*}text")]
    return float(picture.attrib["width"]), list(picture.iter("{*}rect")), words


def test_the_picture_is_well_formed_and_shows_every_node_with_its_words(tree: C45Classifier) -> None:
    _, boxes, words = drawn(tree, ["<script>", "a&b"])

    assert len(boxes) == len(tree.tree_)
    assert {"<script>", "a&b", "= <a>", '= "b" & c', "<= 3", "> 3", "yes (3)"} <= set(words)


def test_no_box_stands_outside_the_picture_nor_on_another_leaf(tree: C45Classifier) -> None:
    width, boxes, _ = drawn(tree, ["a name that is longer than the tree is wide" * 3, "b"])

    spans = [(float(box.attrib["x"]), float(box.attrib["width"])) for box in boxes]
    leaves = sorted(span for span, box in zip(spans, boxes, strict=True) if box.get("class") == "leaf")

    assert all(x >= 0 and x + wide <= width for x, wide in spans)
    assert all(x + wide < beside for (x, wide), (beside, _) in pairwise(leaves))
