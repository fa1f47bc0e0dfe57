"""Readers and peers on the pages of corpora: which pages, and the results of all, old and new."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import Corpus
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels, Split
from broadsheet.corpora.page_readers import LeftOut, Outcome, Task
from broadsheet.corpora.results import MEASURING_ROOMS, Result, digest
from broadsheet.corpora.site_splits import sample
from broadsheet.corpora.systems import READER_ROOMS

#: What the figures of an evaluation depend on.
ROOMS = (*READER_ROOMS, *MEASURING_ROOMS, "learning")

Outcomes = Callable[[Iterable[Task]], Iterator[Outcome]]


@dataclass(frozen=True, slots=True)
class CorpusSelection:
    """Which labelled pages are read."""

    #: One of the splits, or None for both.
    split: Split | None = "dev"
    #: A kind of page, or None for all.
    kind: str | None = "article"
    #: So many pages, drawn turn by turn from each corpus; None for all.
    size: int | None = None
    seed: int = 0

    def choose(self, corpora: Sequence[Corpus], counters: Counters) -> list[PageLabels]:
        """Choose pages that have a body to compare with; those without are counted."""
        chosen = []
        for labels in (labels for corpus in corpora for labels in corpus.labels()):
            if self.split not in {None, labels.split} or self.kind not in {None, labels.kind}:
                continue
            if labels.gold.body:
                chosen.append(labels)
            else:
                counters.count("left out", "no body is labelled")
        return chosen if self.size is None else sample(chosen, self.size, self.seed)


def read_pages(corpora: Sequence[Corpus], chosen: Iterable[PageLabels], counters: Counters) -> Iterator[LabelledPage]:
    """Give the chosen pages, corpus by corpus, without holding more than one."""
    wanted: dict[str, set[str]] = {}
    for labels in chosen:
        wanted.setdefault(labels.corpus, set()).add(labels.name)
    for corpus in corpora:
        names = wanted.get(corpus.name, set())
        if names:
            yield from corpus.pages(lambda labels, names=names: labels.name in names, counters)  # type: ignore[misc]


def _keep_nothing(result: Result) -> None:
    del result


def evaluate(  # noqa: PLR0913 - what is measured, how, and what is known of it
    pages: Iterable[LabelledPage],
    systems: Sequence[tuple[str, str]],
    outcomes: Outcomes,
    counters: Counters,
    *,
    known: Iterable[Result] = (),
    keep: Callable[[Result], None] = _keep_nothing,
) -> Iterator[Result]:
    """Give the results of all systems, which are names and versions, on all pages.

    What is `known` from a run before is not measured again as long as page, labels and version are the same; `keep` is
    told of everything else.
    """
    before = {(result.page, result.system, result.version, result.digest): result for result in known}
    found: list[Result] = []

    def tasks() -> Iterator[Task]:
        for page in pages:
            now = digest(page)
            keys = {name: (page.labels.id, name, version, now) for name, version in systems}
            found.extend(before[key] for key in keys.values() if key in before)
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
    yield from found
