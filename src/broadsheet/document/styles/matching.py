"""Holding selectors against elements."""

from broadsheet.document.styles.caps import OverBudget, StyleDrops
from broadsheet.document.styles.matching_tree import MatchingTree
from broadsheet.document.styles.selectors import Attribute, Compound, Logical, Nth, Selector

#: How far a failure reaches: this element, its siblings too, or every other way to match as well.
_MATCH, _NOT_HERE, _NOT_BESIDE, _NOWHERE = range(4)


class Matcher:
    """Holds selectors against the elements of one document, and pays for each attempt."""

    def __init__(self, tree: MatchingTree, ledger: StyleDrops) -> None:
        """Match within a tree, on the account of a ledger."""
        self.tree = tree
        self._attempts_left = ledger.limits.max_attempts

    def matches(self, selector: Selector, row: int) -> bool:
        """Tell whether an element matches; raises `OverBudget` when the page's attempts are spent."""
        return self._from(selector, 0, row) == _MATCH

    def _from(self, selector: Selector, index: int, row: int) -> int:
        """Match the compounds from `index` on leftwards, the first of them against `row`."""
        if not self._compound(selector.compounds[index], row):
            return _NOT_HERE
        if index == len(selector.combinators):
            return _MATCH
        combinator, above = selector.combinators[index], self.tree.parent[row]
        if combinator == " ":
            return self._above(selector, index + 1, above)
        if combinator == ">":
            return _NOWHERE if above < 0 else self._from(selector, index + 1, above)
        beside = self.tree.previous(row)
        if combinator == "+":
            return _NOT_BESIDE if beside < 0 else self._from(selector, index + 1, beside)
        return self._beside(selector, index + 1, beside) if combinator == "~" else _NOWHERE

    def _above(self, selector: Selector, index: int, ancestor: int) -> int:
        """Match against an ancestor or one above it."""
        while ancestor >= 0:
            result = self._from(selector, index, ancestor)
            # What fails for want of ancestors fails for every ancestor above as well.
            if result in {_MATCH, _NOWHERE}:
                return result
            ancestor = self.tree.parent[ancestor]
        return _NOWHERE

    def _beside(self, selector: Selector, index: int, beside: int) -> int:
        """Match against a sibling or one before it."""
        while beside >= 0:
            result = self._from(selector, index, beside)
            if result != _NOT_HERE:
                return result
            beside = self.tree.previous(beside)
        return _NOT_BESIDE

    def _compound(self, compound: Compound, row: int) -> bool:
        self._spend()
        tree = self.tree
        if compound.tag and compound.tag != tree.name(row):
            return False
        if compound.classes or compound.ids:
            own, classes = tree.identity(row)
            for name in compound.classes:
                if name not in classes:
                    return False
            for name in compound.ids:
                if name != own:
                    return False
        return (compound.is_simple and not compound.never) or self._conditions(compound, row)

    def _spend(self) -> None:
        """Pay for one attempt."""
        self._attempts_left -= 1
        if self._attempts_left < 0:
            raise OverBudget

    def _conditions(self, compound: Compound, row: int) -> bool:
        if compound.never:
            return False
        for attribute in compound.attributes:
            if not self._attribute(attribute, row):
                return False
        for state in compound.states:
            if not self._state(state, row):
                return False
        for nth in compound.nths:
            if not self._nth(nth, row):
                return False
        return all(self._logical(logical, row) for logical in compound.logicals)

    def _logical(self, condition: Logical, row: int) -> bool:
        return condition.negated != any(self.matches(selector, row) for selector in condition.selectors)

    def _nth(self, condition: Nth, row: int) -> bool:
        place = self.tree.place(row, of_type=condition.of_type)[condition.from_end]
        if condition.step == 0:
            return place == condition.offset
        steps, rest = divmod(place - condition.offset, condition.step)
        return rest == 0 and steps >= 0

    def _attribute(self, condition: Attribute, row: int) -> bool:
        value = self.tree.attribute(row, condition.name)
        return value is not None and condition.holds(value)

    def _state(self, state: str, row: int) -> bool:
        tree = self.tree
        if state == "root":
            return tree.parent[row] < 0
        if state == "empty":
            return tree.is_empty(row)
        if state == "link":
            return tree.name(row) in {"a", "area"} and tree.attribute(row, "href") is not None
        if state == "checked":
            return (tree.attribute(row, "checked") if tree.name(row) == "input" else None) is not None
        if state in {"disabled", "enabled"}:
            is_control = tree.name(row) in {"input", "button", "select", "textarea", "option", "optgroup", "fieldset"}
            return is_control and (tree.attribute(row, "disabled") is not None) == (state == "disabled")
        if state == "open":
            return tree.name(row) in {"details", "dialog"} and tree.attribute(row, "open") is not None
        return self._language(state.removeprefix("lang(").removesuffix(")"), row)

    def _language(self, wanted: str, row: int) -> bool:
        while row >= 0:
            self._spend()
            stated = self.tree.attribute(row, "lang")
            if stated is not None:
                return stated.lower() == wanted or stated.lower().startswith(f"{wanted}-")
            row = self.tree.parent[row]
        return False
