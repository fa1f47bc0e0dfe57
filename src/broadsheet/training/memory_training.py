"""Train and measure the memory reader.

Run as `python -m broadsheet.training.memory_training --data DIR [--folds] [--evaluate] [-o DIR]`.

Pages of some training sites are remembered; those of all others teach the classifiers that decide when memory has
voted, because memory knows its own pages too well. `--folds` measures the classifiers in folds by site on these others.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.learning.memory_based import FeatureCounts, Weighting, heaviest_first, tie_ranks
from broadsheet.models.card import Card
from broadsheet.models.instance_base import Comparison, InstanceBase
from broadsheet.models.memory_files import MemoryModel
from broadsheet.reading.double_tags import DOUBLE_TAGS, join_tags, slot_labels
from broadsheet.reading.element_features import FEATURES, element_features
from broadsheet.reading.memory_reader import save
from broadsheet.reading.titles import assume_title
from broadsheet.training._memory_scores import PageScore, score_lines
from broadsheet.training._memory_stages import PARTS, VERSION, Boosting, VotedPage, contexts_by_part, models_of_parts
from broadsheet.training.labelled_documents import LabelledDocument, labelled_documents
from broadsheet.training.title_weights import title_weights


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTraining:
    """The settings of the training.

    - `remembered`: the most pages to remember.
    - `instances`: the most elements to remember, which bounds the size of the model.
    - `weighting`, `k`: how elements are compared, and how many nearest distances vote.
    - `boosting`: how the classifiers are fitted that decide when memory has voted.
    """

    remembered: int = 110
    instances: int = 32_000
    weighting: Weighting = "information_gain"
    k: int = 7
    boosting: Boosting = field(default_factory=Boosting)


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
        version=VERSION,
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the models, and measure or write them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.memory_training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds pages/")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write the models to")
    parser.add_argument("--folds", action="store_true", help="print the quality in folds by site (train)")
    parser.add_argument("--evaluate", action="store_true", help="print the quality on pages of other sites (dev)")
    options = parser.parse_args(arguments)
    try:
        for line in run(options.data, MemoryTraining(), options.output, folds=options.folds, dev=options.evaluate):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def run(data: Path, settings: MemoryTraining, output: Path | None, *, folds: bool, dev: bool) -> Iterator[str]:
    """Train on the training sites, write the models and measure them, as asked for; yield what there is to say."""
    counters = Counters()
    weights = title_weights(data)
    pages = _titled(labelled_documents(data, "train", counters), weights)
    if not pages:
        raise InputError(f"{data}: no page has a labelled title and body, so there is nothing to learn from")
    remembered = [page for page in pages if crc32(page.site.encode()) % 2 == 0][: settings.remembered]
    memory = remember(iter(remembered), settings)
    known = {page.site for page in remembered}
    others = [VotedPage.of(page, memory) for page in pages if page.site not in known]
    contexts = contexts_by_part(others, settings.boosting)
    if set(contexts) != set(PARTS):
        raise InputError(f"{data}: the pages are of too few sites; beside those remembered, there must be some more")
    for counted, number in counters:
        yield f"{counted.name}: {number:,}: {counted.reason}"
    if folds:
        scores = []
        for part in PARTS:
            learned = [other for other in PARTS if other != part]
            models = models_of_parts(memory, others, contexts, learned, settings.boosting)
            scores += [PageScore.of(page, models) for page in others if page.part == part]
        yield from score_lines("in folds by site", scores)
    models = models_of_parts(memory, others, contexts, PARTS, settings.boosting)
    if output:
        save(models, output)
    if dev:
        dev_pages = _titled(labelled_documents(data, "dev", Counters()), weights)
        yield from score_lines("dev sites", [PageScore.of(VotedPage.of(page, memory), models) for page in dev_pages])


def _titled(pages: list[LabelledDocument], weights: Mapping[str, float]) -> list[LabelledDocument]:
    """Return the pages with titles that are chosen by weights fitted in the same run."""
    for page in pages:
        assume_title(page.document, weights)
    return pages


if __name__ == "__main__":
    raise SystemExit(main())
