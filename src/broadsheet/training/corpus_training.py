"""Train on a person's own corpus: `broadsheet train CORPUS -o MODEL` adapts the default reader to its pages."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATIONS, AnnotatedCorpus
from broadsheet.corpora.annotation.label_set import to_labels
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.outputs.output_files import replacing
from broadsheet.reading.measured_lines import SHIPPED
from broadsheet.reading.reader_files import trained_bytes
from broadsheet.reading.trained import Models, load_models
from broadsheet.training.annotated_pages import Say, require_pages
from broadsheet.training.fine_tuning import FineTuned, fine_tune
from broadsheet.training.labelled_documents import LabelledDocument
from broadsheet.training.line_model._examples import MIN_FIT, Example, examples, from_annotation
from broadsheet.training.line_model._line_table import LineTable
from broadsheet.training.reader_training import length_weights, measured


def train_on_corpora(folders: Sequence[Path], annotator: str, output: Path, say: Say) -> FineTuned:
    """Fine-tune the shipped nets on annotated pages, and write the model when it is complete."""
    models, counters = load_models(SHIPPED), Counters()
    found = [example for folder in folders for example in _examples(folder, annotator, counters)]
    usable = [example for example in found if example.fit >= MIN_FIT and example.gold_words]
    if len(found) > len(usable):
        counters.count("left out", "no body, or one that does not fit its page", len(found) - len(usable))
    require_pages(len(usable), folders, counters, say)
    say(f"fine-tuning on {len(usable):,} pages")
    tuned = _tune(usable, models)
    output.parent.mkdir(parents=True, exist_ok=True)
    with replacing(output) as path:
        path.write_bytes(trained_bytes(tuned.models))
    return tuned


def adapt_nets(pages: Sequence[tuple[PageLabels, LabelledDocument]], models: Models) -> FineTuned:
    """Fine-tune nets on annotated pages."""
    return _tune([from_annotation(row, page.document, page.labels) for row, page in pages], models)


def _tune(pages: Sequence[Example], models: Models) -> FineTuned:
    table = LineTable.of(measured(pages, models.vocabulary), models.vocabulary.size)
    return fine_tune(models, table, range(len(pages)), length_weights(table))


def _examples(folder: Path, annotator: str, counters: Counters) -> Iterator[Example]:
    """Yield the annotated pages of a corpus, or those with a labelled body if none is annotated."""
    if (folder / ANNOTATIONS).is_dir():
        corpus = AnnotatedCorpus(folder)
        if not corpus.labels.has_articles:
            raise InputError(f"{folder}: has a label set of its own, and the default reader learns only articles")
        for page, document, letters in corpus.annotations(annotator):
            yield from_annotation(page, document, to_labels(letters))
        return
    corpora = find_corpora([folder])
    chosen = [labels for corpus in corpora for labels in corpus.labels() if labels.gold.body]
    yield from examples(read_pages(corpora, chosen, counters), counters)
