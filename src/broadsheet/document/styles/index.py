"""Rules by what the last part of their selectors asks for, so that an element meets only those that could fit it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from broadsheet.document.styles.caps import StyleDrops
from broadsheet.document.styles.grammar import SelectorError, is_simple, parse_selector
from broadsheet.document.styles.presentation import Markup
from broadsheet.document.styles.selectors import Compound, Selector, marks
from broadsheet.document.styles.sheets import Layer, StyleRule


class RankedSelector(NamedTuple):
    """A selector with its rank in the cascade and the number of its rule."""

    precedence: int
    rule: int
    selector: Selector


class Candidates(NamedTuple):
    """The selectors that could fit an element, by what it takes to be sure."""

    #: They fit every element with this name, id and classes.
    sure: tuple[RankedSelector, ...]
    #: They fit every element with the same markup, or none of them.
    alone: tuple[RankedSelector, ...]
    #: They fit alike where the markup of all ancestors is the same too.
    plain: tuple[RankedSelector, ...]
    #: They look at attributes or siblings and are held against each element.
    others: tuple[RankedSelector, ...]


class Index:
    """The rules of a page."""

    def __init__(self, rules: Sequence[StyleRule], layers: Sequence[Layer], quirks: bool, ledger: StyleDrops) -> None:
        """File every selector under its last part; none of them is parsed yet."""
        self._rules = rules
        self._ledger = ledger
        self._fold = quirks
        self._ranks = _ranks(layers)
        #: The texts of each rule's selectors, none where one of them is invalid.
        self._parts: list[tuple[str, ...]] = []
        self._parsed: dict[tuple[int, int], Selector] = {}
        self._checked: set[int] = set()
        self._candidates: dict[str, list[RankedSelector]] = {}
        self._keys: dict[str, list[tuple[int, int]]] = {}
        count = 0
        for number, rule in enumerate(rules):
            count += len(rule.parts)
            if count > ledger.limits.max_selectors:
                ledger.drop("too many selectors", len(rules) - number)
                break
            self._parts.append(rule.parts)
            for position, key in enumerate(rule.keys):
                if key:
                    self._file(key.lower() if quirks and key[0] in ".#" else key, number, position)
                elif key is None:
                    for parsed in self._parsed_keys(number, position):
                        self._file(parsed, number, position)

    def candidates(self, markup: Markup) -> Candidates:
        """Return the selectors that could fit an element."""
        found: tuple[list[RankedSelector], ...] = ([], [], [], [])
        sure, alone, plain, others = found
        seen: set[tuple[int, int]] = set()
        classes = markup.classes
        for key in ["*", *markup.marks()]:
            for candidate in self._filed(key):
                selector = candidate.selector
                last = selector.compounds[0]
                mark = candidate.rule, id(selector)
                if mark in seen or not _fits(last, markup, classes):
                    continue
                seen.add(mark)
                if not selector.is_plain:
                    others.append(candidate)
                elif len(selector.compounds) > 1 or not last.is_alone:
                    plain.append(candidate)
                else:
                    (sure if last.is_simple else alone).append(candidate)
        return Candidates(tuple(sure), tuple(alone), tuple(plain), tuple(others))

    def _filed(self, key: str) -> list[RankedSelector]:
        """Return the selectors filed under a key, parsed when first asked for."""
        found = self._candidates.get(key)
        if found is None:
            found = self._candidates[key] = []
            for number, position in self._keys.get(key, ()):
                selector = self._selector(number, position)
                if selector is not None and not selector.never:
                    found.append(RankedSelector(self._precedence(number, selector), number, selector))
        return found

    def layer_rank(self, number: int) -> int:
        """Return the rank of a rule's layer, which important declarations turn around."""
        return self._ranks[self._rules[number].layer]

    def _precedence(self, number: int, selector: Selector) -> int:
        return (self.layer_rank(number) << 80) + (min(selector.specificity, (1 << 40) - 1) << 32) + number

    def _selector(self, number: int, position: int) -> Selector | None:
        """Return one selector of a rule; if any of the rule's is unknown, a browser drops them all."""
        parts = self._parts[number]
        if number not in self._checked:
            self._checked.add(number)
            try:
                for place, part in enumerate(parts):
                    if not is_simple(part):
                        self._parsed[number, place] = self._parse(part)
            except SelectorError as error:
                self._ledger.drop(str(error))
                self._parts[number] = parts = ()
        if position >= len(parts):
            return None
        found = self._parsed.get((number, position))
        if found is None:
            found = self._parsed[number, position] = self._parse(parts[position])
        return found

    def _parse(self, text: str) -> Selector:
        return parse_selector(text, self._ledger.limits.max_nesting, fold=self._fold)

    def _file(self, key: str, number: int, position: int) -> None:
        filed = self._keys.get(key)
        if filed is None:
            self._keys[key] = [(number, position)]
        else:
            filed.append((number, position))

    def _parsed_keys(self, number: int, position: int) -> Iterable[str]:
        """Return the same for a selector that has to be parsed for it."""
        selector = self._selector(number, position)
        return () if selector is None else _keys_of(selector)


def _keys_of(selector: Selector) -> list[str]:
    """Return what an element must have one of to fit; `*` where nothing can be said."""
    compound = selector.compounds[0]
    if selector.never:
        return []
    if compound.ids or compound.classes:
        return marks("", compound.ids[:1], () if compound.ids else compound.classes[-1:], ())
    if compound.attributes:
        # Classes and links are common, so that another attribute says more.
        names = sorted(compound.attribute_names, key=lambda name: name in {"class", "id", "href"})
        return [f"[{names[0]}"]
    if compound.tag:
        return [compound.tag]
    if "root" in compound.states:
        return ["html"]
    if "link" in compound.states:
        return ["a", "area"]
    for logical in compound.logicals:
        if not logical.negated:
            return [key for inner in logical.selectors for key in _keys_of(inner)]
    return ["*"]


def _fits(compound: Compound, markup: Markup, classes: tuple[str, ...]) -> bool:
    """Tell whether a compound asks for no name, id, class or attribute that the element does not have."""
    if compound.tag and compound.tag != markup.name:
        return False
    for word in compound.classes:
        if word not in classes:
            return False
    for word in compound.ids:
        if word != markup.id:
            return False
    return not compound.attributes or all(markup.has(name) for name in compound.attribute_names)


def _ranks(layers: Sequence[Layer]) -> dict[Layer, int]:
    """Return the rank of each layer: in the order of their first naming, what stands outside of any layer highest."""
    numbers = {layer: number for number, layer in enumerate(layers)}
    last = len(layers)

    def key(layer: Layer) -> list[int]:
        return [*(numbers[layer[: length + 1]] for length in range(len(layer))), last]

    return {layer: rank for rank, layer in enumerate(sorted([(), *layers], key=key))}
