"""Evaluation of readers and peers on corpora: the choice of pages, and new results merged with known ones."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import Corpus
from broadsheet.corpora.corrected_labels import corrected
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels, Split
from broadsheet.corpora.page_readers import LeftOut, Outcome, Task
from broadsheet.corpora.results import MEASURING_ROOMS, Result, digest
from broadsheet.corpora.site_splits import sample
from broadsheet.corpora.systems import READER_ROOMS

#: The subpackages that the figures of an evaluation depend on.
ROOMS = (*READER_ROOMS, *MEASURING_ROOMS, "pages", "learning")

Outcomes = Callable[[Iterable[Task]], Iterator[Outcome]]


@dataclass(frozen=True, slots=True)
class CorpusSelection:
    """Selects labelled pages for an evaluation."""

    #: None selects both splits.
    split: Split | None = "dev"
    #: A kind of page; None selects all.
    kind: str | None = "article"
    #: The sample size; pages are drawn from the corpora in turn. None selects all pages.
    size: int | None = None
    seed: int = 0
    #: Whether labels that are known to be wrong count too.
    as_labelled: bool = False

    def choose(self, corpora: Sequence[Corpus], counters: Counters) -> list[PageLabels]:
        """Choose pages with a labelled body; pages without one are counted."""
        chosen = []
        for stated in (labels for corpus in corpora for labels in corpus.labels()):
            labels = stated if self.as_labelled else corrected(stated)
            if self.split not in {None, labels.split} or self.kind not in {None, labels.kind}:
                continue
            if labels.gold.body:
                chosen.append(labels)
            else:
                reason = "the labelled body is known to be wrong" if stated.gold.body else "no body is labelled"
                counters.count("left out", reason)
        return chosen if self.size is None else sample(chosen, self.size, self.seed)


def read_pages(corpora: Sequence[Corpus], chosen: Iterable[PageLabels], counters: Counters) -> Iterator[LabelledPage]:
    """Yield the chosen pages with the labels given, corpus by corpus, one in memory at a time."""
    wanted: dict[str, dict[str, PageLabels]] = {}
    for labels in chosen:
        wanted.setdefault(labels.corpus, {})[labels.name] = labels
    for corpus in corpora:
        names = wanted.get(corpus.name, {})
        if names:
            for page in corpus.pages(lambda labels, names=names: labels.name in names, counters):  # type: ignore[misc]
                yield replace(page, labels=names[page.labels.name])


def _discard(result: Result) -> None:
    del result


def evaluate(  # noqa: PLR0913 - the optional arguments are keyword-only
    pages: Iterable[LabelledPage],
    systems: Sequence[tuple[str, str]],
    outcomes: Outcomes,
    counters: Counters,
    *,
    known: Iterable[Result] = (),
    keep: Callable[[Result], None] = _discard,
) -> Iterator[Result]:
    """Yield the results of all systems, given as names and versions, on all pages.

    Results `known` from an earlier run are reused if page, labels and version are the same; `keep` is called with
    every new one.
    """
    before = {(result.page, result.system, result.version, result.digest): result for result in known}
    reused: list[Result] = []

    def tasks() -> Iterator[Task]:
        for page in pages:
            now = digest(page)
            keys = {name: (page.labels.id, name, version, now) for name, version in systems}
            reused.extend(before[key] for key in keys.values() if key in before)
            missing = tuple(name for name, key in keys.items() if key not in before)
            if missing:
                yield Task(page, missing)

    for outcome in outcomes(tasks()):
        if isinstance(outcome, LeftOut):
            counters.count("left out", outcome.reason)
            continue
        if outcome.error:
            counters.count(f"{outcome.system} failed", outcome.error)
        keep(outcome)
        yield outcome
    yield from reused
