"""Train and measure the memory reader.

Run as `python -m broadsheet.training.memory_training --data DIR [--evaluate] [-o DIR]`.

The training sites are divided in two: the pages of one half are remembered, and those of the other half teach the
classifier that decides when memory has voted, because memory knows its own pages too well.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.labelled_page import PageLabels, Split
from broadsheet.corpora.page_scoring import Truth
from broadsheet.document import Document
from broadsheet.learning.memory_based import FeatureCounts, Weighting, heaviest_first, tie_ranks
from broadsheet.models.card import Card
from broadsheet.models.instance_base import Comparison, InstanceBase
from broadsheet.models.memory_files import MemoryModel
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading.double_tags import DOUBLE_TAGS, LETTERS, join_tags, slot_labels
from broadsheet.reading.element_features import FEATURES, element_features
from broadsheet.reading.memory_reader import MemoryModels, decide, piece_votes, save
from broadsheet.reading.piece_context import COLUMNS, VOTES, Floats, piece_context
from broadsheet.training._conversion import of_boosting

#: The share of the labelled body that has to be found in the page, and of the found text that has to belong to it.
LEAST_COVERAGE, LEAST_PURITY = 0.8, 0.8
_CODES = {int(known): code for code, known in enumerate(LETTERS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTraining:
    """The settings of the training.

    - `pages`: the most pages to remember, to teach the second classifier, and to measure.
    - `instances`: the most distinct elements to remember, which bounds the size of the model.
    - `weighting`, `k`: how elements are compared, and how many nearest distances vote.
    - `rounds`, `rate`, `leaves`: the second classifier's boosting.
    """

    pages: tuple[int, int, int] = (110, 200, 60)
    instances: int = 32_000
    weighting: Weighting = "information_gain"
    k: int = 7
    rounds: int = 150
    rate: float = 0.08
    leaves: int = 15


@dataclass(frozen=True, slots=True, eq=False)
class LabelledDocument:
    """A page and the labels of its pieces."""

    document: Document
    labels: NDArray[np.int8]


def labelled_documents(data: Path, split: Split, half: int | None, size: int) -> Iterator[LabelledDocument]:
    """Yield pages whose labelled title and body are found in them, from as many sites as possible."""
    corpora = find_corpora([data / "pages"])
    counters = Counters()
    rows = [
        row
        for row in CorpusSelection(split, "article", None, 0).choose(corpora, counters)
        if row.gold.title and row.gold.body and not row.gold.disagrees and row.gold.trust in {"full", "silver"}
        if half is None or crc32(row.site.encode()) % 2 == half
    ]
    yielded = 0
    for page in read_pages(corpora, _spread(rows)[: 2 * size], counters):
        try:
            truth = Truth.from_page(page)
        except Unusable:
            continue
        found = truth.labelled
        good = found.body.coverage >= LEAST_COVERAGE and found.body.purity >= LEAST_PURITY
        if good and Label.TITLE in found.labels and yielded < size:
            yielded += 1
            yield LabelledDocument(truth.document, found.labels)


def _spread(rows: Sequence[PageLabels]) -> list[PageLabels]:
    """Return pages in an order that takes one of each site before a second of any."""
    seen: dict[str, int] = {}
    ranked = []
    for row in sorted(rows, key=lambda row: crc32(row.id.encode())):
        seen[row.site] = seen.get(row.site, 0) + 1
        ranked.append((seen[row.site], row))
    return [row for _, row in sorted(ranked, key=lambda pair: pair[0])]


def remember(documents: Iterator[LabelledDocument], settings: MemoryTraining) -> MemoryModel:
    """Store the elements of pages that have text, up to the most that the model may hold."""
    features, codes, pages = [], [], 0
    for page in documents:
        rows, tags = _instances(page)
        features.append(rows)
        codes.append(tags)
        pages += 1
        if sum(map(len, codes)) >= settings.instances:
            break
    rows, tags = np.concatenate(features), np.concatenate(codes).astype(np.int32)
    counts = FeatureCounts.count(rows, tags, len(DOUBLE_TAGS), np.zeros(len(FEATURES), np.bool_))
    weights = counts.weights(settings.weighting)
    first_read = np.full(len(DOUBLE_TAGS), len(tags))
    np.minimum.at(first_read, tags, np.arange(len(tags)))
    card = Card(
        name="memory",
        version=1,
        features=FEATURES,
        classes=DOUBLE_TAGS,
        training=f"{len(tags):,} elements with text of {pages} labelled pages (train); {settings.weighting}",
    )
    base = InstanceBase.build(rows, tags, len(DOUBLE_TAGS), heaviest_first(weights))
    rank = tie_ranks(counts.class_totals(), first_read)
    return MemoryModel(card, base, Comparison(weights, counts.scales(), rank, settings.k))


def remember_more(memory: MemoryModel, documents: Sequence[LabelledDocument]) -> MemoryModel:
    """Add the elements of more pages; they are compared as the old ones are."""
    base = memory.base
    old = np.empty_like(base.rows)
    old[:, base.order] = base.rows
    often = np.diff(base.first)
    added = [_instances(page) for page in documents]
    rows = np.concatenate([np.repeat(np.repeat(old, often, axis=0), base.counts, axis=0), *(row for row, _ in added)])
    tags = np.concatenate([np.repeat(base.classes, base.counts), *(codes for _, codes in added)]).astype(np.int32)
    training = f"{memory.card.training}; and {sum(len(codes) for _, codes in added):,} of {len(added)} annotated pages"
    card = replace(memory.card, name="memory-adapted", training=training)
    return MemoryModel(card, InstanceBase.build(rows, tags, len(DOUBLE_TAGS), base.order), memory.comparison)


def _instances(page: LabelledDocument) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the features and double tags of the elements that have text."""
    elements = element_features(page.document)
    with_text = np.isin(elements.nodes, page.document.pieces.owner)
    tags = join_tags(slot_labels(page.document, elements.nodes[with_text], page.labels))
    return elements.values[with_text], tags.astype(np.int32)


