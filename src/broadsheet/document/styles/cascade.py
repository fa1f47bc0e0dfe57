"""The cascade: for each element asked for, which declaration wins, and what the element looks like then."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from broadsheet.document.columns import Ints
from broadsheet.document.styles.asking import Asked
from broadsheet.document.styles.caps import OverBudget, StyleDrops
from broadsheet.document.styles.computing import INITIAL, Computer, Look
from broadsheet.document.styles.declarations import NOTHING, Declarations, parse_declarations
from broadsheet.document.styles.gathering import Gathering, Loader
from broadsheet.document.styles.index import Candidates, Index, RankedSelector
from broadsheet.document.styles.matching import Matcher
from broadsheet.document.styles.matching_tree import MatchingTree
from broadsheet.document.styles.presentation import (
    Markup,
    MarkupReader,
    PagePresentation,
    browser_values,
    hinted_values,
    page_colours,
    shuts_in,
)
from broadsheet.document.styles.values import Value
from broadsheet.document.styles.variables import resolve

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: Where a value comes from, when it is from no rule.
BROWSER, ATTRIBUTE, STYLE_ATTRIBUTE = -3, -2, -1


#: What an element's declarations follow from: its parent's look, name, own markup and matching selectors.
Declared: TypeAlias = tuple[
    int, str, tuple[tuple[str, str], ...], tuple[RankedSelector, ...], tuple[RankedSelector, ...]
]


class Chain:
    """An element's markup below its ancestors' markups: elements with equal chains match plain selectors alike.

    A chain knows those below it and not the one above: without cycles all of them go as soon as the cascade goes.
    """

    __slots__ = ("around", "below", "latest_look", "latest_parent", "markup", "matches", "others")

    def __init__(self, markup: Markup) -> None:
        """Begin with nothing below."""
        self.markup = markup
        #: What selectors can find the ancestors by, once somebody has asked.
        self.around: frozenset[str] | None = None
        #: The plain selectors that fit.
        self.matches: tuple[RankedSelector, ...] = ()
        #: The selectors that have to be held against each element.
        self.others: tuple[RankedSelector, ...] = ()
        #: By the reader's number for a kind of markup; numbers with equal markup share a chain.
        self.below: dict[int, Chain] = {}
        #: The look that was computed last, mostly the next row's too, and its parent's.
        self.latest_parent: Look | None = None
        self.latest_look = INITIAL


class Cascade:
    """The looks of one page's elements, computed when asked for and kept."""

    def __init__(self, document: "Document", loader: Loader | None, ledger: StyleDrops) -> None:
        """Gather the page's rules; no element is looked at yet."""
        self.tree = MatchingTree(document)
        self.ledger = ledger
        self.gathering = Gathering(document, loader, ledger)
        quirks = self.tree.quirks
        self._index = Index(self.gathering.rules, self.gathering.layers, quirks, ledger)
        asked = Asked.by((rule.selectors for rule in self.gathering.rules), fold=quirks)
        self._reader = MarkupReader(self.tree, asked)
        self._matcher = Matcher(self.tree, ledger)
        self._computer = Computer(ledger, quirks=quirks)
        bodies = document.rows("body")
        self._page = PagePresentation(quirks, *page_colours(self.tree, int(bodies[0]) if len(bodies) else None))
        self._looks: dict[int, tuple[Look, Chain]] = {}
        self._shared: dict[tuple[int, int, tuple[RankedSelector, ...]], Look] = {}
        self._declared: dict[Declared, Look] = {}
        self._candidates: dict[Markup, Candidates] = {}
        self._chains: dict[tuple[int, int], Chain] = {}
        self._above: dict[Chain, Chain] = {}
        self._top = Chain(Markup("", "", (), ()))
        self._top.around = frozenset()
        self._counted: set[int] = set()

    def look(self, row: int) -> Look:
        """Return the look of one element."""
        return self.looks(np.array([row], np.int32))[0]

    def looks(self, rows: Ints) -> list[Look]:
        """Return the looks of some elements, for which only they and their ancestors are looked at."""
        known, parents, kinds = self._looks, self.tree.parent, self._reader.kinds
        for row in self.tree.with_ancestors(rows):
            if row in known:
                continue
            parent, above = known[parents[row]] if parents[row] >= 0 else (INITIAL, self._top)
            chain = above.below.get(kinds[row]) or self._chain(row, above)
            if chain.latest_parent is parent:
                known[row] = chain.latest_look, chain
            else:
                known[row] = self._below(row, parent, chain)
                if parents[row] < 0:
                    self._computer.root_size = known[row][0].size
        return [known[row][0] for row in rows.tolist()]

    def _chain(self, row: int, above: Chain) -> Chain:
        """Return the chain of an element below its parent's, an old one where its markup is the same."""
        markup = self._reader.read(row)
        key = id(above), id(markup)
        chain = self._chains.get(key)
        if chain is None:
            chain = self._chains[key] = self._new_chain(markup, row, above)
        above.below[self._reader.kinds[row]] = chain
        return chain

    def _below(self, row: int, parent: Look, chain: Chain) -> tuple[Look, Chain]:
        """Return the look of an element whose parent's is known."""
        others = self._matching(chain.others, row) if chain.others else ()
        key = id(parent), id(chain), others
        look = self._shared.get(key)
        if look is None:
            look = self._shared[key] = self._look(parent, chain, others)
        if parent.shut and not self._is_summary(row):
            return _hidden(look), chain
        if not (chain.others or parent.shut):
            chain.latest_parent, chain.latest_look = parent, look
        return look, chain

    def _new_chain(self, markup: Markup, row: int, above: Chain) -> Chain:
        candidates = self._candidates.get(markup)
        if candidates is None:
            candidates = self._index.candidates(markup)
            candidates = candidates._replace(sure=candidates.sure + self._matching(candidates.alone, row))
            self._candidates[markup] = candidates
        chain = Chain(markup)
        self._above[chain] = above
        chain.matches = candidates.sure
        if candidates.others or candidates.plain:
            around = self._around(chain)
            chain.others = tuple(each for each in candidates.others if each.selector.needs <= around)
            near = [each for each in candidates.plain if each.selector.needs <= around]
            chain.matches += self._matching(near, row)
        return chain

    def _around(self, chain: Chain) -> frozenset[str]:
        """Return what selectors can find a chain's ancestors by; only elements with such selectors pay for it."""
        missing = []
        while chain.around is None:
            missing.append(chain)
            chain = self._above[chain]
        around = chain.around
        for below in reversed(missing):
            around = below.around = around.union(chain.markup.marks())
            chain = below
        return around

    def _matching(self, candidates: Sequence[RankedSelector], row: int) -> tuple[RankedSelector, ...]:
        found = []
        for candidate in candidates:
            try:
                if self._matcher.matches(candidate.selector, row):
                    found.append(candidate)
            except OverBudget:
                self.ledger.drop("selector not tried: work budget spent")
        return tuple(found)

    def _look(self, parent: Look, chain: Chain, others: tuple[RankedSelector, ...]) -> Look:
        browser = browser_values(chain.markup, self._page)
        if not (chain.matches or others or browser or chain.markup.attributes or parent.shut):
            return _shut(parent) if shuts_in(chain.markup) else parent
        # Chains that differ in what no rule looks at any more have the same declarations.
        key = id(parent), chain.markup.name, chain.markup.hints(), chain.matches, others
        look = self._declared.get(key)
        if look is None:
            look = self._declared[key] = self._computed(parent, chain, others, browser)
        return look

    def _computed(
        self, parent: Look, chain: Chain, others: tuple[RankedSelector, ...], browser: Mapping[str, Value]
    ) -> Look:
        winners, custom_texts = self._winners(chain, others, browser)
        custom = parent.custom
        if custom_texts and self._uses_variables(chain.markup):
            custom = resolve(custom_texts, custom or {}, self.ledger)
        values = {prop: value for prop, (value, _) in winners.items()}
        look = self._computer.look(parent, values, browser, custom)
        return _shut(look) if shuts_in(chain.markup) else look

    def _uses_variables(self, markup: Markup) -> bool:
        return self.gathering.uses_variables or "var(" in (markup.get("style") or "")

    def _winners(
        self, chain: Chain, others: tuple[RankedSelector, ...], browser: Mapping[str, Value]
    ) -> tuple[dict[str, tuple[Value, int]], dict[str, str]]:
        """Return for each property the value that wins and where it comes from, and the custom properties."""
        winners = {prop: (value, BROWSER) for prop, value in browser.items()}
        winners |= {prop: (value, ATTRIBUTE) for prop, value in hinted_values(chain.markup).items()}
        custom: dict[str, str] = {}
        matches = sorted(chain.matches + others, key=lambda candidate: candidate.precedence)
        blocks = [(candidate.rule, self._declarations(candidate.rule)) for candidate in matches]
        own = self._own_declarations(chain.markup)
        for number, block in [*blocks, (STYLE_ATTRIBUTE, own)]:
            winners |= {prop: (value, number) for prop, value in block.normal.items()}
            custom |= block.custom
        # Among important declarations the layers turn around; sorting keeps the order within each.
        blocks.sort(key=lambda block: -self._index.layer_rank(block[0]))
        for number, block in [*blocks, (STYLE_ATTRIBUTE, own)]:
            winners |= {prop: (value, number) for prop, value in block.important.items()}
            custom |= block.important_custom
        return winners, custom

    def _own_declarations(self, markup: Markup) -> Declarations:
        text = markup.get("style")
        if text is None:
            return NOTHING
        if len(text) > self.ledger.limits.max_selector_bytes:
            self.ledger.drop("style attribute too long")
            return NOTHING
        found = parse_declarations(text, False)
        if found.invalid:
            self.ledger.drop("value not understood", found.invalid)
        return found

    def _declarations(self, number: int) -> Declarations:
        found = parse_declarations(self.gathering.rules[number].block, self.tree.quirks)
        if found.invalid and number not in self._counted:
            self._counted.add(number)
            self.ledger.drop("value not understood", found.invalid)
        return found

    def _is_summary(self, row: int) -> bool:
        """Tell whether an element is the summary that closed `details` still show."""
        parent = self.tree.parent[row]
        if self.tree.name(row) != "summary" or self.tree.name(parent) != "details":
            return False
        return next(child for child in self.tree.children(parent) if self.tree.name(child) == "summary") == row

    def explain(self, row: int, prop: str) -> str:
        """Return in words where an element's own value of a property comes from; empty where it is inherited."""
        self.look(row)
        chain = self._looks[row][1]
        others = self._matching(chain.others, row)
        winners = self._winners(chain, others, browser_values(chain.markup, self._page))[0]
        if prop not in winners:
            return ""
        value, source = winners[prop]
        if source >= 0:
            return f"{self.gathering.rules[source].selectors.strip()} {{ {prop}: {value} }}"
        origin = {BROWSER: "browser", ATTRIBUTE: "attribute", STYLE_ATTRIBUTE: "style attribute"}[source]
        return f"{origin}: {value}"


def _hidden(look: Look) -> Look:
    return look if look.gone else replace(look, gone=True)


def _shut(look: Look) -> Look:
    return replace(look, shut=True)
