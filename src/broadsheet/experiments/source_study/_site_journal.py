"""The results of a study, kept site by site, so that an interrupted one goes on where it was."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Row
from broadsheet.corpora.snapshot_folder import SnapshotSite, find_snapshot_sites
from broadsheet.experiments._page_journal import page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.source_study._site_scores import KindScore

#: The subpackages that the figures depend on.
ROOMS = ("base", "document", "models", "pages", "learning", "sources", "corpora", "training", "experiments")

#: Returns the scores of a site, and further figures of it.
Study = Callable[[SnapshotSite], tuple[list[KindScore], Row]]


def snapshots_of(context: Context) -> Path:
    """Return the folder of snapshots; raise if none was given."""
    if context.snapshots is None:
        raise InputError("this experiment needs sites that were saved again and again: pass --snapshots DIR")
    return context.snapshots


def study_sites(context: Context, name: str, study: Study) -> tuple[list[KindScore], dict[str, Row]]:
    """Study each site that has no results yet, and return the scores of all, and their further figures by site."""
    sites: Sequence[SnapshotSite] = find_snapshot_sites(snapshots_of(context))
    scores: list[KindScore] = []
    figures: dict[str, Row] = {}
    with page_journal(context, name, ROOMS) as journal:
        for site in context.track(sites):
            sizes: dict[str, Any] = {"links": site.saved.stat().st_size, "gold": site.gold.stat().st_size}
            known = journal.known.get(site.site)
            if known is None or known["sizes"] != sizes:
                found, further = study(site)
                rows = [asdict(score) for score in found]
                journal.append(site.site, {"sizes": sizes, "scores": rows, "figures": further})
            row = journal.known[site.site]
            scores += [KindScore(**each) for each in row["scores"]]
            figures[site.site] = row["figures"]
    return scores, figures