def context_rows(page: LabelledDocument, memory: MemoryModel) -> tuple[Floats, NDArray[np.int8]]:
    """Return the features of the second classifier for one page, and the codes of the labels."""
    votes, distances = piece_votes(page.document, element_features(page.document), memory)
    codes = np.array([_CODES.get(known, 0) for known in page.labels.tolist()], np.int8)
    return piece_context(page.document, votes, distances), codes


def teach(documents: Iterator[LabelledDocument], memory: MemoryModel, settings: MemoryTraining) -> TreeEnsemble:
    """Fit the second classifier."""
    examples = [context_rows(page, memory) for page in documents]
    estimator = HistGradientBoostingClassifier(
        max_iter=settings.rounds,
        learning_rate=settings.rate,
        max_leaf_nodes=settings.leaves,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=0,
    )
    rows = np.concatenate([rows for rows, _ in examples])
    codes = np.concatenate([codes for _, codes in examples])
    # One thread: the order of additions changes the trees, and the same data must give the same bytes.
    with threadpool_limits(limits=1):
        estimator.fit(rows, codes)
    training = f"{len(codes):,} pieces of {len(examples)} labelled pages (train); {settings.rounds} rounds of boosting"
    card = Card(name="memory-context", version=1, features=COLUMNS, classes=VOTES, training=training)
    return of_boosting(estimator, card)


def measure(documents: Iterator[LabelledDocument], models: MemoryModels) -> Iterator[str]:
    """Yield precision, recall and F per label, of memory alone and after the decision, by piece and by character."""
    counts = np.zeros((2, len(LETTERS), 2, 3), np.int64)
    pages = 0
    for page in documents:
        votes, distances = piece_votes(page.document, element_features(page.document), models.memory)
        by_votes = np.array(list(LETTERS), np.int8)[np.argmax(votes, axis=1)]
        context = piece_context(page.document, votes, distances)
        decided = decide(page.document, models.context.probabilities(context).astype(np.float32))
        characters = np.diff(page.document.sums.characters)
        for row, found in enumerate((by_votes, decided)):
            for column, kind in enumerate(LETTERS):
                masks = (page.labels == kind) & (found == kind), found == kind, page.labels == kind
                counts[row, column, 0] += [mask.sum() for mask in masks]
                counts[row, column, 1] += [characters[mask].sum() for mask in masks]
        pages += 1
    yield f"{pages} pages of sites that were not seen"
    for row, name in enumerate(("memory alone", "decided in context")):
        for column, kind in enumerate(LETTERS):
            for unit, (right, found, there) in zip(("piece", "character"), counts[row, column].tolist(), strict=True):
                precision, recall, f = right / max(found, 1), right / max(there, 1), 2 * right / max(found + there, 1)
                measures = f"precision {precision:.3f}, recall {recall:.3f}, F {f:.3f}"
                yield f"{name}, {kind.name.lower()} by {unit}: {measures}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the models, and measure or write them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.memory_training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds pages/")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write the models to")
    parser.add_argument("--evaluate", action="store_true", help="print the quality on pages of unseen sites")
    options = parser.parse_args(arguments)
    settings = MemoryTraining()
    try:
        models = train(options.data, settings)
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if options.output:
        save(models, options.output)
    if options.evaluate:
        for line in measure(labelled_documents(options.data, "dev", None, settings.pages[2]), models):
            sys.stdout.write(line + "\n")
    return 0


def train(data: Path, settings: MemoryTraining) -> MemoryModels:
    """Train both models on the training sites."""
    remembered = list(labelled_documents(data, "train", 0, settings.pages[0]))
    if not remembered:
        raise InputError(f"{data}: no page has a labelled title and body, so there is nothing to learn from")
    memory = remember(iter(remembered), settings)
    return MemoryModels(memory, teach(labelled_documents(data, "train", 1, settings.pages[1]), memory, settings))


if __name__ == "__main__":
    raise SystemExit(main())
