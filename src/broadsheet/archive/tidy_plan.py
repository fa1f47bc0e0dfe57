"""What the rules of `keep` remove from an archive: which responses, which link occurrences, and in which files."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sqlalchemy import Connection

from broadsheet.archive import catalogue, old_events, parquet_files, prunings, tombstones
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.archive_records import SourceRecord, VisitReason
from broadsheet.archive.catalogue import FileRow
from broadsheet.archive.page_kinds import PageKinds, page_kinds
from broadsheet.archive.pruning import NO_VISITS, Visits
from broadsheet.archive.prunings import Pruning, PruningKey
from broadsheet.archive.shards import VISITS_PER_SHARD
from broadsheet.base.keep_rules import KEEP_EVERYTHING, KEEP_KINDS, RESPONSE_KINDS, KeepRule

#: What no visit has as its number.
_NONE = -1
_LINKS = "links"
_COLUMNS = ("visit", "page", "source", "fetched_at", "warc", "length", "same_as", "why")
#: Before all visits.
_NEVER = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class KeepRules:
    """The rules of the sources that have one of their own, by key, and the rule for all others."""

    default: KeepRule = KEEP_EVERYTHING
    own: Mapping[str, KeepRule] | None = None

    @classmethod
    def of(cls, sources: Iterable[SourceRecord], default: KeepRule) -> "KeepRules":
        """Return the rules that are set for sources."""
        stated = ((source.key, source.settings.keep) for source in sources)
        return cls(default, {key: KeepRule.parse(text) for key, text in stated if text})

    def rule(self, source: str | None) -> KeepRule:
        """Return the rule for the visits that were made for a source."""
        return (self.own or {}).get(source or "", self.default)

    @property
    def shortest(self) -> timedelta | None:
        """The shortest age that a rule names; None if none removes anything."""
        ages = (rule.shortest for rule in (self.default, *(self.own or {}).values()))
        return min((age for age in ages if age is not None), default=None)


class FileShare(NamedTuple):
    """A file of which something is to go: how much of it, and what that is."""

    file: FileRow
    #: The share of the file that goes now, and the share of what the rules will remove from it in time; 0 to 1.
    share: float
    ripeness: float
    removed: Mapping[PruningKey, Pruning]


@dataclass(frozen=True, slots=True, eq=False)
class TidyPlan:
    """What the rules remove: from which files, the responses of which visits, and the links of which."""

    files: Sequence[FileShare]
    responses: Visits
    links: Visits
    #: The events that go, which are not in files.
    events: Mapping[PruningKey, Pruning] = field(default_factory=dict)

    @property
    def removed(self) -> dict[PruningKey, Pruning]:
        """How much that is, by source and kind; bytes of links are estimated."""
        return prunings.united([*(share.removed for share in self.files), self.events])


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was removed by source and kind, from how many files, and by how many bytes the archive shrank."""

    removed: Mapping[PruningKey, Pruning]
    files: int = 0
    bytes: int = 0
    #: Files that stay as they are until they are repaired.
    damaged: tuple[str, ...] = ()


#: Gives the files one by one, and may show how many are done.
Tracking = Callable[[Sequence[FileShare]], Iterable[FileShare]]


class _Cutoffs:
    """The moment before which visits are too old, by source and kind."""

    def __init__(self, rules: KeepRules, now: datetime) -> None:
        self._rules = rules
        self._now = now

    def moment(self, source: str | None, kind: str) -> datetime | None:
        age = getattr(self._rules.rule(source), kind)
        try:
            return None if age is None else self._now - age
        except OverflowError:
            return None

    def are_named(self, table: Any, kind: str) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
        """Say of each visit of a table whether a rule names a kind for its source."""
        named: NDArray[np.bool_] = self._ends(table, kind) != _NEVER
        return named

    def are_old(self, table: Any, kind: str) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
        """Say of each visit of a table whether it is too old for a kind."""
        moments: NDArray[np.int64] = table["fetched_at"].cast(pa.int64()).to_numpy()
        old: NDArray[np.bool_] = moments < self._ends(table, kind)
        return old

    def _ends(self, table: Any, kind: str) -> NDArray[np.int64]:  # noqa: ANN401 - pyarrow has no types
        """Return for each visit of a table the moment before which it is too old."""
        column = table["source"].combine_chunks().dictionary_encode()
        ends = [self.moment(source, kind) for source in (*column.dictionary.to_pylist(), None)]
        numbers = pa.array(ends, pa.timestamp("us", tz="UTC")).cast(pa.int64()).fill_null(_NEVER).to_numpy()
        # The last one is for visits without a source.
        codes = column.indices.fill_null(len(ends) - 1).to_numpy()
        each: NDArray[np.int64] = numbers[codes]
        return each


