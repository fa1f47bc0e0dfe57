"""Fit the models of the trained reader: `python -m broadsheet.training.reading --data DIR -o FOLDER`.

Nothing in it is left to chance: folds, thinning and trees are the same for the same data.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError
from broadsheet.corpora.errors import Unusable
from broadsheet.corpora.evaluation import Selection, read_pages
from broadsheet.corpora.layout import find_corpora
from broadsheet.corpora.page import LabelledPage
from broadsheet.corpora.scoring import Truth
from broadsheet.corpora.splits import fold_of
from broadsheet.document import Document, parse
from broadsheet.models.card import Card
from broadsheet.models.files import save
from broadsheet.reading.blocks.choice import choose
from broadsheet.reading.blocks.elements import find_elements
from broadsheet.reading.blocks.features import Features, measure
from broadsheet.reading.blocks.lines import Lines, find_lines
from broadsheet.reading.blocks.names import SHIPPED, NameScores
from broadsheet.reading.blocks.second import measure_again
from broadsheet.reading.blocks.words import attribute_words, word_of
from broadsheet.reading.titles import find_title
from broadsheet.reading.trained import FIRST, SECOND, line_of
from broadsheet.training.conversion import of_boosting

Doubles = NDArray[np.float64]

#: Kinds of pages that are learned from: the others have bodies of other kinds.
KINDS = frozenset({"article", "unknown"})
#: Labels that fit the page less well than this are not learned from.
LEAST_FIT = 0.8
#: A page on which models that never saw it find less than this F is taken to be labelled otherwise than we mean it.
LEAST_F = 0.5
#: A word is known once it names elements on so many sites.
LEAST_SITES = 20
#: Names are known to this power of evidence, in either direction.
LEAST_SCORE, MOST_SCORE = -3.0, 2.0
#: What share of all lines is body, about; names are measured against it.
_USUAL = 0.3
FOLDS = 5
#: One in so many of the lines that are short, and far from any body, is learned from, and counts for all.
THINNED = 5
#: The size of each pass.
TREES, LEAVES = 120, 31
VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page as it is learned from: the words of each line, and how many of them are body."""

    page: LabelledPage
    words: NDArray[np.int64]
    body_words: NDArray[np.int64]

    @property
    def is_body(self) -> NDArray[np.bool_]:
        """Whether each line is body, by more than half of its words."""
        return 2 * self.body_words > self.words

    def document(self) -> tuple[Document, Lines]:
        """Parse the page again: thousands of parsed pages would need more memory than it takes time."""
        document = parse(self.page.html, self.page.labels.url, encoding="utf-8")
        return document, find_lines(document)


