"""Fit the nets of the trained reader: `broadsheet train reading`.

Nothing in it is left to chance: what is drawn comes from fixed seeds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from broadsheet.reading.titles import find_title
from broadsheet.reading.trained import Models, save, title_of
from broadsheet.training.line_model.examples import LEAST_FIT, UNKNOWN, Example, choose, examples
from broadsheet.training.line_model.line_table import Floats, LineTable
from broadsheet.training.line_model.net_fitting import NetSettings, fit, folded
from broadsheet.training.line_model.word_counts import WordCounts

Say = Callable[[str], None]

#: It rises whenever what is learned changes its meaning.
VERSION = 2
#: The answers of so many nets are averaged.
NETS = 2
#: How much a line of a page counts of which only snippets are labelled, and how long its body is taken to be.
SNIPPETS, USUAL_BODY = 0.5, 400
#: Some corpora count readers' comments as body, which we do not: elements with these words in their names tell.
COMMENTS = ("comment", "comments")
#: How many pages are read between two words of progress.
_OFTEN = 500


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """All that is learned from: the words that are known, and the lines of all pages."""

    vocabulary: Vocabulary
    table: LineTable


def collect(data: Path, splits: frozenset[Split], say: Say) -> Material:
    """Read the pages twice: for the words that many sites use, and to measure their lines."""
    counts = WordCounts()
    # What cannot be had is counted when the lines are measured.
    for page in _told(choose(data, splits, Counters()), "words", say):
        _count(page, counts)
    vocabulary, counters = counts.vocabulary(), Counters()
    say(f"{len(vocabulary.names)} words in names, {len(vocabulary.texts)} in lines")
    pages = _told(choose(data, splits, counters), "lines", say)
    table = LineTable.of(_measured(examples(pages, counters), vocabulary), vocabulary.size)
    for counted, number in counters:
        say(f"{counted.name}: {number}: {counted.reason}")
    return Material(vocabulary, table)


def _count(page: LabelledPage, counts: WordCounts) -> None:
    try:
        document = parse(page.html, page.labels.url, encoding="utf-8")
    except InputError:
        return  # it is counted where its lines are measured
    counts.add(document, find_lines(document), page.labels.site)


def _measured(some: Iterable[Example], vocabulary: Vocabulary) -> Iterator[tuple[Example, LineMeasurements]]:
    for example in some:
        title = title_of(example.document, example.lines, find_title(example.document))
        yield example, measure(example.document, example.lines, title, vocabulary)


def _told(pages: Iterable[LabelledPage], what: str, say: Say) -> Iterator[LabelledPage]:
    for number, page in enumerate(pages, 1):
        yield page
        if number % _OFTEN == 0:
            say(f"{what}: {number} pages read")


def line_weights(material: Material) -> Floats:
    """Return how much each line counts: by the share of its page's body that is at stake."""
    table, vocabulary = material.table, material.vocabulary
    whole = np.array([page.gold_words > 0 for page in table.pages])
    body = np.array([page.body_words for page in table.pages])
    lines = np.diff(table.start)
    stake = np.repeat(np.where(whole, body, USUAL_BODY), lines)
    weights = (table.line_words + 3) / (stake + 150) * np.repeat(np.where(whole, 1.0, SNIPPETS), lines)
    weights[table.is_body == UNKNOWN] = 0
    numbers = [vocabulary.names.index(word) for word in COMMENTS if word in vocabulary.names]
    # Only the elements that do not hold most of the text: those are no comments, whatever they are called.
    columns = [number + zone * vocabulary.zone for zone in (0, 1) for number in numbers]
    comments = np.asarray(table.words[:, columns].sum(axis=1)).ravel() > 0
    weights[comments & (table.is_body == 1)] = 0
    counted: Floats = weights.astype(np.float32)
    return counted


def train(material: Material, pages: Sequence[int], told: str, say: Say, settings: NetSettings | None = None) -> Models:
    """Fit the nets to some of the pages."""
    weights, nets = line_weights(material), []
    for number in range(NETS):
        own = replace(settings or NetSettings(), seed=number)
        say(f"net {number + 1} of {NETS}: {len(pages)} pages")
        # Sums in another order are other sums: one thread gives the same files on any number of cores.
        with threadpool_limits(1):
            net, scale = fit(material.table, pages, weights, own, say)
        training = f"{told}; width {own.width}, {own.epochs} rounds, seed {own.seed}"
        card = Card(name=f"lines-{number + 1}", version=VERSION, features=COLUMNS, classes=("body",), training=training)
        nets.append(Net(card, *folded(net, scale), own.reaches))
    return Models(tuple(nets), material.vocabulary)


def usable(material: Material) -> list[int]:
    """Return the pages whose labels fit them."""
    return [place for place, page in enumerate(material.table.pages) if page.fit >= LEAST_FIT]


def train_on_split(data: Path, output: Path, say: Say) -> None:
    """Write the models that learned from the training sites into a folder."""
    material = collect(data, frozenset({"train"}), say)
    pages = usable(material)
    save(train(material, pages, f"{len(pages)} labelled pages (train)", say), output)


def train_folds(data: Path, output: Path, folds: int, say: Say) -> None:
    """Write into folders 0, 1, … the models that saw all sites but those of one fold.

    Words are counted over all pages, which takes no label; nothing else is learned from the fold that is left out.
    """
    material = collect(data, frozenset(SPLITS), say)
    places = usable(material)
    for fold in range(folds):
        say(f"fold {fold + 1} of {folds}")
        pages = [place for place in places if fold_of(material.table.pages[place].labels.site, folds) != fold]
        models = train(material, pages, f"{len(pages)} labelled pages, all but fold {fold + 1} of {folds}", say)
        save(models, output / str(fold))
