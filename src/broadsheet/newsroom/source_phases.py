"""The phases of sources: exploration until their sections are known and settled, then exploitation.

A redesign of the home page sends a source back. Each change is an event of the archive, with what it was decided by.
"""

from collections.abc import Mapping
from dataclasses import replace

from broadsheet.archive import LACKING, ArchiveEvent, EventKind, LinkRows, Phase, PhaseRecord, VerdictRecord
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_schedule import FrontSchedule
from broadsheet.newsroom.home_design import HomeDesign
from broadsheet.newsroom.known_kinds import read_kinds
from broadsheet.newsroom.link_memory import LinkMemory
from broadsheet.sources.expected_quality import STEADY_SNAPSHOTS, is_settled
from broadsheet.sources.switch_evaluators import Evaluation, JudgedSnapshot, build_evaluator
from broadsheet.sources.target_counts import TargetCounts


class SourcePhases:
    """Knows the phase of each source, and changes it."""

    def __init__(self, desk: Desk, agenda: Agenda, memory: LinkMemory, schedule: FrontSchedule) -> None:
        """Take the memory of links, and what plans the visits to sections."""
        self._desk = desk
        self._agenda = agenda
        self._memory = memory
        self._schedule = schedule
        self._evaluator = build_evaluator(desk.settings.switch)
        self._labels = read_kinds(desk.settings.labels)
        self._designs: dict[str, HomeDesign] = {}
        #: The fronts of each source when it was last evaluated.
        self._fronts: dict[str, frozenset[str]] = {}

    def evaluate(self, source: str, verdicts: Mapping[str, VerdictRecord]) -> bool:
        """Take the verdicts of a review; a source that is explored well enough is exploited from now on.

        Returns whether it has just switched.
        """
        record = self._agenda.sources[source].phase
        now, before = frozenset(self._agenda.fronts(source)), self._fronts.get(source)
        self._fronts[source] = now
        if record.phase is Phase.EXPLOITATION or not verdicts:
            return False
        found = self._evaluator.evaluate(self._snapshot(source, verdicts))
        settled = before is not None and is_settled(now, before)
        steady = record.steady + 1 if settled and found.is_enough else 0
        evidence: dict[str, object] = {
            "evaluator": self._evaluator.name,
            "measure": found.measure,
            "value": round(found.value, 4),
            "bound": found.bound,
            "sections": len(now - set(self._agenda.homes(source))),
            "settled": settled,
            "steady": steady,
            "snapshot": self._agenda.sources[source].snapshots,
        }
        after = replace(record, evidence=evidence, steady=steady)
        if steady < STEADY_SNAPSHOTS:
            lacking = {LACKING: _lacking(found, steady, has_changed=before is not None and not settled)}
            self._keep(source, replace(after, evidence={**evidence, **lacking}))
            return False
        because = f"{found.measure} {found.value:.2f}, and the sections were the same in {steady} evaluations"
        self._change(source, replace(after, phase=Phase.EXPLOITATION, because=because))
        return True

    def see_home(self, page: str, rows: LinkRows) -> None:
        """Look at the design of a fetched home page."""
        for source in self._agenda.planned(page):
            if page != source:
                continue
            design = self._designs.setdefault(source, HomeDesign())
            known = self._agenda.sources[source].phase
            sections = set(self._agenda.fronts(source)) - {source}
            after, redesign = design.observe(known, rows, sections)
            if redesign is not None and known.phase is Phase.EXPLOITATION:
                because = "the home page was redesigned"
                self._fronts.pop(source, None)
                back = replace(after, phase=Phase.EXPLORATION, because=because, evidence=redesign, steady=0)
                self._change(source, back)
                self._schedule.begin_again(source)
            elif after != known:
                self._keep(source, after)

    def _snapshot(self, source: str, verdicts: Mapping[str, VerdictRecord]) -> JudgedSnapshot:
        def counts(keys: list[str]) -> TargetCounts:
            links = self._memory.of(source)
            return links.table([key for key in keys if key in links.urls]).counts

        return JudgedSnapshot(
            kinds={key: judged.verdict.kind for key, judged in verdicts.items()},
            articles={key: judged.verdict.probabilities.get("article", 0.0) for key, judged in verdicts.items()},
            counts=counts,
            labels=self._labels,
        )

    def _change(self, source: str, after: PhaseRecord) -> None:
        now = self._desk.clock.now()
        self._keep(source, replace(after, since=now))
        detail = {"phase": after.phase.value, "because": after.because, "evidence": dict(after.evidence)}
        self._desk.batch.event(ArchiveEvent(kind=EventKind.PHASE, at=now, source=source, page=source, detail=detail))

    def _keep(self, source: str, phase: PhaseRecord) -> None:
        record = replace(self._agenda.sources[source], phase=phase)
        self._agenda.sources[source] = record
        self._desk.batch.source(record)


def _lacking(found: Evaluation, steady: int, *, has_changed: bool) -> str:
    """Say why a source is not exploited yet, as its last review saw it."""
    if not found.is_enough:
        return f"{found.measure} {found.value:.2f} is not good enough (the bound is {found.bound:g})"
    if has_changed:
        return "its sections have changed since the review before"
    return f"its sections were the same in {steady} of {STEADY_SNAPSHOTS} reviews in a row"
