"""The labelled pages of an experiment: those of corpora on disk, or such as the news web makes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.labelled_page import SPLITS, LabelledPage, PageLabels, Split
from broadsheet.corpora.site_splits import sample
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.generated import ORIGIN, generate

Reader = Callable[[Sequence[PageLabels], Counters], Iterator[LabelledPage]]


@dataclass(frozen=True, slots=True)
class LabelledPages:
    """Chosen pages with a body, by split, how to read them, and where they come from, in words."""

    chosen: tuple[PageLabels, ...]
    read: Reader
    origin: str

    def of(self, split: Split) -> list[PageLabels]:
        """Return the chosen pages of one split."""
        return [labels for labels in self.chosen if labels.split == split]


def labelled_pages(context: Context, sizes: dict[Split, int | None], seed: int = 0) -> LabelledPages:
    """Choose article pages with a body, at most so many of each split, turn by turn from each corpus."""
    if context.pages is None:
        context.say(f"no --pages: this runs on {ORIGIN}, which says little about real ones")
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
        own = [page.labels for page in pages.values() if page.labels.split == split]
        chosen += sample(own, _size(context, sizes[split]) or len(own), seed)

    def read(wanted: Sequence[PageLabels], counters: Counters) -> Iterator[LabelledPage]:
        del counters
        return (pages[labels.id] for labels in wanted)

    return LabelledPages(tuple(chosen), read, ORIGIN)


def _size(context: Context, wanted: int | None) -> int | None:
    return min((size for size in (wanted, context.sample) if size is not None), default=None)
