"""Section-driven crawling: three kinds at every snapshot, without any label of the judged site.

Sites of publishers that the shipped model has learned from are judged by a model that is fitted without them.
"""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from broadsheet.base.journal import Row
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, ResultTable
from broadsheet.experiments.source_study._site_journal import ROOMS, sites_of, study_sites
from broadsheet.experiments.source_study._site_scores import (
    KindScore,
    at_snapshot,
    curves,
    json_rows,
    means,
    score_kinds,
    sites_table,
    summary_table,
)
from broadsheet.experiments.source_study._thesis_protocol import run_thesis
from broadsheet.learning.calibration import calibration_error
from broadsheet.pages.url_verdicts import identify_urls
from broadsheet.sources.expected_quality import STEADY_SNAPSHOTS, SWITCH_F, PhaseSwitch, expected_f
from broadsheet.sources.site_model import SiteModel, site_model
from broadsheet.training.site_training import (
    LabelledTable,
    SiteLessons,
    labelled_tables,
    publisher_of,
    publisher_parts,
)

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "section-driven"
HELP = "articles, sections and other pages at every snapshot, without labels of the judged site"

ALL, ADDRESS, TRUSTED = "all evidence", "address and link text", "address, trusted as links agree"
LINKS, JOINT, WITHOUT = "links alone", "links and address in one model", "without addresses"
VARIANTS = (ALL, ADDRESS, TRUSTED, LINKS, JOINT, WITHOUT)


class _Judges:
    """The models for the publishers of a folder, each fitted without that publisher."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._read: SiteLessons | None = None
        self._fitted: dict[frozenset[str], SiteModel] = {}
        known = site_model().publishers
        self._parts = publisher_parts(site.site for site in sites_of(context) if publisher_of(site.site) in known)

    def of(self, site: str) -> SiteModel:
        """Return the model for a site; the shipped one if it has never seen the publisher."""
        part = self._parts.get(publisher_of(site))
        if part is None:
            return site_model()
        if part not in self._fitted:
            self._context.say(f"fitting a model without {', '.join(sorted(part))}")
            self._fitted[part] = self._lessons().fit(part)
        return self._fitted[part]

    def _lessons(self) -> SiteLessons:
        if self._read is None:
            if self._context.snapshots is None:
                raise AssertionError("the shipped model has never seen the news web")
            self._context.say("reading the sites to learn from")
            self._read = SiteLessons.read(self._context.snapshots)
        return self._read


def run(context: Context) -> ExperimentResults:
    """Judge all targets of all sites after every snapshot."""
    if context.protocol == "seed":
        return run_thesis(context, NAME)
    judges = _Judges(context)
    scores, figures = study_sites(context, NAME, lambda site: _study(site, judges))
    found = [row["switch"] for row in figures.values() if row["switch"] is not None]
    return ExperimentResults(
        name=NAME,
        title="Section-driven crawling: articles, sections and other pages over snapshots",
        remarks=(
            f"{len(figures)} sites, each judged without any label of its own or of its publisher's other sites.",
            "Only golden labels of high confidence are counted, over all targets seen so far.",
            f"The phases switch when probabilities promise {SWITCH_F} as F1 of articles, and the sections are settled.",
            f"Settled: the same in {STEADY_SNAPSHOTS} judged snapshots in a row. {len(found)} sites reach that.",
        ),
        tables=(
            summary_table(scores, VARIANTS),
            sites_table(scores, ALL),
            *([_made_table(scores)] if context.snapshots is None else []),
            _switch_table(figures),
        ),
        plots=tuple(curves(scores, VARIANTS, NAME, int(np.median(found)) if found else None)),
        figures={"switches": {site: row["switch"] for site, row in figures.items()}},
        rows=json_rows(scores, ALL),
    )


def _study(site: FollowedSite, judges: _Judges) -> tuple[list[KindScore], Row]:
    model = judges.of(site.site)
    without = model.without_addresses()
    scores: list[KindScore] = []
    phases = PhaseSwitch()
    switch, reached = None, None
    figures: Row = {}
    for labelled in labelled_tables(site):
        steps = model.evidence(labelled.table)
        beliefs = {
            ALL: steps[-1],
            ADDRESS: _by_address(labelled, model),
            **dict(zip((TRUSTED, LINKS, JOINT), steps, strict=False)),
            WITHOUT: without.probabilities(labelled.table),
        }
        for variant, probabilities in beliefs.items():
            name = (variant, site.site, labelled.snapshot, round(labelled.hours, 2))
            found = score_kinds(name, labelled.truth, probabilities.argmax(axis=1))
            scores += found
            if variant == ALL:
                true_f = _article_f(found)
                reached = labelled.snapshot if reached is None and true_f >= SWITCH_F else reached
        sections = steps[-1].argmax(axis=1) == KINDS.index("section")
        keys = [key for key, is_one in zip(labelled.table.counts.keys, sections.tolist(), strict=True) if is_one]
        if phases.observe(steps[-1][:, 0], keys) and switch is None:
            switch = labelled.snapshot
        if labelled.snapshot <= 24:
            promised = expected_f(steps[-1][:, 0])
            figures = {"promised": promised, "true": true_f, "calibration": _calibration(labelled, steps[-1])}
    return scores, {"switch": switch, "reached": reached, **figures}


def _by_address(labelled: LabelledTable, model: SiteModel) -> np.typing.NDArray[np.float64]:
    """Return what the address and the text of links say, as a model that knows nothing of the site judges them."""
    anchors = [anchor or None for anchor in labelled.table.anchors]
    return identify_urls(labelled.table.urls, anchors, model.models.addresses).probabilities


def _article_f(scores: Sequence[KindScore]) -> float:
    return next((score.f1 for score in scores if score.label == "article"), 0.0)


def _calibration(labelled: LabelledTable, probabilities: np.typing.NDArray[np.float64]) -> float | None:
    known = labelled.truth >= 0
    if not known.any():
        return None
    return calibration_error(probabilities[known], labelled.truth[known], np.ones(int(known.sum())))


def _switch_table(figures: dict[str, Row]) -> ResultTable:
    names = ("switch", "reached", "promised", "true", "calibration")
    rows = [(site, *(row[name] for name in names)) for site, row in sorted(figures.items())]
    columns = ("site", "switch", f"articles F1 ≥ {SWITCH_F}", "promised F1", "true F1", "calibration error")
    return ResultTable(
        "Snapshot of the phase switch and of the true F1; at snapshot 24, F1 of articles and calibration error",
        columns,
        tuple(rows),
    )


def _made_table(scores: Sequence[KindScore]) -> ResultTable:
    """Return what each ingredient adds on each kind of site of the news web, at its last snapshot."""
    rows: list[tuple[Cell, ...]] = []
    for kind in dict.fromkeys(score.site.split(".")[0] for score in scores):
        own = [score for score in scores if score.site.split(".")[0] == kind]
        last = max(score.snapshot for score in own)
        rows += [(kind, each, *asdict(means(at_snapshot(own, each, last))).values()) for each in VARIANTS]
    columns = ("kind of site", "evidence", "articles F1", "sections F1", "sections recall", "other F1", "macro F1")
    return ResultTable("Kinds of sites of the news web at the last snapshot", columns, tuple(rows))
