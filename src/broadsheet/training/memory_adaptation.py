"""Adapt the memory reader to a person's own corpus: it remembers the annotated pages beside the shipped ones."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATIONS, AnnotatedCorpus
from broadsheet.corpora.annotation.label_set import to_labels
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.page_scoring import Truth
from broadsheet.outputs.output_files import replacing
from broadsheet.reading.memory_reader import SHIPPED, MemoryModels, load_models, read_with
from broadsheet.reading.reader_files import memory_bytes
from broadsheet.training._certain_gain import MIN_GAIN, certain_gain
from broadsheet.training.annotated_pages import Say, require_pages
from broadsheet.training.labelled_documents import LabelledDocument
from broadsheet.training.memory_training import remember_more

#: Every fold is another memory.
MAX_FOLDS = 5


class AdaptedMemory(NamedTuple):
    """The models, and the mean F of the body of held-out pages by the shipped memory and by one that is adapted."""

    models: MemoryModels
    before: float
    after: float
    #: Whether held-out pages are read clearly better, so that the models differ from the shipped ones.
    helps: bool


def adapt_memory(folders: Sequence[Path], annotator: str, output: Path, say: Say) -> AdaptedMemory:
    """Remember annotated pages if that helps to read held-out ones, and write the model when it is complete."""
    counters = Counters()
    pages = [page for folder in folders for page in _pages(folder, annotator, counters) if Label.BODY in page.labels]
    require_pages(len(pages), folders, counters, say)
    say(f"remembering {len(pages):,} pages")
    adapted = remember_pages(load_models(SHIPPED), pages)
    output.parent.mkdir(parents=True, exist_ok=True)
    with replacing(output) as path:
        path.write_bytes(memory_bytes(adapted.models))
    return adapted


def remember_pages(models: MemoryModels, pages: Sequence[LabelledDocument]) -> AdaptedMemory:
    """Add pages to the memory, unless held-out ones of them are not read clearly better for it."""
    folds = min(MAX_FOLDS, len(pages))
    before, after = np.zeros(len(pages)), np.zeros(len(pages))
    for fold in range(folds):
        held, kept = pages[fold::folds], [page for place, page in enumerate(pages) if place % folds != fold]
        adapted = replace(models, memory=remember_more(models.memory, kept))
        before[fold::folds] = [body_f(models, page) for page in held]
        after[fold::folds] = [body_f(adapted, page) for page in held]
    helps = bool(certain_gain(before, after) >= MIN_GAIN)
    adapted = replace(models, memory=remember_more(models.memory, pages)) if helps else models
    return AdaptedMemory(adapted, float(before.mean()), float(after.mean()), helps)


def body_f(models: MemoryModels, page: LabelledDocument) -> float:
    """Return the F of the body of a page, by characters."""
    characters = np.diff(page.document.sums.characters)
    found, expected = (labels == Label.BODY for labels in (read_with(page.document, models).labels, page.labels))
    total = int(characters[found].sum() + characters[expected].sum())
    return 2 * int(characters[found & expected].sum()) / total if total else 1.0


def _pages(folder: Path, annotator: str, counters: Counters) -> Iterator[LabelledDocument]:
    """Yield the annotated pages of a corpus, or those with a labelled body if none is annotated."""
    if (folder / ANNOTATIONS).is_dir():
        corpus = AnnotatedCorpus(folder)
        if not corpus.labels.has_articles:
            raise InputError(f"{folder}: has a label set of its own, and the memory reader learns only articles")
        for _, document, letters in corpus.annotations(annotator):
            yield LabelledDocument(document, to_labels(letters))
        return
    corpora = find_corpora([folder])
    chosen = [labels for corpus in corpora for labels in corpus.labels() if labels.gold.body]
    for page in read_pages(corpora, chosen, counters):
        try:
            truth = Truth.from_page(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
        else:
            yield LabelledDocument(truth.document, truth.labelled.labels)
