"""The labelled pages of an experiment, from corpora on disk or generated."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.labelled_page import SPLITS, LabelledPage, PageLabels, Split
from broadsheet.corpora.site_splits import sample
from broadsheet.experiments._generated import ORIGIN, generate
from broadsheet.experiments.experiment import Context

Reader = Callable[[Sequence[PageLabels], Counters], Iterator[LabelledPage]]


@dataclass(frozen=True, slots=True)
class LabelledPages:
    """The chosen pages, a function that reads them, and a description of their origin."""

    chosen: tuple[PageLabels, ...]
    read: Reader
    origin: str


def labelled_pages(context: Context, sizes: dict[Split, int | None], seed: int = 0) -> LabelledPages:
    """Choose article pages with a labelled body, up to a size per split, from each corpus in turn."""
    if context.pages is None:
        context.say(f"no --pages given: using {ORIGIN}, so the figures say little about real pages")
        return _generated(context, sizes, seed)
    corpora = find_corpora([context.pages])
    chosen: list[PageLabels] = []
    for split in SPLITS:
        size = _size(context, sizes[split])
        chosen += CorpusSelection(split, "article", size, seed).choose(corpora, context.counters)
    return LabelledPages(tuple(chosen), partial(read_pages, corpora), "labelled pages of real sites")


def _generated(context: Context, sizes: dict[Split, int | None], seed: int) -> LabelledPages:
    pages = {page.labels.id: page for page in generate()}
    chosen: list[PageLabels] = []
    for split in SPLITS:
        members = [page.labels for page in pages.values() if page.labels.split == split]
        chosen += sample(members, _size(context, sizes[split]) or len(members), seed)

    def read(wanted: Sequence[PageLabels], counters: Counters) -> Iterator[LabelledPage]:
        del counters
        return (pages[labels.id] for labels in wanted)

    return LabelledPages(tuple(chosen), read, ORIGIN)


def _size(context: Context, wanted: int | None) -> int | None:
    return min((size for size in (wanted, context.sample) if size is not None), default=None)
