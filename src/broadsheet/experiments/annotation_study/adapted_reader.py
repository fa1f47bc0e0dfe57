"""The readers that annotated pages adapt, as `train` does, and how well they read other pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from broadsheet.base.records import Label, Reading
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.document import Document
from broadsheet.reading import memory_reader, trained
from broadsheet.reading.measured_lines import SHIPPED
from broadsheet.training.corpus_training import adapt_nets
from broadsheet.training.labelled_documents import LabelledDocument
from broadsheet.training.memory_adaptation import remember_pages

Annotated: TypeAlias = tuple[PageLabels, LabelledDocument]
Models = TypeVar("Models")

_TEXT = (Label.BODY, Label.HEADING)


@dataclass(frozen=True, slots=True)
class AdaptedReader(Generic[Models]):
    """A reader, its shipped models, and how annotated pages change them; what does not help leaves them as they are."""

    name: str
    shipped: Callable[[], Models]
    adapt: Callable[[Sequence[Annotated], Models], Models]
    read: Callable[[Document, Models], Reading]

    def mean_f(self, models: Models, pages: Sequence[LabelledDocument]) -> float:
        """Return the mean F of the body of pages, headings included, by characters."""
        return round(float(np.mean([self._f(models, page) for page in pages])), 5)

    def _f(self, models: Models, page: LabelledDocument) -> float:
        characters = np.diff(page.document.sums.characters)
        found, expected = (np.isin(labels, _TEXT) for labels in (self.read(page.document, models).labels, page.labels))
        total = int(characters[found].sum() + characters[expected].sum())
        return 2 * int(characters[found & expected].sum()) / total if total else 1.0


READERS: tuple[AdaptedReader[Any], ...] = (
    AdaptedReader(
        trained.NAME,
        lambda: trained.load_models(SHIPPED),
        lambda pages, nets: adapt_nets(pages, nets).models,
        trained.read_with,
    ),
    AdaptedReader(
        memory_reader.NAME,
        lambda: memory_reader.load_models(memory_reader.SHIPPED),
        lambda pages, memory: remember_pages(memory, [page for _, page in pages]).models,
        memory_reader.read_with,
    ),
)
