"""Compare the judges of the newsroom on saved sites, target by target, without a crawl.

    python -m benchmarks.judge_comparison --snapshots DIR --pages DIR --held-out DIR [--sites SITE …] [--json FILE]

All targets of a site with a certain golden label are judged after 24 snapshots of its pages, by models that have not
seen its publisher. A page of its kind from the labelled corpora stands in for the content of each.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.progress import say
from benchmarks.replay.golden import GoldenLabels
from benchmarks.replay.held_out import fit_missing, load_held_out
from benchmarks.replay.standins import StandIn, deal, unpack
from benchmarks.table import lay_out
from broadsheet.base.errors import InputError
from broadsheet.base.records import KINDS
from broadsheet.corpora.snapshot_folder import SnapshotSite, find_snapshot_sites
from broadsheet.document import parse
from broadsheet.newsroom.judging import ADDRESS, CONTENT, combine, probabilities_of
from broadsheet.pages.identify import judge
from broadsheet.pages.url_verdicts import identify_urls
from broadsheet.sources.page_evidence import page_scores
from broadsheet.sources.site_model import SiteModel
from broadsheet.sources.target_counts import Doubles
from broadsheet.training.site_training import LabelledTable, labelled_tables

SNAPSHOTS = 24
BY_ADDRESS, PLAIN, BY_LINKS, LINKS = "address", "address and content (plain)", "links without content", "links"
JUDGES = (BY_ADDRESS, PLAIN, BY_LINKS, LINKS)
#: Sites with fewer golden articles say nothing of how many are recognised.
MIN_ARTICLES = 30
_ARTICLE, _SECTION = KINDS.index("article"), KINDS.index("section")

Contents = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """How one judge did on one site; None where the site has too few to tell."""

    site: str
    judge: str
    targets: int
    articles_recognised: float | None
    wrong_among_articles: float | None
    sections_recognised: float | None
    log_loss: float


def compare(site: SnapshotSite, model: SiteModel, pages: Sequence[StandIn], read: "PageReader") -> list[JudgeScore]:
    """Judge the targets of a site by all judges."""
    labelled = next(iter(labelled_tables(site, (SNAPSHOTS,))))
    kinds = site.kinds()
    goldens = [golden for golden in GoldenLabels.read(site.gold) if golden.key in kinds]
    dealt = deal(pages, goldens, "")
    contents = {key: read(page) for key, page in dealt.items()}
    return [
        score(site.site, name, labelled.truth, probabilities)
        for name, probabilities in judged(labelled, model, contents).items()
    ]


def judged(labelled: LabelledTable, model: SiteModel, contents: Contents) -> dict[str, Doubles]:
    """Return what each judge says of all targets; contents by key."""
    table = labelled.table
    anchors = [anchor or None for anchor in table.anchors]
    addresses = identify_urls(table.urls, anchors, model.models.addresses).probabilities
    known = [{CONTENT: contents[key]} if key in contents else {} for key in table.counts.keys]
    plain = [
        combine({ADDRESS: dict(zip(KINDS, address, strict=True)), **evidence})
        for address, evidence in zip(addresses.tolist(), known, strict=True)
    ]
    return {
        BY_ADDRESS: addresses,
        PLAIN: np.array([[each[kind] for kind in KINDS] for each in plain]),
        BY_LINKS: model.probabilities(table),
        LINKS: model.probabilities(table, page_scores(known)),
    }


def score(site: str, name: str, truth: np.typing.NDArray[np.intp], probabilities: Doubles) -> JudgeScore:
    """Score one judge where the truth is known."""
    rows = np.flatnonzero(truth >= 0)
    truth, probabilities = truth[rows], probabilities[rows]
    predicted = probabilities.argmax(axis=1)
    articles, sections, taken = truth == _ARTICLE, truth == _SECTION, predicted == _ARTICLE
    has_articles = articles.sum() >= MIN_ARTICLES
    return JudgeScore(
        site,
        name,
        len(rows),
        float(taken[articles].mean()) if has_articles else None,
        float((~articles[taken]).mean()) if has_articles and taken.any() else None,
        float((predicted[sections] == _SECTION).mean()) if sections.any() else None,
        float(-np.log(np.maximum(probabilities[np.arange(len(rows)), truth], 1e-6)).mean()) if len(rows) else 0.0,
    )


class PageReader:
    """Judges the content of pages that stand in, each once."""

    def __init__(self) -> None:
        """Begin without pages."""
        self._known: dict[str, dict[str, float]] = {}

    def __call__(self, page: StandIn) -> Mapping[str, float]:
        """Return the probabilities of the kinds by a page's content."""
        if page.id not in self._known:
            document = parse(page.read(), page.url or "https://stand-in.invalid/page")
            self._known[page.id] = dict(probabilities_of(judge(document)))
        return self._known[page.id]


def summary(scores: Sequence[JudgeScore]) -> str:
    """Return the means over sites as a table."""
    head = ["judge", "articles recognised", "wrong among them", "sections recognised", "log loss"]
    cells = []
    for name in JUDGES:
        own = [asdict(each) for each in scores if each.judge == name]
        fields = ("articles_recognised", "wrong_among_articles", "sections_recognised", "log_loss")
        found = [[each[field] for each in own if each[field] is not None] for field in fields]
        cells.append([name, *(f"{np.mean(values):.3f}" if values else "" for values in found)])
    return lay_out(head, cells, left=1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.judge_comparison", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--snapshots", type=Path, required=True, metavar="DIR", help="snapshots, as the replay takes them"
    )
    parser.add_argument("--pages", type=Path, required=True, metavar="DIR", help="labelled corpora, packed or not")
    parser.add_argument("--held-out", type=Path, required=True, metavar="DIR", help="models: read, or fitted and kept")
    parser.add_argument("--split", choices=("train", "dev"), default="dev", help="of the pages that stand in (dev)")
    parser.add_argument("--sites", nargs="+", default=(), metavar="SITE", help="only these sites")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of each site and judge")
    options = parser.parse_args(arguments)
    try:
        below = options.snapshots / "temporal"
        folder = below if below.is_dir() else options.snapshots
        sites = [site for site in find_snapshot_sites(folder) if not options.sites or site.site in options.sites]
        fit_missing(options.held_out, folder, [site.site for site in sites])
        with TemporaryDirectory() as temporary:
            pages, read = unpack(options.pages, options.split, Path(temporary)), PageReader()
            scores: list[JudgeScore] = []
            for site in sites:
                say(f"judging {site.site}")
                scores += compare(site, load_held_out(options.held_out, site.site), pages, read)
    except InputError as error:
        say(str(error))
        return 1
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in scores], indent=1) + "\n", encoding="utf-8")
    print(summary(scores))
    return 0


if __name__ == "__main__":
    sys.exit(main())