class _Names:
    """Texts that occur in many rows, as numbers."""

    def __init__(self) -> None:
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


class _Chosen(NamedTuple):
    """Visits of which something may go, in columns; texts are numbers of `_Names`, and kinds places in `KEEP_KINDS`."""

    visits: Visits
    same_as: Visits
    kinds: Visits
    lengths: Visits
    warcs: Visits
    sources: Visits

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> "_Chosen":
        return _Chosen(*(column[which] for column in self))


class _Choice:
    """Collects visits that are too old, and what those that stay refer to."""

    def __init__(self) -> None:
        self.names = _Names()
        self._parts: list[_Chosen] = []
        self._needed: list[Visits] = []
        self._in_time: list[Visits] = []
        #: The bytes that will go in time from each WARC file, by its number.
        self.bytes_in_time: Counter[int] = Counter()

    @property
    def in_time(self) -> Visits:
        """The visits that will go in time."""
        return np.concatenate(self._in_time)

    def add(self, table: Any, kinds: Visits, is_old: NDArray[np.bool_], is_there: NDArray[np.bool_]) -> None:  # noqa: ANN401 - no types
        """Take visits with the kinds as which they go in time, none for others, and which are old, and which there."""
        self._note(table.filter(pa.array(kinds != _NONE)))
        goes = (kinds != _NONE) & is_old
        same_as = table["same_as"].fill_null(_NONE).to_numpy()
        self._needed.append(np.unique(same_as[is_there & ~goes]))
        some = table.filter(pa.array(goes))
        texts = (self.names.codes(some[name]) for name in ("warc", "source"))
        numbers = (some[name].to_numpy() for name in ("visit", "length"))
        visits, lengths = numbers
        self._parts.append(_Chosen(visits, same_as[goes], kinds[goes], lengths, *texts))

    def _note(self, table: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        self._in_time.append(table["visit"].to_numpy())
        codes, places = np.unique(self.names.codes(table["warc"]), return_inverse=True)
        sums = np.bincount(places, weights=table["length"].to_numpy(), minlength=len(codes))
        self.bytes_in_time.update({int(code): int(size) for code, size in zip(codes, sums, strict=True)})

    def settled(self) -> _Chosen:
        """Return the visits that may go, by number: none to which one refers that stays."""
        if not self._parts:
            return _Chosen(*[NO_VISITS] * len(_Chosen._fields))
        every = _Chosen(*(np.concatenate(columns) for columns in zip(*self._parts, strict=True)))
        needed = np.concatenate(self._needed)
        while (is_needed := np.isin(every.visits, needed)).any():
            needed = every.same_as[is_needed]
            every = every.only(~is_needed)
        return every.only(np.argsort(every.visits))

    def summed(self, going: _Chosen, numbers: Visits, sizes: Visits, cutoffs: _Cutoffs) -> dict[PruningKey, Pruning]:
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


def tidy_plan(
    folder: Path, connection: Connection, rules: KeepRules, now: datetime, shard: int | None = None
) -> TidyPlan:
    """Return what the rules remove at a moment, in all shards or in one.

    All visits are read once, a bounded number at a time.
    """
    if rules.shortest is None:
        return TidyPlan((), NO_VISITS, NO_VISITS)
    kinds, cutoffs = page_kinds(connection), _Cutoffs(rules, now)
    forgotten = tombstones.forgotten_pages(connection)
    paths = [folder / "visits" / file.name for file in catalogue.files(connection, "visits")]
    responses, links = _Choice(), _Choice()
    try:
        for table in parquet_files.batches("visits", paths, forgotten):
            _choose(table.select(list(_COLUMNS)), kinds, cutoffs, shard, responses, links)
        going, unlinked = responses.settled(), links.settled()
        files = [
            *_warc_shares(catalogue.files(connection, "warc"), responses, going, cutoffs),
            *_link_shares(folder, catalogue.files(connection, "occurrences"), links, unlinked, cutoffs),
        ]
    except (pa.ArrowException, OSError) as error:
        raise ArchiveError(f"{folder}: its visits or links cannot be read: {error}; run `broadsheet check`") from error
    return TidyPlan(files, going.visits, unlinked.visits, old_events.planned(connection, cutoffs.moment))


def _choose(  # noqa: PLR0913, PLR0917 - what is known, and what is made of it
    table: Any,  # noqa: ANN401 - pyarrow has no types
    kinds: PageKinds,
    cutoffs: _Cutoffs,
    shard: int | None,
    responses: _Choice,
    links: _Choice,
) -> None:
    visits = table["visit"].to_numpy()
    is_ours = np.ones(len(visits), dtype=bool) if shard is None else visits // VISITS_PER_SHARD == shard
    is_there = pc.not_equal(table["warc"], parquet_files.REMOVED).to_numpy()
    # The article that they are a part of was read from them.
    is_part = pc.equal(table["why"], VisitReason.CONTINUATION.value).fill_null(False).to_numpy()
    may_go = is_ours & is_there & ~is_part & ~np.isin(visits, kinds.needed)
    named, is_old = np.full(len(visits), _NONE, dtype=np.int64), np.zeros(len(visits), dtype=bool)
    for kind in RESPONSE_KINDS:
        is_kind = pc.is_in(table["page"], kinds.keys[kind]).to_numpy()
        named[may_go & is_kind & cutoffs.are_named(table, kind)] = KEEP_KINDS.index(kind)
        is_old |= is_kind & cutoffs.are_old(table, kind)
    responses.add(table, named, is_old, is_there)
    may_lose_links = is_ours & cutoffs.are_named(table, _LINKS) & ~np.isin(visits, kinds.newest)
    places = np.where(may_lose_links, KEEP_KINDS.index(_LINKS), _NONE)
    links.add(table, places, cutoffs.are_old(table, _LINKS), np.ones(len(visits), dtype=bool))


def _warc_shares(files: Sequence[FileRow], choice: _Choice, going: _Chosen, cutoffs: _Cutoffs) -> Iterator[FileShare]:
    for file in files:
        own = going.only(going.warcs == choice.names.code(file.name))
        if len(own.visits):
            removed = choice.summed(own, np.ones_like(own.visits), own.lengths, cutoffs)
            size = int(own.lengths.sum())
            in_time = choice.bytes_in_time[choice.names.code(file.name)]
            yield FileShare(file, size / file.size, size / max(in_time, size), removed)


def _link_shares(
    folder: Path, files: Sequence[FileRow], choice: _Choice, going: _Chosen, cutoffs: _Cutoffs
) -> Iterator[FileShare]:
    for file in files:
        if not len(going.visits) or file.first_visit > going.visits[-1]:
            continue
        column = pq.read_table(folder / file.kind / file.name, columns=["visit"])["visit"].to_numpy()
        visits, counts = np.unique(column, return_counts=True)
        rows = counts[np.isin(visits, going.visits)].astype(np.int64)
        if len(rows):
            own = going.only(np.isin(going.visits, visits))
            sizes = rows * file.size // file.rows
            number, in_time = int(rows.sum()), int(counts[np.isin(visits, choice.in_time)].sum())
            removed = choice.summed(own, rows, sizes, cutoffs)
            yield FileShare(file, number / file.rows, number / max(in_time, number), removed)
