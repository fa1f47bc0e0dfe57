"""The command: `python -m benchmarks.ingredients [options]`."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from benchmarks import table
from benchmarks.progress import say
from broadsheet.base.records import KINDS
from broadsheet.corpora.made_sites import STUDIED_KINDS, FetchedSite, made_sites
from broadsheet.learning.confusion import confusion
from broadsheet.newsweb.drawn_sites import JUDGING_SEED
from broadsheet.pages.url_verdicts import identify_urls
from broadsheet.sources.page_evidence import page_scores
from broadsheet.sources.site_model import SiteModel, site_model
from broadsheet.sources.target_counts import Doubles
from broadsheet.training.site_training import LabelledTable, labelled_tables

DESCRIPTION = f"""\
Judge the targets of sites of the built-in news web after some hourly snapshots, and show what each ingredient of the
judge adds, for each kind of site: the F1 of articles, the mean over sites and the lowest of them.

  prior    the address and the text of links, by a model that knows nothing of the site
  links    how the links behave, what they say and where they stand
  both     the prior as far as the links support it, the links, and a model of both, all with the same weight
  site     and what the other targets of the site are: what is judged before any page is read
  pages    and the content of the pages that were fetched

The home page and up to 39 pages that it links to are fetched as HTML. Seeds from {JUDGING_SEED} on are for judging:
choose nothing by them.
"""
INGREDIENTS = ("prior", "links", "both", "site", "pages")
SEED, SITES, SNAPSHOTS = 1, 2, 24


@dataclass(frozen=True, slots=True)
class IngredientScore:
    """The F1 of each kind of page on one site with some of the ingredients; None if it has none."""

    kind_of_site: str
    site: str
    ingredients: str
    article: float | None
    section: float | None
    other: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    scores: list[IngredientScore] = []
    for made in made_sites(options.seed, options.sites):
        if made.kind in options.kinds:
            site = FetchedSite(made.kind, made.made, snapshots=options.snapshots)
            scores += judged(site, site_model())
            say(f"{site.site}: {', '.join(f'{each.ingredients} {_shown(each.article)}' for each in scores[-5:])}")
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in scores], indent=1) + "\n", encoding="utf-8")
    print(show(scores))
    return 0


def judged(site: FetchedSite, model: SiteModel) -> list[IngredientScore]:
    """Judge the targets of a site after its last snapshot, with more and more ingredients."""
    labelled = next(iter(labelled_tables(site, (site.snapshots,))))
    return [
        IngredientScore(site.kind, site.made.host, name, **_f1_scores(labelled.truth, beliefs.argmax(axis=1)))
        for name, beliefs in _beliefs(labelled, model, site.contents).items()
    ]


def _beliefs(
    labelled: LabelledTable, model: SiteModel, contents: Mapping[str, Mapping[str, float]]
) -> dict[str, Doubles]:
    links = labelled.table
    prior = identify_urls(links.urls, [anchor or None for anchor in links.anchors], model.models.addresses)
    steps = model.evidence(links)
    known = [{"content": contents[key]} if key in contents else {} for key in links.counts.keys]
    pages = model.probabilities(links, page_scores(known))
    return dict(zip(INGREDIENTS, (prior.probabilities, steps[1], steps[3], steps[-1], pages), strict=True))


def _f1_scores(truth: NDArray[np.intp], predicted: NDArray[np.intp]) -> dict[str, float | None]:
    known = truth >= 0
    counts = confusion(truth[known], predicted[known], len(KINDS))
    right, wanted, given = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    return {
        kind: float(2 * right[row] / (wanted[row] + given[row])) if wanted[row] else None
        for row, kind in enumerate(KINDS)
    }


def show(scores: Sequence[IngredientScore]) -> str:
    """Lay out the F1 of articles for each kind of site, and of sections and other pages with all ingredients."""
    rows = []
    for kind in dict.fromkeys(each.kind_of_site for each in scores):
        own = [each for each in scores if each.kind_of_site == kind]
        articles = [
            _mean_and_lowest([each.article for each in own if each.ingredients == name]) for name in INGREDIENTS
        ]
        whole = [each for each in own if each.ingredients == INGREDIENTS[-1]]
        sections, others = ([each.section for each in whole], [each.other for each in whole])
        rows.append([kind, str(len(whole)), *articles, _mean_and_lowest(sections), _mean_and_lowest(others)])
    return table.lay_out(["kind of site", "sites", *INGREDIENTS, "sections", "other"], rows, left=1)


def _mean_and_lowest(values: Sequence[float | None]) -> str:
    found = [value for value in values if value is not None]
    return f"{fmean(found):.3f} ({min(found):.3f})" if found else "\N{EN DASH}"


def _shown(value: float | None) -> str:
    return "\N{EN DASH}" if value is None else f"{value:.3f}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.ingredients",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--seed", type=int, default=SEED, metavar="N", help="which sites (%(default)s)")
    add("--sites", type=int, default=SITES, metavar="N", help="sites of each kind (%(default)s)")
    add("--snapshots", type=int, default=SNAPSHOTS, metavar="N", help="hourly snapshots of each (%(default)s)")
    add("--kinds", nargs="+", default=STUDIED_KINDS, choices=STUDIED_KINDS, metavar="KIND", help="only these kinds")
    add("--json", type=Path, metavar="FILE", help="write the figures of each site")
    options = parser.parse_args(arguments)
    if options.sites < 1 or options.snapshots < 1:
        parser.error("--sites and --snapshots must be at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
