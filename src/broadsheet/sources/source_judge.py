"""Verdicts on all targets of a source together: `judge(source, targets)`, as the review of a source asks for them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from broadsheet.base.records import KINDS, Verdict
from broadsheet.sources.page_evidence import Evidence, page_scores
from broadsheet.sources.site_evidence import beliefs_of, contrasts, folders_of
from broadsheet.sources.site_model import VERSION, SiteModel, site_model
from broadsheet.sources.source_links import LinkTable, SourceLinks
from broadsheet.sources.target_counts import Doubles

MODEL = f"source-{VERSION}"
#: Reasons name the other addresses of a folder from this many on.
_MIN_NEIGHBOURS = 2
_PLURALS = {"article": "articles", "section": "sections", "other": "neither articles nor sections"}


class LinkVerdict(NamedTuple):
    """What a page is by everything that is known, and what the links to it and its address alone say."""

    verdict: Verdict
    links: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SourceJudge:
    """Judges targets by what is known of the links of their source."""

    #: Returns the links of a source, by the key of the source.
    links_of: Callable[[str], SourceLinks]
    model: SiteModel | None = None

    def judge(self, source: str, targets: Sequence[str]) -> list[Verdict | None]:
        """Return one verdict per target, given by its key; None for a page that nothing on the source links to.

        All targets of a source should be judged together: what the others are is evidence for each.
        """
        return [found and found.verdict for found in self.weigh(source, targets)]

    def weigh(
        self,
        source: str,
        targets: Sequence[str],
        known: Mapping[str, Evidence] = MappingProxyType({}),
        others: Iterable[str] = (),
    ) -> list[LinkVerdict | None]:
        """Judge targets by more than their links: `known` is what their content and feeds say, by their keys.

        `others` are judged with them, because what they are is evidence, but nobody asks for their verdicts.
        """
        links = self.links_of(source)
        asked = [target for target in targets if target in links.urls]
        if not asked:
            return [None] * len(targets)
        linked = [*asked, *(other for other in others if other in links.urls)]
        pages = page_scores([known.get(target, {}) for target in linked])
        judged = judge_table(links.table(linked), self.model or site_model(), pages, len(asked))
        found = dict(zip(asked, judged, strict=True))
        return [found.get(target) for target in targets]


def judge_table(
    table: LinkTable, model: SiteModel, pages: Doubles | None = None, first: int | None = None
) -> list[LinkVerdict]:
    """Return one verdict per target of a table, with reasons; `pages` as `SiteModel.evidence` takes it.

    Reasons take long, so whoever needs those of some targets puts these first, and says how many they are.
    """
    probabilities = model.probabilities(table, pages)
    by_links = (probabilities if pages is None else beliefs_of(contrasts(probabilities) - pages))[:first]
    kinds = probabilities.argmax(axis=1)
    neighbours = _neighbours(table, kinds)
    return [
        LinkVerdict(_verdict(table, row, probabilities[row], int(kinds[row]), int(neighbours[row])), said)
        for row, said in enumerate(map(_by_kind, by_links))
    ]


def _by_kind(probabilities: Doubles) -> dict[str, float]:
    return dict(zip(KINDS, probabilities.tolist(), strict=True))


def _verdict(table: LinkTable, row: int, probabilities: Doubles, kind: int, neighbours: int) -> Verdict:
    by_kind, name = _by_kind(probabilities), KINDS[kind]
    return Verdict(name, None, by_kind[name], by_kind, _reasons(table, row, neighbours, _PLURALS[name]), MODEL)


def _reasons(table: LinkTable, row: int, neighbours: int, plural: str) -> tuple[str, ...]:
    counts = table.counts
    linked, possible = int(counts.linked_snapshots[row]), int(counts.possible_snapshots[row])
    moves, referrers = int(counts.moves[row]), int(counts.referrers[row])
    reasons = [f"linked in {linked} of {possible} visits"]
    if counts.comparisons[row]:
        reasons.append("never moved" if not moves else f"moved {_times(moves)}")
    reasons.append(f"linked from {referrers} {'page' if referrers == 1 else 'pages'}")
    if neighbours >= _MIN_NEIGHBOURS:
        reasons.append(f"{neighbours} other addresses in its folder are {plural}")
    return tuple(reasons)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _neighbours(table: LinkTable, kinds: np.typing.NDArray[np.intp]) -> np.typing.NDArray[np.int64]:
    """Return how many other targets in the folder of each one have the same kind."""
    groups = folders_of(table)
    totals = np.zeros((groups.groups, len(KINDS)), np.int64)
    np.add.at(totals, (groups.group, kinds[groups.row]), 1)
    number = np.zeros(len(table), np.int64)
    number[groups.row] = totals[groups.group, kinds[groups.row]] - 1
    return number
