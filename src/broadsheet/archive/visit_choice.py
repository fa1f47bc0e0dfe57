"""Visits of which something goes: which of those that are too old, without what the others refer to."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from broadsheet.archive.keep_ages import Cutoffs
from broadsheet.archive.pruning import NO_VISITS, Visits
from broadsheet.archive.prunings import Pruning, PruningKey
from broadsheet.base.keep_rules import KEEP_KINDS

#: What no visit has as its number.
NONE = -1


class TextNumbers:
    """Texts that occur in many rows, as numbers."""

    def __init__(self) -> None:
        """Begin without a text."""
        self.texts: list[str] = []
        self._codes: dict[str, int] = {}

    def codes(self, column: Any) -> Visits:  # noqa: ANN401 - pyarrow has no types
        """Return the number of each text of a column; a null is an empty text."""
        encoded = pc.fill_null(column, "").combine_chunks().dictionary_encode()
        own = np.array([self.code(text) for text in encoded.dictionary.to_pylist()], dtype=np.int64)
        codes: Visits = own[encoded.indices.to_numpy()]
        return codes

    def code(self, text: str) -> int:
        """Return the number of a text."""
        if text not in self._codes:
            self._codes[text] = len(self.texts)
            self.texts.append(text)
        return self._codes[text]


class ChosenVisits(NamedTuple):
    """Visits of which something may go, in columns.

    Texts are numbers of `TextNumbers`, and kinds places in `KEEP_KINDS`.
    """

    visits: Visits
    same_as: Visits
    kinds: Visits
    lengths: Visits
    warcs: Visits
    sources: Visits

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "ChosenVisits":
        """Return some of them."""
        return ChosenVisits(*(column[which] for column in self))


class VisitChoice:
    """Collects visits that are too old, and what those that stay refer to."""

    def __init__(self) -> None:
        """Begin without a visit."""
        self.names = TextNumbers()
        self._parts: list[ChosenVisits] = []
        self._needed: list[Visits] = []
        self._in_time: list[Visits] = []
        #: The bytes of answers in each WARC file, by its number, and those of them that will go in time.
        self.bytes_there: Counter[int] = Counter()
        self.bytes_in_time: Counter[int] = Counter()

    @property
    def in_time(self) -> Visits:
        """The visits that will go in time."""
        return np.concatenate(self._in_time)

    def add(self, table: Any, kinds: Visits, is_old: NDArray[np.bool_], is_there: NDArray[np.bool_]) -> None:  # noqa: ANN401 - no types
        """Take visits with the kinds as which they go in time, none for others, and which are old, and which there."""
        in_time = table.filter(pa.array(kinds != NONE))
        self._in_time.append(in_time["visit"].to_numpy())
        self._sum(table, self.bytes_there)
        self._sum(in_time, self.bytes_in_time)
        goes = (kinds != NONE) & is_old
        same_as = table["same_as"].fill_null(NONE).to_numpy()
        self._needed.append(np.unique(same_as[is_there & ~goes]))
        some = table.filter(pa.array(goes))
        texts = (self.names.codes(some[name]) for name in ("warc", "source"))
        numbers = (some[name].to_numpy() for name in ("visit", "length"))
        visits, lengths = numbers
        self._parts.append(ChosenVisits(visits, same_as[goes], kinds[goes], lengths, *texts))

    def _sum(self, table: Any, sizes: Counter[int]) -> None:  # noqa: ANN401 - pyarrow has no types
        codes, places = np.unique(self.names.codes(table["warc"]), return_inverse=True)
        sums = np.bincount(places, weights=table["length"].to_numpy(), minlength=len(codes))
        sizes.update({int(code): int(size) for code, size in zip(codes, sums, strict=True)})

    def settled(self) -> ChosenVisits:
        """Return the visits that may go, by number: none to which one refers that stays."""
        if not self._parts:
            return ChosenVisits(*[NO_VISITS] * len(ChosenVisits._fields))
        every = ChosenVisits(*(np.concatenate(columns) for columns in zip(*self._parts, strict=True)))
        needed = np.concatenate(self._needed)
        while (is_needed := np.isin(every.visits, needed)).any():
            needed = every.same_as[is_needed]
            every = every.only(~is_needed)
        return every.only(np.argsort(every.visits))

    def summed(
        self, going: ChosenVisits, numbers: Visits, sizes: Visits, cutoffs: Cutoffs
    ) -> dict[PruningKey, Pruning]:
        """Return how much goes by source and kind, given the numbers and sizes of what goes of each visit."""
        found: dict[PruningKey, Pruning] = {}
        pairs, places = np.unique(np.stack((going.sources, going.kinds)), axis=1, return_inverse=True)
        for place, (code, kind) in enumerate(pairs.T.tolist()):
            own = places.reshape(-1) == place
            source, name = self.names.texts[code], KEEP_KINDS[kind]
            before = cutoffs.moment(source, name)
            if before is None:
                raise AssertionError(f"no rule removes {name} of {source}")
            found[source, name] = Pruning(int(numbers[own].sum()), int(sizes[own].sum()), before)
        return found
