"""What judges all pages that a source links to at its reviews, and the plain way to do so: each page by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from broadsheet.archive import PageRecord, SourceRecord, VerdictRecord
from broadsheet.base.records import KINDS
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judging import ADDRESS, FEED, LOOKED, combine, combined, judge_addresses
from broadsheet.newsroom.link_memory import LinkMemory
from broadsheet.newsroom.page_visit import Probabilities
from broadsheet.pages.url_verdicts import UrlVerdicts


@dataclass(frozen=True, slots=True)
class Target:
    """A page that the fronts of a source link to now: what is known of it, its link text, and who links to it."""

    page: PageRecord
    url: str
    anchor: str
    #: 1 if the home page links to it, 2 if a section does that the home page links to.
    distance: int


class TargetJudge(Protocol):
    """Judges all targets of a source at once: `judge(source, targets)` returns one verdict record per target."""

    def __call__(self, source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
        """Judge the targets."""
        ...


def judge_targets(source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
    """Judge each target by its address and, if it was fetched, by its content as it was judged then."""
    del source
    addresses = judge_addresses([target.url for target in targets], [target.anchor for target in targets])
    return [_judged(target.page, addresses, row) for row, target in enumerate(targets)]


def _judged(page: PageRecord, addresses: UrlVerdicts, row: int) -> VerdictRecord:
    address = dict(zip(KINDS, addresses.probabilities[row].tolist(), strict=True))
    before = page.judged
    if before is not None and _is_current(before, address):
        return before
    if before is None or set(before.evidence) <= {ADDRESS, FEED, LOOKED}:
        at = before.at if before else page.first_seen
        assert at is not None  # noqa: S101 - a page that fronts link to was seen
        # Only here are the reasons needed, which take most of the time.
        own, evidence = addresses.verdict(row), {**(before.evidence if before else {}), ADDRESS: address}
        return VerdictRecord(verdict=combined(own, evidence), at=at, evidence=evidence)
    evidence = {**before.evidence, ADDRESS: address}
    return VerdictRecord(verdict=combined(before.verdict, evidence), at=before.at, evidence=evidence)


def _is_current(judged: VerdictRecord, address: Probabilities) -> bool:
    """Return whether a verdict follows from all evidence: a feed may have been added since, or another judge asked."""
    return judged.evidence.get(ADDRESS) == address and combine(judged.evidence) == judged.verdict.probabilities


@dataclass(frozen=True, slots=True)
class JudgeTools:
    """What a judge may need: it is passed to the class when the newsroom begins."""

    desk: Desk
    links: LinkMemory


JudgeClass: TypeAlias = Callable[[JudgeTools], TargetJudge]
