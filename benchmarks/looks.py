"""What looks add to the default reader: `python -m benchmarks.looks DATA [--sample N]`.

On sites that its nets have not seen, boosted trees revise the nets' probabilities: once by what the nets know already,
once by font size, weight, colour, visibility and rarity of style, too. Both are trained and tested on different sites.
The difference is what looks could add to the body.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.progress import Progress
from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.site_splits import fold_of
from broadsheet.document import Document
from broadsheet.learning.intervals import Interval, bootstrap_by_group
from broadsheet.reading.lines.line_choice import choose
from broadsheet.reading.lines.lines import Lines
from broadsheet.reading.measured_lines import SHIPPED, measured_lines
from broadsheet.reading.trained import line_probabilities, load_models

Floats = NDArray[np.float64]

FOLDS = 5
#: Columns of what the nets know, and of looks.
KNOWN = ("log-odds", "log-odds before", "log-odds after", "words", "share of links", "place")
LOOKS = ("size", "relative size", "size to body's", "bold", "hidden", "lines alike", "colour of the body")


@dataclass(frozen=True, slots=True, eq=False)
class SeenPage:
    """The lines of one page: what is known of each, their words, and which words are body."""

    site: str
    styled: bool
    known: Floats
    looks: Floats
    probabilities: Floats
    words: Floats
    body_words: Floats
    seconds_of_styles: float


def seen(page: LabelledPage) -> SeenPage | None:
    """Read a page; None if its label does not fit it, or it has no text."""
    try:
        truth = Truth.from_page(page)
    except Unusable:
        return None
    document, models = truth.document, load_models(SHIPPED)
    lines, measured = measured_lines(document, models.vocabulary)
    if not len(lines):
        return None
    probabilities = line_probabilities(lines, measured, models.nets).astype(np.float64)
    begin = time.process_time()
    looks = looks_of(document, lines, probabilities)
    seconds = time.process_time() - begin
    counts = truth.words.counts
    words, body = (
        np.add.reduceat(np.append(values, 0), np.column_stack([lines.first, lines.end]).ravel())[::2].astype(np.float64)
        for values in (counts, counts * truth.labelled.body.pieces)
    )
    known = known_of(lines, probabilities)
    styled = len(document.rows("style")) > 0
    return SeenPage(page.labels.site, styled, known, looks, probabilities, words, body, seconds)


def known_of(lines: Lines, probabilities: Floats) -> Floats:
    """Return what the nets know of each line: their answer, that of its neighbours, its length and place."""
    odds = np.log(np.clip(probabilities, 1e-4, 1 - 1e-4) / np.clip(1 - probabilities, 1e-4, 1))
    place = np.arange(len(lines)) / len(lines)
    return np.column_stack([odds, np.roll(odds, 1), np.roll(odds, -1), np.log1p(lines.words), lines.links, place])


def looks_of(document: Document, lines: Lines, probabilities: Floats) -> Floats:
    """Return what the first piece of each line looks like, also compared with the likely body."""
    styles, rows = document.styles, lines.first
    weights = probabilities * lines.words
    size, colour = styles.size[rows], styles.colour[rows]
    usual_size = _usual(size, weights)
    return np.column_stack(
        [
            size,
            styles.relative_size[rows],
            size / max(usual_size, 1.0),
            styles.bold[rows],
            styles.hidden[rows],
            np.log1p(np.bincount(styles.group)[styles.group[rows]]),
            colour == _usual(colour, weights),
        ]
    ).astype(np.float64)


def _usual(values: NDArray[np.generic], weights: Floats) -> float:
    """Return the value with the most weight."""
    distinct, index = np.unique(values, return_inverse=True)
    return float(distinct[np.argmax(np.bincount(index, weights))])


def revised(pages: Sequence[SeenPage], with_looks: bool) -> list[Floats]:
    """Return the probabilities of all lines as revised by trees that saw none of their sites."""
    answers: list[Floats] = [page.probabilities for page in pages]
    rows = [np.column_stack([page.known, page.looks]) if with_looks else page.known for page in pages]
    folds = np.array([fold_of(page.site, FOLDS) for page in pages])
    for fold in range(FOLDS):
        train = np.flatnonzero(folds != fold).tolist()
        trees = HistGradientBoostingClassifier(
            max_iter=60, learning_rate=0.08, max_leaf_nodes=8, min_samples_leaf=50, early_stopping=False, random_state=0
        )
        trees.fit(
            np.concatenate([rows[page] for page in train]),
            np.concatenate([2 * pages[page].body_words > pages[page].words for page in train]),
            sample_weight=np.concatenate(
                [(pages[page].words + 3) / (pages[page].body_words.sum() + 150) for page in train]
            ),
        )
        for page in np.flatnonzero(folds == fold).tolist():
            answers[page] = trees.predict_proba(rows[page])[:, 1]
    return answers


def score(page: SeenPage, probabilities: Floats) -> float:
    """Return the F of the words of the lines that would be read."""
    chosen = choose(probabilities.astype(np.float32), page.words.astype(np.float32))
    correct = page.body_words[chosen].sum()
    return float(2 * correct / max(page.words[chosen].sum() + page.body_words.sum(), 1))


def compared(pages: Sequence[SeenPage]) -> Iterator[tuple[str, int, float, float, float, Interval]]:
    """Yield for groups of pages: the F of the nets, revised without and with looks, and the difference of these two."""
    scores = np.array(
        [
            [score(page, answer) for page, answer in zip(pages, answers, strict=True)]
            for answers in ([page.probabilities for page in pages], revised(pages, False), revised(pages, True))
        ]
    )
    styled, sites = np.array([page.styled for page in pages]), np.array([page.site for page in pages])
    for name, rows in (("all", styled | True), ("with style sheets", styled), ("without", ~styled)):
        if rows.any():
            gained = bootstrap_by_group(np.mean, sites[rows], scores[2, rows] - scores[1, rows])
            nets, without, with_looks = (float(row[rows].mean()) for row in scores)
            yield name, int(rows.sum()), nets, without, with_looks, gained


def read_all(pages: Iterable[LabelledPage], number: int) -> list[SeenPage]:
    """Read the pages, with progress."""
    progress = Progress("pages read", number)
    found = []
    for done, page in enumerate(pages, 1):
        if (one := seen(page)) is not None:
            found.append(one)
        progress(done)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison and print a table."""
    parser = argparse.ArgumentParser("python -m benchmarks.looks", description=__doc__)
    parser.add_argument("data", type=Path, help="a folder of corpora")
    parser.add_argument("--sample", type=int, metavar="N", help="how many pages of the dev sites (all)")
    options = parser.parse_args(arguments)
    corpora, counters = find_corpora([options.data]), Counters()
    chosen = CorpusSelection("dev", "article", options.sample).choose(corpora, counters)
    pages = read_all(read_pages(corpora, chosen, counters), len(chosen))
    print("| pages | number | nets | revised | revised with looks | looks add | 95 % by site |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for name, number, nets, without, with_looks, gained in compared(pages):
        interval = f"{gained.low:+.4f} to {gained.high:+.4f}"
        print(
            f"| {name} | {number} | {nets:.4f} | {without:.4f} | {with_looks:.4f} | {gained.value:+.4f} | {interval} |"
        )
    print(f"\nStyles took {1000 * np.mean([page.seconds_of_styles for page in pages]):.1f} ms of CPU time per page.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
