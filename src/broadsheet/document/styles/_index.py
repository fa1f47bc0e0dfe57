"""Indexes rules by the last part of their selectors, so that only those that could match an element are tried."""

from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from broadsheet.document.styles._element_markup import Markup
from broadsheet.document.styles._selectors import Compound, Selector, index_keys
from broadsheet.document.styles.caps import StyleDrops
from broadsheet.document.styles.grammar import SelectorError, is_simple, parse_selector
from broadsheet.document.styles.selector_keys import find_words
from broadsheet.document.styles.sheets import Layer, StyleRule


class RankedSelector(NamedTuple):
    """A selector with its rank in the cascade and the number of its rule."""

    precedence: int
    rule: int
    selector: Selector


class Candidates(NamedTuple):
    """The selectors that could match an element, by what decides whether they do."""

    #: Match every element with this name, id and classes.
    sure: tuple[RankedSelector, ...]
    #: Match either all or none of the elements with the same markup.
    alone: tuple[RankedSelector, ...]
    #: Match either all or none of the elements with the same markup and the same ancestors' markup.
    plain: tuple[RankedSelector, ...]
    #: Depend on siblings or on the values of varying attributes, and have to be tried on each element.
    others: tuple[RankedSelector, ...]


class Index:
    """An index of the rules of a page."""

    def __init__(
        self, rules: Sequence[StyleRule], layers: Sequence[Layer], words: Set[str], quirks: bool, ledger: StyleDrops
    ) -> None:
        """Index every selector by its last part, except those that require something else than the page's words.

        Most are parsed only on demand.
        """
        self._rules = rules
        self._ledger = ledger
        self._fold = quirks
        self._ranks = _ranks(layers)
        #: The texts of each rule's selectors, empty if one of them is invalid.
        self._parts: list[tuple[str, ...]] = []
        self._parsed: dict[tuple[int, int], Selector] = {}
        self._checked: set[int] = set()
        self._candidates: dict[str, list[RankedSelector]] = {}
        self._keys: dict[str, list[tuple[int, int]]] = {}
        #: The `.classes` and `#ids` to which the indexed selectors refer, and names.
        self.words: set[str] = set()
        count = 0
        for number, rule in enumerate(rules):
            count += len(rule.parts)
            if count > ledger.limits.max_selectors:
                ledger.drop("too many selectors", len(rules) - number)
                break
            self._parts.append(rule.parts)
            for position, (key, required) in enumerate(rule.keys):
                if required is None:
                    self.words.update(find_words(rule.parts[position]))
                elif (frozenset(map(str.lower, required)) if quirks else required) <= words:
                    self.words.update(required)
                else:
                    continue
                if key:
                    self._add(key.lower() if quirks else key, number, position)
                elif key is None:
                    for parsed_key in self._parsed_keys(number, position):
                        self._add(parsed_key, number, position)
        if quirks:
            self.words = set(map(str.lower, self.words))

    def candidates(self, markup: Markup) -> Candidates:
        """Return the selectors that could match an element."""
        lists: tuple[list[RankedSelector], ...] = ([], [], [], [])
        sure, alone, plain, others = lists
        seen: set[tuple[int, int]] = set()
        classes = markup.classes
        for key in ["*", *markup.index_keys()]:
            for candidate in self._lookup(key):
                selector = candidate.selector
                last = selector.compounds[0]
                identity = candidate.rule, id(selector)
                if identity in seen or not _could_match(last, markup, classes):
                    continue
                seen.add(identity)
                if not selector.is_plain:
                    others.append(candidate)
                elif len(selector.compounds) > 1 or not last.is_alone:
                    plain.append(candidate)
                else:
                    (sure if last.is_simple else alone).append(candidate)
        return Candidates(tuple(sure), tuple(alone), tuple(plain), tuple(others))

    def _lookup(self, key: str) -> list[RankedSelector]:
        """Return the selectors indexed under a key; they are parsed on first access."""
        candidates = self._candidates.get(key)
        if candidates is None:
            candidates = self._candidates[key] = []
            for number, position in self._keys.get(key, ()):
                selector = self._selector(number, position)
                if selector is not None and not selector.never:
                    candidates.append(RankedSelector(self._precedence(number, selector), number, selector))
        return candidates

    def layer_rank(self, number: int) -> int:
        """Return the rank of a rule's layer, which is reversed for important declarations."""
        return self._ranks[self._rules[number].layer]

    def _precedence(self, number: int, selector: Selector) -> int:
        return (self.layer_rank(number) << 80) + (min(selector.specificity, (1 << 40) - 1) << 32) + number

    def _selector(self, number: int, position: int) -> Selector | None:
        """Return one selector of a rule, or None if any of its selectors is invalid, as browsers then drop the rule."""
        parts = self._parts[number]
        if number not in self._checked:
            self._checked.add(number)
            try:
                for index, part in enumerate(parts):
                    if not is_simple(part):
                        self._parsed[number, index] = self._parse(part)
            except SelectorError as error:
                self._ledger.drop(str(error))
                self._parts[number] = parts = ()
        if position >= len(parts):
            return None
        selector = self._parsed.get((number, position))
        if selector is None:
            selector = self._parsed[number, position] = self._parse(parts[position])
        return selector

    def _parse(self, text: str) -> Selector:
        return parse_selector(text, self._ledger.limits.max_nesting, fold=self._fold)

    def _add(self, key: str, number: int, position: int) -> None:
        entries = self._keys.get(key)
        if entries is None:
            self._keys[key] = [(number, position)]
        else:
            entries.append((number, position))

    def _parsed_keys(self, number: int, position: int) -> Iterable[str]:
        """Return the index keys of a selector whose text is too complex for `text_key`."""
        selector = self._selector(number, position)
        return () if selector is None else _keys_of(selector)


def _keys_of(selector: Selector) -> list[str]:
    """Return keys of which a matching element has at least one; `*` if nothing is known about it."""
    compound = selector.compounds[0]
    if selector.never:
        return []
    if compound.ids or compound.classes:
        return index_keys("", compound.ids[:1], () if compound.ids else compound.classes[-1:], ())
    if compound.attributes:
        # Classes, ids and links are common, so any other attribute is more selective.
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


def _could_match(compound: Compound, markup: Markup, classes: tuple[str, ...]) -> bool:
    """Return whether an element has the name, ids, classes and attributes that a compound requires."""
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
    """Return the rank of each layer: in the order in which they were first named, unlayered rules last."""
    numbers = {layer: number for number, layer in enumerate(layers)}
    last = len(layers)

    def key(layer: Layer) -> list[int]:
        return [*(numbers[layer[: length + 1]] for length in range(len(layer))), last]

    return {layer: rank for rank, layer in enumerate(sorted([(), *layers], key=key))}
