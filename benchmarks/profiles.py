"""What a site's profile adds: `python -m benchmarks.profiles CORPUS… [--reader NAME] [--split SPLIT]`.

Of every site with three pages or more, each labelled article is read without a profile, and with the one that the
site's other pages give. Sites are drawn again and again for the interval, not pages.
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

LEAST_PAGES = 3
#: Pages of a site without a labelled article that feed its profile.
MOST_OTHERS = 25
DRAWS = 4_000

#: The profiles are not kept, so any day will do.
DAY = date(2026, 1, 1)


class Gain(NamedTuple):
    """The word F of one page without a profile and with it."""

    site: str
    plain: float
    profiled: float


def site_of(labels: PageLabels) -> str:
    """Return the site of a page; blogs on one platform are sites of their own."""
    return (registrable_domain(labels.url) if labels.url else "") or labels.site


def is_judged(labels: PageLabels) -> bool:
    """Tell whether a page is an article with a body to compare with."""
    return labels.kind == "article" and labels.gold.body is not None and not labels.gold.disagrees


def chosen(labels: Iterable[PageLabels], split: str) -> set[str]:
    """Choose the pages of the sites that have enough of them: the judged ones, and some others."""
    by_site: defaultdict[str, list[PageLabels]] = defaultdict(list)
    for each in labels:
        if each.split == split:
            by_site[site_of(each)].append(each)
    wanted: set[str] = set()
    for pages in by_site.values():
        judged = [page.id for page in pages if is_judged(page)]
        others = [page.id for page in pages if not is_judged(page)]
        if judged and len(pages) >= LEAST_PAGES:
            wanted.update(judged + others[:MOST_OTHERS])
    return wanted


def sites(corpora: Sequence[Corpus], split: str) -> Iterable[list[LabelledPage]]:
    """Return the chosen pages by their site."""
    wanted = chosen((labels for corpus in corpora for labels in corpus.labels()), split)
    found: defaultdict[str, list[LabelledPage]] = defaultdict(list)
    for corpus in corpora:
        for page in corpus.pages(lambda labels: labels.id in wanted, Counters()):
            found[site_of(page.labels)].append(page)
    return found.values()


def document_of(page: LabelledPage) -> Document:
    """Parse a page, which is UTF-8 whatever it says."""
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
        # The other pages are one article or hold no text: there is no profile to read with.
        return plain, plain
    return plain, word_overlap(to_article(document, profile.apply(document, reading)).body, body).score.f


def interval(found: list[Gain]) -> tuple[float, float]:
    """Return the 95 % interval of the mean gain over pages, by drawing sites."""
    by_site: defaultdict[str, list[float]] = defaultdict(list)
    for gain in found:
        by_site[gain.site].append(gain.profiled - gain.plain)
    sums, sizes = (np.array([function(each) for each in by_site.values()]) for function in (sum, len))
    drawn = np.random.default_rng(0).integers(0, len(sums), (DRAWS, len(sums)))
    low, high = np.percentile(sums[drawn].sum(1) / sizes[drawn].sum(1), [2.5, 97.5]).tolist()
    return low, high


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profiles", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--reader", default="coreex", choices=names())
    parser.add_argument("--split", default="dev", choices=("train", "dev"))
    args = parser.parse_args(arguments)
    found = [gain for pages in sites(find_corpora(args.corpora), args.split) for gain in gains(pages, args.reader)]
    if not found:
        sys.stdout.write("no site has enough pages\n")
        return 1
    plain, profiled = (float(np.mean([gain[place] for gain in found])) for place in (1, 2))
    low, high = interval(found)
    changes = np.array([gain.profiled - gain.plain for gain in found])
    sys.stdout.write(
        f"{args.reader}, {args.split}: {len({gain.site for gain in found})} sites, {len(found)} pages, "
        f"F {plain:.4f} without and {profiled:.4f} with a profile, {profiled - plain:+.4f} "
        f"({low:+.4f} to {high:+.4f}); "
        f"{(changes > 0.005).sum()} pages better, {(changes < -0.005).sum()} worse by more than 0.005\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