def examples(data: Path, counters: Counters) -> Iterator[Example]:
    """Give the pages of the training sites whose labels fit them."""
    corpora = find_corpora([data / "pages"])
    chosen = [page for page in Selection("train", None).choose(corpora, counters) if page.kind in KINDS]
    for page in read_pages(corpora, chosen, counters):
        try:
            truth = Truth.of(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
            continue
        fit, lines = truth.labelled.body, find_lines(truth.document)
        if min(fit.coverage, fit.purity) < LEAST_FIT or not len(lines):
            counters.count("left out", "body and page fit badly")
            continue
        counts = truth.words.counts
        sums = np.zeros((2, len(counts) + 1), np.int64)
        np.cumsum(np.stack((counts, counts * fit.pieces)), axis=1, out=sums[:, 1:])
        words, body_words = sums[:, lines.end] - sums[:, lines.first]
        yield Example(page, words, body_words)


def learn_names(pages: Sequence[Example]) -> NameScores:
    """Learn from which words in names text is body more often than usual, every page counting the same."""
    sites: dict[int, set[str]] = defaultdict(set)
    shares: dict[int, list[float]] = defaultdict(list)
    for example in pages:
        document, lines = example.document()
        elements, words = find_elements(document, lines), attribute_words(document)
        body = np.concatenate(([0], np.cumsum(example.is_body)))
        first, end = elements.first[words.node], elements.end[words.node]
        # What holds the whole page says nothing of its parts.
        telling = (end > first) & (end - first < 0.95 * len(lines))
        codes, which = np.unique(words.code[telling], return_inverse=True)
        inside = np.bincount(which, (end - first)[telling])
        share = np.bincount(which, (body[end] - body[first])[telling]) / inside
        for code, each in zip(codes.tolist(), share.tolist(), strict=True):
            sites[code].add(example.page.labels.site)
            shares[code].append(each)
    usual = np.log(_USUAL / (1 - _USUAL))
    scores = {}
    for code in (code for code, where in sites.items() if len(where) >= LEAST_SITES):
        mean = (sum(shares[code]) + 1) / (len(shares[code]) + 2)
        score = float(np.clip(np.log(mean / (1 - mean)) - usual, LEAST_SCORE, MOST_SCORE))
        scores[word_of(code)] = round(score, 2)
    return NameScores.of_words(scores)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """All lines of all pages in columns, and where each page's begin."""

    pages: list[tuple[Example, Lines, Features]]
    start: NDArray[np.int64]
    rows: NDArray[np.float32]
    is_body: NDArray[np.bool_]
    weights: Doubles
    fold: NDArray[np.int64]

    @classmethod
    def of(cls, pages: Sequence[Example], names: NameScores) -> "Measured":
        """Measure every line."""
        found = []
        for example in pages:
            document, lines = example.document()
            found.append(
                (example, lines, measure(document, lines, line_of(document, lines, find_title(document)), names))
            )
        sizes = [len(lines) for _, lines, _ in found]
        folds = [fold_of(example.page.labels.site, FOLDS) for example, _, _ in found]
        return cls(
            found,
            np.concatenate(([0], np.cumsum(sizes))),
            np.concatenate([features.rows for _, _, features in found]),
            np.concatenate([example.is_body for example, _, _ in found]),
            np.concatenate([_weights(example, features) for example, _, features in found]),
            np.repeat(folds, sizes),
        )

    def lines_of(self, page: int) -> slice:
        """Return where a page's lines stand in the columns."""
        return slice(int(self.start[page]), int(self.start[page + 1]))


def _weights(example: Example, features: Features) -> Doubles:
    """Return how much each line counts: by the share of the body that is at stake, and thinned where nothing is."""
    words, is_body = example.words, example.is_body
    weights = (words + 3) / (example.body_words.sum() + 150)
    near = np.convolve(is_body, np.ones(9))[4:-4] > 0
    easy = ~near & (words < 10)
    drawn = np.arange(len(words)) % THINNED == 0
    weights = np.where(easy, np.where(drawn, weights * THINNED, 0), weights)
    # Some corpora count readers' comments as body, which we do not.
    comments = sum(features.rows[:, features.names.index(f"in .{word}")] for word in ("comment", "comments")) > 0
    return np.where(comments & is_body, 0.0, weights)


def boosted(rows: NDArray[np.float32], is_body: NDArray[np.bool_], weights: Doubles) -> HistGradientBoostingClassifier:
    """Fit boosted trees to the lines that count."""
    kept = weights > 0
    model = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=0.1, max_leaf_nodes=LEAVES, l2_regularization=5.0, min_samples_leaf=60,
        max_bins=63, max_features=0.3, early_stopping=False, random_state=0,
    )  # fmt: skip
    return model.fit(rows[kept], is_body[kept], sample_weight=weights[kept] / weights[kept].mean())


def train(data: Path, output: Path, counters: Counters) -> None:
    """Write the names' scores and the models of both passes into a folder."""
    pages = list(examples(data, counters))
    _say(f"{len(pages)} pages of {len({each.page.labels.site for each in pages})} sites")
    for counted, number in counters:
        _say(f"{counted.name}: {number}: {counted.reason}")
    names = learn_names(pages)
    measured = Measured.of(pages, names)
    likely = np.zeros(len(measured.rows))
    for fold in range(FOLDS):
        _say(f"first pass, fold {fold + 1} of {FOLDS}")
        seen, unseen = measured.fold != fold, measured.fold == fold
        model = boosted(measured.rows[seen], measured.is_body[seen], measured.weights[seen])
        likely[unseen] = model.predict_proba(measured.rows[unseen])[:, 1]
    weights = measured.weights.copy()
    dropped = 0
    again = []
    for place, (example, lines, features) in enumerate(measured.pages):
        own = measured.lines_of(place)
        names_again, rows = measure_again(features, lines, likely[own])
        again.append(rows)
        if _f(example, choose(likely[own], lines.words)) < LEAST_F:
            weights[own] = 0
            dropped += 1
    used = f"{len(pages) - dropped} labelled pages (train), {dropped} more left out as labelled otherwise"
    told = f"{used}; {TREES} trees of {LEAVES} leaves"
    _say(f"both passes: {told}")
    output.mkdir(parents=True, exist_ok=True)
    for name, columns, rows in (
        (FIRST, measured.pages[0][2].names, measured.rows),
        (SECOND, names_again, np.concatenate(again)),
    ):
        card = Card(name=Path(name).stem, version=VERSION, features=columns, classes=("body",), training=told)
        save(of_boosting(boosted(rows, measured.is_body, weights), card), output / name)
    names.save(output / SHIPPED.name)


def _f(example: Example, chosen: NDArray[np.bool_]) -> float:
    words, body = example.words, example.is_body
    whole = words[chosen].sum() + words[body].sum()
    return float(2 * words[chosen & body].sum() / whole) if whole else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the reader from the command line."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.reading", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds pages/")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder to write the models to")
    options = parser.parse_args(arguments)
    try:
        train(options.data, options.output, Counters())
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
