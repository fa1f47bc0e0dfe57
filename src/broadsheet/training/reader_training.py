"""Train the nets of the default reader: `broadsheet train reading`.

Training is reproducible: all random numbers come from fixed seeds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import SPLITS, LabelledPage, Split
from broadsheet.corpora.site_splits import fold_of
from broadsheet.document import parse
from broadsheet.models.card import Card
from broadsheet.models.net import Net
from broadsheet.reading.lines.line_features import COLUMNS, LineMeasurements, measure
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import title_line
from broadsheet.reading.titles import assume_title, find_title
from broadsheet.reading.trained import Models, save
from broadsheet.training.line_model._examples import MIN_FIT, UNKNOWN, Example, choose, examples
from broadsheet.training.line_model._line_table import Floats, LineTable
from broadsheet.training.line_model._made_pages import with_made_pages
from broadsheet.training.line_model._net_fitting import fit, fold_scale
from broadsheet.training.line_model._net_weights import NetSettings
from broadsheet.training.line_model._word_counts import WordCounts
from broadsheet.training.title_weights import title_weights

Say = Callable[[str], None]

#: Raise it whenever the features or the labels change their meaning.
VERSION = 4
#: The probabilities of this many nets are averaged.
NETS = 2
#: The weight of a line on a page with snippets only, and the assumed length of that page's body.
SNIPPET_WEIGHT, ASSUMED_BODY = 0.5, 400
#: Some corpora count readers' comments as body and we do not; class names and ids give them away.
COMMENTS = ("comment", "comments")
#: How many pages are read between two progress messages.
_REPORT_EVERY = 500


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """The training data: the vocabulary, and the lines of all pages."""

    vocabulary: Vocabulary
    table: LineTable


def collect(data: Path, splits: frozenset[Split], say: Say, folds: int = 1) -> TrainingData:
    """Read the pages twice: to build the vocabulary, and to measure their lines.

    Pages made from others are added; none combines pages of different folds.
    """
    counts = WordCounts()
    # Pages that cannot be read are counted in the second pass.
    for page in _with_progress(choose(data, splits, Counters()), "words", say):
        _count_words(page, counts)
    vocabulary, counters, weights = counts.vocabulary(), Counters(), title_weights(data)
    say(f"{len(vocabulary.names)} words in names, {len(vocabulary.texts)} in lines")
    pages = _with_progress(choose(data, splits, counters), "lines", say)
    # The title of a page is needed when others are made of it, so it is chosen before and after.
    labelled = _titled(with_made_pages(_titled(examples(pages, counters), weights), folds, counters), weights)
    table = LineTable.of(measured(labelled, vocabulary), vocabulary.size)
    for counted, number in counters:
        say(f"{counted.name}: {number}: {counted.reason}")
    return TrainingData(vocabulary, table)


def _count_words(page: LabelledPage, counts: WordCounts) -> None:
    try:
        document = parse(page.html, page.labels.url, encoding="utf-8")
    except InputError:
        return  # counted in the second pass
    counts.add(document, find_lines(document), page.labels.site)


def _titled(labelled: Iterable[Example], weights: Mapping[str, float]) -> Iterator[Example]:
    """Yield examples whose titles are chosen by weights that were fitted in the same run."""
    for example in labelled:
        assume_title(example.document, weights)
        yield example


def measured(labelled: Iterable[Example], vocabulary: Vocabulary) -> Iterator[tuple[Example, LineMeasurements]]:
    """Yield examples with the features of their lines."""
    for example in labelled:
        title = title_line(example.document, example.lines, find_title(example.document))
        yield example, measure(example.document, example.lines, title, vocabulary)


def _with_progress(pages: Iterable[LabelledPage], what: str, say: Say) -> Iterator[LabelledPage]:
    for number, page in enumerate(pages, 1):
        yield page
        if number % _REPORT_EVERY == 0:
            say(f"{what}: {number} pages read")


def line_weights(training_data: TrainingData) -> Floats:
    """Weigh each line by its share of its page's body; comments that a corpus counts as body do not count."""
    table, vocabulary = training_data.table, training_data.vocabulary
    weights = length_weights(table)
    numbers = [vocabulary.names.index(word) for word in COMMENTS if word in vocabulary.names]
    # Only elements without most of the page's text: the others are not comments, whatever their names say.
    columns = [number + zone * vocabulary.zone for zone in (0, 1) for number in numbers]
    comments = np.asarray(table.words[:, columns].sum(axis=1)).ravel() > 0
    weights[comments & (table.is_body == 1)] = 0
    return weights


def length_weights(table: LineTable) -> Floats:
    """Weigh each line by its share of its page's body, and lines without a label not at all."""
    is_whole = np.array([page.gold_words > 0 for page in table.pages])
    body = np.array([page.body_words for page in table.pages])
    lines = np.diff(table.start)
    length = np.repeat(np.where(is_whole, body, ASSUMED_BODY), lines)
    weights = (table.line_words + 3) / (length + 150) * np.repeat(np.where(is_whole, 1.0, SNIPPET_WEIGHT), lines)
    weights[table.is_body == UNKNOWN] = 0
    counted: Floats = weights.astype(np.float32)
    return counted


def train(
    training_data: TrainingData, pages: Sequence[int], source: str, say: Say, settings: NetSettings | None = None
) -> Models:
    """Train the nets on some of the pages; `source` describes them on the model card."""
    weights, nets = line_weights(training_data), []
    for number in range(NETS):
        net_settings = replace(settings or NetSettings(), seed=number)
        say(f"net {number + 1} of {NETS}: {len(pages)} pages")
        # The order of additions changes their result: one thread gives the same bytes on any number of cores.
        with threadpool_limits(1):
            net, scale = fit(training_data.table, pages, weights, net_settings, say)
        training = f"{source}; width {net_settings.width}, {net_settings.epochs} rounds, seed {net_settings.seed}"
        card = Card(name=f"lines-{number + 1}", version=VERSION, features=COLUMNS, classes=("body",), training=training)
        nets.append(Net(card, *fold_scale(net, scale), net_settings.reaches))
    return Models(tuple(nets), training_data.vocabulary)


def usable(training_data: TrainingData) -> list[int]:
    """Return the pages that their labels fit."""
    return [place for place, page in enumerate(training_data.table.pages) if page.fit >= MIN_FIT]


def train_on_split(data: Path, output: Path, say: Say) -> None:
    """Train on the training sites and write the models to a folder."""
    training_data = collect(data, frozenset({"train"}), say)
    pages = usable(training_data)
    save(train(training_data, pages, f"{len(pages)} labelled pages (train)", say), output)


def train_folds(data: Path, output: Path, folds: int, say: Say) -> None:
    """Train once per fold without its sites, and write the models to folders 0, 1, ….

    The vocabulary is built from all pages, which needs no labels; nothing else is learned from the held-out fold.
    """
    training_data = collect(data, frozenset(SPLITS), say, folds)
    places = usable(training_data)
    for fold in range(folds):
        say(f"fold {fold + 1} of {folds}")
        pages = [place for place in places if fold_of(training_data.table.pages[place].labels.site, folds) != fold]
        models = train(training_data, pages, f"{len(pages)} labelled pages, all but fold {fold + 1} of {folds}", say)
        save(models, output / str(fold))
