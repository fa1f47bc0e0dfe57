"""A tree as rules, one per leaf."""

from dataclasses import dataclass

import numpy as np

from broadsheet.learning.c45._labels import Labels
from broadsheet.learning.c45._tree import DecisionTree


@dataclass(frozen=True)
class Rule:
    """The conditions of one leaf and its class."""

    conditions: tuple[str, ...]
    #: The class, with the weight of the leaf's training cases and, after a slash, of those of other classes.
    verdict: str
    #: The index of the leaf in the tree.
    leaf: int

    def __str__(self) -> str:
        """Write the rule as a sentence."""
        return f"if {' and '.join(self.conditions)}: {self.verdict}" if self.conditions else f"always: {self.verdict}"


#: A feature and the side that a condition bounds: a condition replaces only one of the same key.
_Key = tuple[int, int]


def rules_of(tree: DecisionTree, labels: Labels) -> list[Rule]:
    """Return the rules of all leaves, depth first, keeping only the tightest bound on each side of a feature."""
    rules = []
    waiting: list[tuple[int, int, dict[_Key, str]]] = [(0, 0, {})]
    while waiting:
        node, parent, held = waiting.pop()
        if tree.is_leaf(node):
            rules.append(Rule(tuple(held.values()), labels.verdict(tree, node, parent), node))
            continue
        name = labels.feature(tree, node)
        for branch, child in reversed(list(enumerate(tree.children(node)))):
            key = (int(tree.feature[node]), 0 if np.isnan(tree.threshold[node]) else branch)
            waiting.append((child, node, held | {key: f"{name} {labels.outcome(tree, node, branch)}"}))
    return rules
