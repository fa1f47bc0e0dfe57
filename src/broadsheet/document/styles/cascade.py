"""The cascade: decides which declarations win for each requested element, and computes its style."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from broadsheet.document.columns import Ints
from broadsheet.document.styles._computing import INITIAL, Computer, Look, resolve
from broadsheet.document.styles._defaults import (
    PagePresentation,
    browser_values,
    hides_content,
    page_colours,
    presentational_hints,
)
from broadsheet.document.styles._element_markup import Markup, MarkupReader, SelectorFeatures
from broadsheet.document.styles._index import Candidates, Index, RankedSelector
from broadsheet.document.styles._matching import Matcher, MatchingTree
from broadsheet.document.styles.caps import AttemptsExhausted, StyleDrops
from broadsheet.document.styles.declarations import NO_DECLARATIONS, Declarations, Value, parse_declarations
from broadsheet.document.styles.sheets import Loader, RuleCollector

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: The origin of a value that does not come from a rule.
BROWSER, ATTRIBUTE, STYLE_ATTRIBUTE = -3, -2, -1


#: What determines an element's declarations: its parent's look, its name, its attributes and the matching selectors.
LookKey: TypeAlias = tuple[
    int, str, tuple[tuple[str, str], ...], tuple[RankedSelector, ...], tuple[RankedSelector, ...]
]


class Chain:
    """An element's markup and that of its ancestors: elements with equal chains match the same plain selectors.

    A chain refers to its children but not to its parent: without cycles, all chains are freed with the cascade.
    """

    __slots__ = ("ancestor_keys", "children", "latest_look", "latest_parent", "markup", "matches", "others")

    def __init__(self, markup: Markup) -> None:
        """Start without children."""
        self.markup = markup
        #: The index keys of the ancestors, computed on demand.
        self.ancestor_keys: frozenset[str] | None = None
        #: The plain selectors that match.
        self.matches: tuple[RankedSelector, ...] = ()
        #: The selectors that have to be tried on each element.
        self.others: tuple[RankedSelector, ...] = ()
        #: The chains of child elements by kind of markup; kinds with equal markup share a chain.
        self.children: dict[int, Chain] = {}
        #: The look computed last, which mostly applies to the next row too, and the parent's look.
        self.latest_parent: Look | None = None
        self.latest_look = INITIAL


class Cascade:
    """The looks of one page's elements, computed on demand and cached."""

    def __init__(self, document: "Document", loader: Loader | None, ledger: StyleDrops) -> None:
        """Collect the page's rules; looks are computed on demand."""
        self.tree = MatchingTree(document)
        self.ledger = ledger
        self.collector = RuleCollector(document, loader, ledger)
        quirks = self.tree.quirks
        rules = self.collector.rules
        self._reader = MarkupReader(self.tree, SelectorFeatures.of_selectors(rule.selectors for rule in rules))
        words = self._reader.words() if rules else set()
        self._index = Index(rules, self.collector.layers, words, quirks, ledger)
        self._reader.narrow(self._index.words)
        self._matcher = Matcher(self.tree, ledger)
        self._computer = Computer(ledger, quirks=quirks)
        bodies = document.rows("body")
        self._page = PagePresentation(quirks, *page_colours(self.tree, int(bodies[0]) if len(bodies) else None))
        self._looks: dict[int, tuple[Look, Chain]] = {}
        self._shared: dict[tuple[int, int, tuple[RankedSelector, ...]], Look] = {}
        self._declared: dict[LookKey, Look] = {}
        self._candidates: dict[Markup, Candidates] = {}
        self._chains: dict[tuple[int, int], Chain] = {}
        self._parents: dict[Chain, Chain] = {}
        self._top = Chain(Markup("", "", (), ()))
        self._top.ancestor_keys = frozenset()
        self._counted: set[int] = set()

    def look(self, row: int) -> Look:
        """Return the look of one element."""
        return self.looks(np.array([row], np.int32))[0]

    def looks(self, rows: Ints) -> list[Look]:
        """Return the looks of some elements; only these and their ancestors are computed."""
        cache, parents, kinds = self._looks, self.tree.parent, self._reader.kinds
        for row in self.tree.with_ancestors(rows):
            if row in cache:
                continue
            parent_look, parent_chain = cache[parents[row]] if parents[row] >= 0 else (INITIAL, self._top)
            chain = parent_chain.children.get(kinds[row]) or self._chain(row, parent_chain)
            if chain.latest_parent is parent_look:
                cache[row] = chain.latest_look, chain
            else:
                cache[row] = self._look_and_chain(row, parent_look, chain)
                if parents[row] < 0:
                    self._computer.root_size = cache[row][0].size
        return [cache[row][0] for row in rows.tolist()]

    def _chain(self, row: int, parent_chain: Chain) -> Chain:
        """Return the chain of an element, an existing one if there is one with the same markup and parent."""
        markup = self._reader.read(row)
        key = id(parent_chain), id(markup)
        chain = self._chains.get(key)
        if chain is None:
            chain = self._chains[key] = self._new_chain(markup, row, parent_chain)
        parent_chain.children[self._reader.kinds[row]] = chain
        return chain

    def _look_and_chain(self, row: int, parent: Look, chain: Chain) -> tuple[Look, Chain]:
        """Return the look of an element, given its parent's, and its chain."""
        others = self._matching(chain.others, row) if chain.others else ()
        key = id(parent), id(chain), others
        look = self._shared.get(key)
        if look is None:
            look = self._shared[key] = self._look(parent, chain, others)
        if parent.hides_content and not self._is_summary(row):
            return _with_display_none(look), chain
        if not (chain.others or parent.hides_content):
            chain.latest_parent, chain.latest_look = parent, look
        return look, chain

    def _new_chain(self, markup: Markup, row: int, parent_chain: Chain) -> Chain:
        candidates = self._candidates.get(markup)
        if candidates is None:
            candidates = self._index.candidates(markup)
            candidates = candidates._replace(sure=candidates.sure + self._matching(candidates.alone, row))
            self._candidates[markup] = candidates
        chain = Chain(markup)
        self._parents[chain] = parent_chain
        chain.matches = candidates.sure
        if candidates.others or candidates.plain:
            keys = self._ancestor_keys(chain)
            chain.others = tuple(candidate for candidate in candidates.others if candidate.selector.needs <= keys)
            plain = [candidate for candidate in candidates.plain if candidate.selector.needs <= keys]
            chain.matches += self._matching(plain, row)
        return chain

    def _ancestor_keys(self, chain: Chain) -> frozenset[str]:
        """Return the index keys of a chain's ancestors, computed only for chains with selectors that need them."""
        missing = []
        while chain.ancestor_keys is None:
            missing.append(chain)
            chain = self._parents[chain]
        keys = chain.ancestor_keys
        for child in reversed(missing):
            keys = child.ancestor_keys = keys.union(chain.markup.index_keys())
            chain = child
        return keys

    def _matching(self, candidates: Sequence[RankedSelector], row: int) -> tuple[RankedSelector, ...]:
        matches = []
        for candidate in candidates:
            try:
                if self._matcher.matches(candidate.selector, row):
                    matches.append(candidate)
            except AttemptsExhausted:
                self.ledger.drop("selector not tried: work budget spent")
        return tuple(matches)

    def _look(self, parent: Look, chain: Chain, others: tuple[RankedSelector, ...]) -> Look:
        browser = browser_values(chain.markup, self._page)
        if not (chain.matches or others or browser or chain.markup.attributes or parent.hides_content):
            return _with_hidden_content(parent) if hides_content(chain.markup) else parent
        # Different chains may have the same declarations, as selectors have already been matched.
        key = id(parent), chain.markup.name, chain.markup.hints(), chain.matches, others
        look = self._declared.get(key)
        if look is None:
            look = self._declared[key] = self._compute(parent, chain, others, browser)
        return look

    def _compute(
        self, parent: Look, chain: Chain, others: tuple[RankedSelector, ...], browser: Mapping[str, Value]
    ) -> Look:
        values, custom_texts = self._winners(chain, others, browser)
        custom = parent.custom
        if custom_texts and self._uses_variables(chain.markup):
            custom = resolve(custom_texts, custom or {}, self.ledger)
        look = self._computer.look(parent, values, browser, custom)
        return _with_hidden_content(look) if hides_content(chain.markup) else look

    def _uses_variables(self, markup: Markup) -> bool:
        return self.collector.uses_variables or "var(" in (markup.get("style") or "")

    def _winners(
        self, chain: Chain, others: tuple[RankedSelector, ...], browser: Mapping[str, Value]
    ) -> tuple[dict[str, Value], dict[str, str]]:
        """Return the winning value of each property, and the custom properties."""
        winners: dict[str, Value] = {}
        custom: dict[str, str] = {}
        for _, values, custom_texts in self._ascending(chain, others, browser):
            winners.update(values)
            custom.update(custom_texts)
        return winners, custom

    def _ascending(
        self, chain: Chain, others: tuple[RankedSelector, ...], browser: Mapping[str, Value]
    ) -> Iterator[tuple[int, Mapping[str, Value], Mapping[str, str]]]:
        """Yield everything that applies to an element, with its origin; what comes later wins."""
        yield BROWSER, browser, {}
        yield ATTRIBUTE, presentational_hints(chain.markup), {}
        matches = sorted(chain.matches + others, key=itemgetter(0))
        blocks = [(candidate.rule, self._declarations(candidate.rule)) for candidate in matches]
        own = self._own_declarations(chain.markup)
        for number, block in [*blocks, (STYLE_ATTRIBUTE, own)]:
            yield number, block.normal, block.custom
        # The order of layers is reversed for important declarations; the sort is stable within each.
        if self.collector.layers:
            blocks.sort(key=lambda block: -self._index.layer_rank(block[0]))
        for number, block in [*blocks, (STYLE_ATTRIBUTE, own)]:
            if block.important or block.important_custom:
                yield number, block.important, block.important_custom

    def _own_declarations(self, markup: Markup) -> Declarations:
        text = markup.get("style")
        if text is None:
            return NO_DECLARATIONS
        if len(text) > self.ledger.limits.max_selector_bytes:
            self.ledger.drop("style attribute too long")
            return NO_DECLARATIONS
        declarations = parse_declarations(text, False)
        if declarations.invalid:
            self.ledger.drop("value not understood", declarations.invalid)
        return declarations

    def _declarations(self, number: int) -> Declarations:
        declarations = parse_declarations(self.collector.rules[number].block, self.tree.quirks)
        if declarations.invalid and number not in self._counted:
            self._counted.add(number)
            self.ledger.drop("value not understood", declarations.invalid)
        return declarations

    def _is_summary(self, row: int) -> bool:
        """Return whether an element is the `summary` that closed `details` still show."""
        parent = self.tree.parent[row]
        if self.tree.name(row) != "summary" or self.tree.name(parent) != "details":
            return False
        return next(child for child in self.tree.children(parent) if self.tree.name(child) == "summary") == row

    def explain(self, row: int, prop: str) -> str:
        """Describe the origin of an element's own value of a property; empty if the value is inherited."""
        self.look(row)
        chain = self._looks[row][1]
        others = self._matching(chain.others, row)
        applying = self._ascending(chain, others, browser_values(chain.markup, self._page))
        winners = [(values[prop], source) for source, values, _ in applying if prop in values]
        if not winners:
            return ""
        value, source = winners[-1]
        if source >= 0:
            return f"{self.collector.rules[source].selectors.strip()} {{ {prop}: {value} }}"
        origin = {BROWSER: "browser", ATTRIBUTE: "attribute", STYLE_ATTRIBUTE: "style attribute"}[source]
        return f"{origin}: {value}"


def _with_display_none(look: Look) -> Look:
    return look if look.display_none else replace(look, display_none=True)


def _with_hidden_content(look: Look) -> Look:
    return replace(look, hides_content=True)
