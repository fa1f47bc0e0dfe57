"""Train the models of the visual reader: `broadsheet train visual`.

Two ensembles of ten decision trees each, as published: one for the title, one for the date. The same data give the
same files.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.models.card import Card
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading.visual.visual_attributes import DATE_ATTRIBUTES, TITLE_ATTRIBUTES, date_rows
from broadsheet.reading.visual.visual_models import CLASSES, DATE, TITLE, VisualModels, write_models
from broadsheet.training._conversion import of_boosting, of_trees
from broadsheet.training._visual_examples import LookExample, choose, look_examples

Say = Callable[[str], None]
#: How trees become an ensemble: each on its own sample of the text, or each on the errors of those before.
Ensemble = Literal["bagged", "boosted"]
Rows = NDArray[np.float32]
Truths = NDArray[np.bool_]

#: Raise it whenever the attributes or the labels change their meaning.
VERSION = 1
#: As in the publication's tool.
TREES = 10
#: The fewest pieces in a leaf: as good as the 2 of the publication's tool on sites left out, and smaller.
MIN_LEAF = 10
#: The share of labelled dates whose length is allowed.
ALLOWED_DATES = 0.99


def train(data: Path, output: Path, say: Say) -> None:
    """Train on the training sites and write the models to a folder."""
    counters = Counters()
    examples = list(look_examples(choose(data, frozenset({"train"}), counters), counters))
    for counted, number in counters:
        say(f"{counted.name}: {number}: {counted.reason}")
    write_models(fit(examples), output)


def fit(examples: Sequence[LookExample], kind: Ensemble = "bagged", trees: int = TREES) -> VisualModels:
    """Train both ensembles; pages without a labelled title or date teach only the other."""
    titles = [(page.titles, page.is_title) for page in examples if page.is_title is not None]
    # A page whose title is not known says nothing about how far dates are from it.
    dates = [(date_rows(page.looks, page.title), page.is_date) for page in examples if page.is_date is not None]
    if not titles or not dates:
        raise InputError("no page shows its labelled title, or none its date, so there is nothing to learn from")
    lengths = [page.looks.shared[page.is_date, 0] for page in examples if page.is_date is not None]
    return VisualModels(
        _ensemble(titles, TITLE, TITLE_ATTRIBUTES, kind, trees),
        _ensemble(dates, DATE, DATE_ATTRIBUTES, kind, trees),
        int(np.quantile(np.concatenate(lengths), ALLOWED_DATES)),
    )


def _ensemble(
    pages: Sequence[tuple[Rows, Truths]], name: str, attributes: tuple[str, ...], kind: Ensemble, trees: int
) -> TreeEnsemble:
    rows, truth = np.concatenate([rows for rows, _ in pages]), np.concatenate([truth for _, truth in pages])
    training = f"{len(pages)} labelled pages (train); {trees} {kind} trees"
    # One thread: the order of additions changes the trees, and the same data must give the same bytes.
    with threadpool_limits(limits=1):
        if kind == "boosted":
            boosting = HistGradientBoostingClassifier(
                max_iter=trees, learning_rate=0.3, max_leaf_nodes=31, early_stopping=False, random_state=0
            ).fit(rows, truth)
            return of_boosting(boosting, _card(name, attributes, CLASSES[1:], training))
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=MIN_LEAF)
        bagging = BaggingClassifier(tree, trees, random_state=0).fit(rows, truth)
    return of_trees(bagging, _card(name, attributes, CLASSES, training))


def _card(name: str, attributes: tuple[str, ...], classes: tuple[str, ...], training: str) -> Card:
    return Card(name=name, version=VERSION, features=attributes, classes=classes, training=training)
