"""The gain from site profiles: `python -m benchmarks.profiles CORPUS… [--reader NAME] [--split SPLIT]`.

On every site with at least three pages, each labelled article is read without a profile, and with the profile of the
site's other pages. The confidence interval is from a bootstrap over sites, not pages.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels
from broadsheet.corpora.measures import word_overlap
from broadsheet.document import Document, parse
from broadsheet.reading import names, read, to_article
from broadsheet.reading.profiles.induction import ObservedPage, build_profile, observe_page

MIN_PAGES = 3
#: The most pages without a labelled article that contribute to a site's profile.
MAX_OTHERS = 25
RESAMPLES = 4_000

#: The profiles are not stored, so any day will do.
DAY = date(2026, 1, 1)


class Gain(NamedTuple):
    """The word F of one page without a profile and with it."""

    site: str
    plain: float
    profiled: float


def site_of(labels: PageLabels) -> str:
    """Return the site of a page; each blog on a platform is a separate site."""
    return (registrable_domain(labels.url) if labels.url else "") or labels.site


def is_judged(labels: PageLabels) -> bool:
    """Return whether a page is an article with a usable labelled body."""
    return labels.kind == "article" and labels.gold.body is not None and not labels.gold.disagrees


def chosen(labels: Iterable[PageLabels], split: str) -> set[str]:
    """Choose pages of the sites that have enough of them: the judged ones and some others."""
    by_site: defaultdict[str, list[PageLabels]] = defaultdict(list)
    for page in labels:
        if page.split == split:
            by_site[site_of(page)].append(page)
    wanted: set[str] = set()
    for pages in by_site.values():
        judged = [page.id for page in pages if is_judged(page)]
        others = [page.id for page in pages if not is_judged(page)]
        if judged and len(pages) >= MIN_PAGES:
            wanted.update(judged + others[:MAX_OTHERS])
    return wanted


def sites(corpora: Sequence[Corpus], split: str) -> Iterable[list[LabelledPage]]:
    """Return the chosen pages, grouped by site."""
    wanted = chosen((labels for corpus in corpora for labels in corpus.labels()), split)
    by_site: defaultdict[str, list[LabelledPage]] = defaultdict(list)
    for corpus in corpora:
        for page in corpus.pages(lambda labels: labels.id in wanted, Counters()):
            by_site[site_of(page.labels)].append(page)
    return by_site.values()


def document_of(page: LabelledPage) -> Document:
    """Parse a page, which is UTF-8 regardless of what it declares."""
    return parse(page.html, page.labels.url, encoding="utf-8")


def gains(pages: list[LabelledPage], reader: str) -> Iterator[Gain]:
    """Give the gain of each judged page of a site by the profile of the others."""
    seen = [observe_page(document_of(page), reader) for page in pages]
    for number, page in enumerate(pages):
        if is_judged(page.labels):
            plain, profiled = _scores(page, seen[:number] + seen[number + 1 :], reader)
            yield Gain(site_of(page.labels), plain, profiled)


def _scores(page: LabelledPage, others: list[ObservedPage], reader: str) -> tuple[float, float]:
    document, body = document_of(page), page.labels.gold.body or ""
    reading = read(document, reader)
    plain = word_overlap(to_article(document, reading).body, body).score.f
    try:
        profile = build_profile(others, day=DAY, reader=reader)
    except InputError:
        # The other pages are one article or have no text, so there is no profile.
        return plain, plain
    return plain, word_overlap(to_article(document, profile.apply(document, reading)).body, body).score.f


def interval(results: list[Gain]) -> tuple[float, float]:
    """Return the 95% interval of the mean gain over pages, resampling sites."""
    by_site: defaultdict[str, list[float]] = defaultdict(list)
    for gain in results:
        by_site[gain.site].append(gain.profiled - gain.plain)
    sums, sizes = (np.array([function(differences) for differences in by_site.values()]) for function in (sum, len))
    resamples = np.random.default_rng(0).integers(0, len(sums), (RESAMPLES, len(sums)))
    low, high = np.percentile(sums[resamples].sum(1) / sizes[resamples].sum(1), [2.5, 97.5]).tolist()
    return low, high


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profiles", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--reader", default="coreex", choices=names())
    parser.add_argument("--split", default="dev", choices=("train", "dev"))
    args = parser.parse_args(arguments)
    results = [gain for pages in sites(find_corpora(args.corpora), args.split) for gain in gains(pages, args.reader)]
    if not results:
        sys.stdout.write("no site has enough pages\n")
        return 1
    plain, profiled = (float(np.mean([gain[column] for gain in results])) for column in (1, 2))
    low, high = interval(results)
    changes = np.array([gain.profiled - gain.plain for gain in results])
    sys.stdout.write(
        f"{args.reader}, {args.split}: {len({gain.site for gain in results})} sites, {len(results)} pages, "
        f"F {plain:.4f} without and {profiled:.4f} with a profile, {profiled - plain:+.4f} "
        f"({low:+.4f} to {high:+.4f}); "
        f"{(changes > 0.005).sum()} pages better, {(changes < -0.005).sum()} worse by more than 0.005\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
