"""How well the labels of a corpus match its pages."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.labelled_page import Gold, LabelledPage
from broadsheet.corpora.page_scoring import Truth

_FIELDS = {"title": Label.TITLE, "date": Label.DATE, "authors": Label.AUTHOR, "headings": Label.HEADING}


@dataclass(slots=True)
class _Tally:
    """The running figures of one corpus."""

    coverage: list[float] = field(default_factory=list)
    purity: list[float] = field(default_factory=list)
    words: int = 0
    left_out: int = 0
    found: dict[str, list[bool]] = field(default_factory=lambda: {name: [] for name in _FIELDS})

    def add(self, truth: Truth, gold: Gold) -> None:
        """Add a page that could be labelled."""
        body = truth.labelled.body
        self.coverage.append(body.coverage)
        self.purity.append(body.purity)
        self.words += body.text_words
        for name, kind in _FIELDS.items():
            if getattr(gold, name):
                self.found[name].append(bool((truth.labelled.labels == kind).any()))

    def row(self, corpus: str) -> dict[str, object]:
        """Return the figures of the corpus: means over its pages."""
        return {
            "corpus": corpus,
            "pages": len(self.coverage),
            "left_out": self.left_out,
            "words": self.words,
            "covered": _mean(self.coverage),
            "pure": _mean(self.purity),
            "below_95": sum(min(pair) < 0.95 for pair in zip(self.coverage, self.purity, strict=True)),
            **{f"{name}_found": _mean(located) for name, located in self.found.items()},
        }


def alignment_quality(pages: Iterable[LabelledPage], counters: Counters) -> list[dict[str, object]]:
    """Label every page and return one row per corpus; unusable pages are counted with their reason.

    `covered` is the share of the body's words that are in pieces labelled as body, `pure` the share of these pieces'
    words that belong to the body, both as means over pages; `below_95` counts pages with either below 0.95.
    """
    tallies: dict[str, _Tally] = {}
    for page in pages:
        tally = tallies.setdefault(page.labels.corpus, _Tally())
        try:
            tally.add(Truth.from_page(page), page.labels.gold)
        except Unusable as reason:
            tally.left_out += 1
            counters.count("left out", str(reason))
    return [tally.row(corpus) for corpus, tally in sorted(tallies.items())]


def _mean(values: list[float] | list[bool]) -> float | None:
    return float(np.mean(values)) if values else None
