"""Matches selectors against elements."""

from broadsheet.document.styles._matching_tree import MatchingTree
from broadsheet.document.styles._selectors import Attribute, Compound, Logical, Nth, Selector
from broadsheet.document.styles.caps import AttemptsExhausted, StyleDrops

#: The result of a match; a failure rules out this element only, its siblings as well, or any other way to match.
_MATCH, _NOT_HERE, _NOT_SIBLINGS, _NOWHERE = range(4)


class Matcher:
    """Matches selectors against the elements of one document, within a limit of attempts."""

    def __init__(self, tree: MatchingTree, ledger: StyleDrops) -> None:
        """Match within a tree, with the attempts that the ledger's limits allow."""
        self.tree = tree
        self._attempts_left = ledger.limits.max_attempts

    def matches(self, selector: Selector, row: int) -> bool:
        """Return whether an element matches; raise `AttemptsExhausted` when the limit is reached."""
        return self._match_from(selector, 0, row) == _MATCH

    def _match_from(self, selector: Selector, index: int, row: int) -> int:
        """Match the compounds from `index` leftwards, the first of them against `row`."""
        if not self._compound(selector.compounds[index], row):
            return _NOT_HERE
        if index == len(selector.combinators):
            return _MATCH
        combinator, parent = selector.combinators[index], self.tree.parent[row]
        if combinator == " ":
            return self._match_ancestors(selector, index + 1, parent)
        if combinator == ">":
            return _NOWHERE if parent < 0 else self._match_from(selector, index + 1, parent)
        sibling = self.tree.previous(row)
        if combinator == "+":
            return _NOT_SIBLINGS if sibling < 0 else self._match_from(selector, index + 1, sibling)
        return self._match_siblings(selector, index + 1, sibling) if combinator == "~" else _NOWHERE

    def _match_ancestors(self, selector: Selector, index: int, ancestor: int) -> int:
        """Match against an ancestor or any one above it."""
        while ancestor >= 0:
            result = self._match_from(selector, index, ancestor)
            # If there are too few ancestors here, there are too few above as well.
            if result in {_MATCH, _NOWHERE}:
                return result
            ancestor = self.tree.parent[ancestor]
        return _NOWHERE

    def _match_siblings(self, selector: Selector, index: int, sibling: int) -> int:
        """Match against a sibling or any one before it."""
        while sibling >= 0:
            result = self._match_from(selector, index, sibling)
            if result != _NOT_HERE:
                return result
            sibling = self.tree.previous(sibling)
        return _NOT_SIBLINGS

    def _compound(self, compound: Compound, row: int) -> bool:
        self._spend()
        tree = self.tree
        if compound.tag and compound.tag != tree.name(row):
            return False
        if compound.classes or compound.ids:
            element_id, classes = tree.identity(row)
            for name in compound.classes:
                if name not in classes:
                    return False
            for name in compound.ids:
                if name != element_id:
                    return False
        return (compound.is_simple and not compound.never) or self._conditions(compound, row)

    def _spend(self) -> None:
        """Count one attempt."""
        self._attempts_left -= 1
        if self._attempts_left < 0:
            raise AttemptsExhausted

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
        position = self.tree.position(row, of_type=condition.of_type)[condition.from_end]
        if condition.step == 0:
            return position == condition.offset
        steps, rest = divmod(position - condition.offset, condition.step)
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
            language = self.tree.attribute(row, "lang")
            if language is not None:
                return language.lower() == wanted or language.lower().startswith(f"{wanted}-")
            row = self.tree.parent[row]
        return False
