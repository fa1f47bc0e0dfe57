"""Section-driven crawling: three kinds at every snapshot, without any label of the judged site.

Sites of publishers that the shipped model has learned from are judged by a model that is fitted without them.
"""

import numpy as np

from broadsheet.base.journal import Row
from broadsheet.corpora.snapshot_folder import SnapshotSite, find_snapshot_sites
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults, ResultTable
from broadsheet.experiments.source_study._site_journal import ROOMS, snapshots_of, study_sites
from broadsheet.experiments.source_study._site_scores import (
    KindScore,
    curves,
    json_rows,
    score_kinds,
    sites_table,
    summary_table,
)
from broadsheet.learning.calibration import calibration_error
from broadsheet.sources.expected_quality import SWITCH_F, expected_f
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

ALL, ADDRESS, LINKS, WITHOUT = "all evidence", "address and link text", "links alone", "without addresses"
VARIANTS = (ALL, ADDRESS, LINKS, WITHOUT)


class _Judges:
    """The models for the publishers of a folder, each fitted without that publisher."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._read: SiteLessons | None = None
        self._fitted: dict[frozenset[str], SiteModel] = {}
        sites = find_snapshot_sites(snapshots_of(context))
        known = site_model().publishers
        self._parts = publisher_parts(site.site for site in sites if publisher_of(site.site) in known)

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
            self._context.say("reading the sites to learn from")
            self._read = SiteLessons.read(snapshots_of(self._context))
        return self._read


def run(context: Context) -> ExperimentResults:
    """Judge all targets of all sites after every snapshot."""
    judges = _Judges(context)
    scores, figures = study_sites(context, NAME, lambda site: _study(site, judges))
    switches = {site: row["switch"] for site, row in figures.items()}
    found = [number for number in switches.values() if number is not None]
    switched = "No site reaches it."
    if found:
        switched = f"The median is {np.median(found):.0f} snapshots."
    return ExperimentResults(
        name=NAME,
        title="Section-driven crawling: articles, sections and other pages over snapshots",
        remarks=(
            f"{len(figures)} sites, each judged without any label of its own or of its publisher's other sites.",
            "Only golden labels of high confidence are counted, over all targets seen so far.",
            f"The phases switch when the model's own probabilities promise an F1 of articles of {SWITCH_F}. {switched}",
        ),
        tables=(
            summary_table(scores, VARIANTS),
            sites_table(scores, ALL),
            _calibration_table(figures),
        ),
        plots=tuple(curves(scores, VARIANTS, NAME, int(np.median(found)) if found else None)),
        figures={"switches": switches, "scores": [list(row.values()) for row in json_rows(scores, ALL)]},
        rows=json_rows(scores, ALL),
    )


def _study(site: SnapshotSite, judges: _Judges) -> tuple[list[KindScore], Row]:
    model = judges.of(site.site)
    without = model.without_addresses()
    scores: list[KindScore] = []
    switch, error = None, None
    for labelled in labelled_tables(site):
        steps = model.evidence(labelled.table)
        beliefs = {ALL: steps[-1], ADDRESS: steps[0], LINKS: steps[1], WITHOUT: without.probabilities(labelled.table)}
        for variant, probabilities in beliefs.items():
            name = (variant, site.site, labelled.snapshot, round(labelled.hours, 2))
            scores += score_kinds(name, labelled.truth, probabilities.argmax(axis=1))
        if switch is None and expected_f(steps[-1][:, 0]) >= SWITCH_F:
            switch = labelled.snapshot
        if labelled.snapshot <= 24:
            error = _calibration(labelled, steps[-1])
    return scores, {"switch": switch, "calibration": error}


def _calibration(labelled: LabelledTable, probabilities: np.typing.NDArray[np.float64]) -> float | None:
    known = labelled.truth >= 0
    if not known.any():
        return None
    return calibration_error(probabilities[known], labelled.truth[known], np.ones(int(known.sum())))


def _calibration_table(figures: dict[str, Row]) -> ResultTable:
    rows = [(site, row["switch"], row["calibration"]) for site, row in sorted(figures.items())]
    return ResultTable("Phase switch, and calibration error at snapshot 24", ("site", "switch", "error"), tuple(rows))
