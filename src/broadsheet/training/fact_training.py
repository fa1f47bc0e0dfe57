"""Train the weights of titles, days and authors: `broadsheet train facts`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum
from pathlib import Path
from typing import NamedTuple

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.author_labels import AuthorLabel, author_labels
from broadsheet.corpora.field_measures import names
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.reading.facts import FILE, FactWeights, LineScorer
from broadsheet.reading.lines.line_kinds import FILE as KINDS_FILE
from broadsheet.reading.lines.line_kinds import LineKinds, to_bytes
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import SHIPPED, line_scores
from broadsheet.reading.trained import load_models
from broadsheet.training._fact_examples import Choice, FactExample, ReadPage, fact_example, read_labelled
from broadsheet.training._fact_fitting import FOLDS, chosen_names, fact_fold, fit_weights, page_f, with_likeness
from broadsheet.training._line_kind_examples import LineExample, line_example
from broadsheet.training._line_kind_fitting import fit_kinds
from broadsheet.training.title_weights import title_weights


def train(data: Path, output: Path, report: Callable[[str], None], nets: Path = SHIPPED) -> None:
    """Fit the kinds of lines and the weights on the train sites and write them to a folder.

    It reports how they do on sites they have not seen. Days and authors are looked for around the text that `nets`
    read, and around titles by weights fitted before.
    """
    models, weights_of_titles = load_models(nets), title_weights(data)

    def pages() -> Iterator[ReadPage]:
        return read_labelled(data, lambda labels: labels.split is not None, models, weights_of_titles, Counters())

    kinds = KindsByFold.fit(pages(), models.vocabulary)
    examples = [fact_example(page, kinds.scorer(page.labels)) for page in pages()]
    train_examples = [example for example in examples if example.split == "train"]
    if not train_examples:
        raise InputError(f"{data}: no page of a train site has labels of facts")
    weights = fit_weights(train_examples)
    unseen = [(example, weights) for example in examples if example.split == "dev"]
    report(f"dev sites: {describe(unseen)}")
    folds = cross_validate(examples)
    report(f"{FOLDS} folds by site: {describe(folds)}")
    report(f"names by language in the folds, right of those given and found of the authors: {by_language(folds)}")
    output.mkdir(parents=True, exist_ok=True)
    (output / KINDS_FILE).write_bytes(to_bytes(kinds.all_sites))
    (output / FILE).write_text(weights.to_json(), encoding="utf-8")


class KindsByFold(NamedTuple):
    """The kinds of lines, fitted on all train sites, and on those outside each fold."""

    all_sites: LineKinds
    without: Mapping[int, LineKinds]

    @classmethod
    def fit(cls, pages: Iterable[ReadPage], vocabulary: Vocabulary) -> "KindsByFold":
        """Fit the kinds to the pages of train sites."""
        train_pages = (page for page in pages if page.labels.split == "train")
        examples = [example for page in train_pages if (example := line_example(page))]
        if not examples:
            raise InputError("no page of a train site has labels of facts")

        def fit_to(chosen: Sequence[LineExample]) -> LineKinds:
            return fit_kinds(chosen or examples, vocabulary)

        folds = sorted({fact_fold(example.site) for example in examples})
        return cls(
            fit_to(examples),
            {fold: fit_to([each for each in examples if fact_fold(each.site) != fold]) for fold in folds},
        )

    def scorer(self, labels: PageLabels) -> LineScorer:
        """Return what scores the lines of a page by those of other sites, as those of new sites will be."""
        kinds = self.without[fact_fold(labels.site)] if labels.split == "train" else self.all_sites
        return partial(line_scores, kinds=kinds)


def cross_validate(examples: Sequence[FactExample]) -> list[tuple[FactExample, FactWeights]]:
    """Return each page with weights that were fitted on the pages of other sites."""
    folds = [fact_fold(example.site) for example in examples]
    fitted = {
        fold: fit_weights([example for example, other in zip(examples, folds, strict=True) if other != fold])
        for fold in sorted(set(folds))
    }
    return [(example, fitted[fold]) for example, fold in zip(examples, folds, strict=True)]


def describe(pages: Iterable[tuple[FactExample, FactWeights]]) -> str:
    """Return how often title and day are right, the F of authors, and both on the pages that we labelled by hand."""
    titles, days, authors = [], [], []
    names_by_hand = NameCounts()
    for example, weights in pages:
        if example.headlines is not None:
            titles.append(_is_right(example.headlines, weights.headline))
        if example.days is not None:
            days.append(_is_right(example.days, weights.published))
        if example.authors is None:
            continue
        given = _given(example, weights)
        if example.id in author_labels():
            names_by_hand = names_by_hand.with_page(given, example.authors)
        else:
            authors.append(page_f(given, example.authors))
    right, named, found, expected = names_by_hand
    return (
        f"title {_mean(titles)}, day {_mean(days)}, authors {_mean(authors)}; by hand: precision"
        f" {_share(right, named)}, recall {_share(found, expected)}"
    )


def by_language(pages: Iterable[tuple[FactExample, FactWeights]]) -> str:
    """Return how many names are right, and how many authors are found, on the pages labelled by hand, by language."""
    counts: dict[str, NameCounts] = {}
    for example, weights in pages:
        if example.authors and example.id in author_labels():
            language = example.authors.language
            known = counts.get(language, NameCounts())
            counts[language] = known.with_page(_given(example, weights), example.authors)
    return ", ".join(
        f"{language} {right}/{named} and {found}/{expected}"
        for language, (right, named, found, expected) in sorted(counts.items())
    )


class NameCounts(NamedTuple):
    """Names on some pages: given and right, given, authors found, and authors."""

    right: int = 0
    given: int = 0
    found: int = 0
    expected: int = 0

    def with_page(self, given: tuple[str, ...], label: AuthorLabel) -> "NameCounts":
        """Return the counts with those of one more page."""
        named, expected = len(names(given)), len(names(label.authors))
        right, found = named - len(label.wrong(given)), expected - len(label.missed(given))
        return NameCounts(self.right + right, self.given + named, self.found + found, self.expected + expected)


def _given(example: FactExample, weights: FactWeights) -> tuple[str, ...]:
    return chosen_names(with_likeness(example, weights.letters).names, weights)


def _is_right(candidates: Choice, weights: Mapping[str, float]) -> float:
    best = max(candidates, key=lambda each: fsum(weights.get(signal, 0.0) for signal in each[0]), default=None)
    return float(best is not None and best[1])


def _mean(scores: Sequence[float]) -> str:
    return f"{sum(scores) / len(scores):.3f} ({len(scores):,} pages)" if scores else "not labelled"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({whole:,} names)" if whole else "none"
