"""Visits found again in the WARC files themselves, whatever the catalogue and the Parquet files still say."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from broadsheet.archive import scan, warc
from broadsheet.archive.durable_files import HashedFile, Stored, put_written
from broadsheet.archive.scan import FoundRecord
from broadsheet.archive.shards import LAST_SHARD, first_visit_of, shard_of
from broadsheet.archive.visit_counts import wire_size
from broadsheet.base import statuses, urls
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.exchange import Exchange

#: Where an answer lies: the name of its file, and the byte at which its record begins.
Location = tuple[str, int]
VisitRow = dict[str, Any]


class SalvagedAnswer(NamedTuple):
    """The last record of a visit, with the exchanges that led to it."""

    found: FoundRecord
    exchanges: tuple[Exchange, ...]


@dataclass(slots=True)
class Salvage:
    """Collects the visits of WARC files; each keeps its number where that can be known and is still free."""

    archive: UUID
    #: The rows that Parquet files hold, by where the answer lies.
    known: dict[Location, VisitRow]
    #: The highest number that a visit of each shard may have been given; there is always the first shard.
    highest: dict[int, int]
    #: The pages that were forgotten.
    forgotten_pages: frozenset[str] = frozenset()
    #: The visits whose responses were removed by a keep rule; their rows are all that there is of them.
    removed: Mapping[int, VisitRow] = field(default_factory=dict)
    visits: dict[int, VisitRow] = field(default_factory=dict)
    #: The visits of forgotten pages whose bytes are still there: nothing is rebuilt from them, but the next merging has
    #: to know which records to leave out.
    forgotten: dict[int, VisitRow] = field(default_factory=dict)
    #: The visits whose answers have a body of their own.
    whole: set[int] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin with the visits of which no response is looked for."""
        self.visits |= self.removed

    def take(self, path: Path) -> int:
        """Add the visits of a file that are not there yet, and return how many."""
        return sum(
            self._add(path.name, answer) for answer in _answers(path, lambda found: self._is_answer(path.name, found))
        )

    def leave(self, path: Path) -> None:
        """Forget what was found in a file that is left where it is, because only forgotten pages are in it."""
        self.forgotten = {number: row for number, row in self.forgotten.items() if row["warc"] != path.name}

    def _add(self, name: str, answer: SalvagedAnswer) -> bool:
        headers, last = answer.found.record.headers, answer.exchanges[-1]
        row = self.known.get((name, answer.found.offset))
        number = row["visit"] if row else self._number(headers.get("warc-record-id", ""))
        digest = headers.get("warc-payload-digest")
        other = (self.visits.get(number) or self.forgotten.get(number)) if number is not None else None
        if other is not None and (other["fetched_at"], other["digest"]) == (last.at, digest):
            return False
        if number is None or other is not None:
            number = self.highest[0] = self.highest[0] + 1
        page = self._page(row, answer)
        kept = self.forgotten if page in self.forgotten_pages else self.visits
        kept[number] = {
            "visit": number,
            "page": page,
            "url": row["url"] if row else last.url,
            "source": row["source"] if row else None,
            "fetched_at": last.at,
            "status": last.status,
            "digest": digest,
            # A body that a revisit repeats was received, but is not in its record.
            "bytes": row["bytes"] if row else wire_size(*answer.exchanges),
            "warc": name,
            "offset": answer.found.offset,
            "length": answer.found.length,
            "same_as": row["same_as"] if row else self._number(headers.get("warc-refers-to", "")),
            "why": row["why"] if row else None,
        }
        if answer.found.record.type == "response":
            self.whole.add(number)
        return kept is self.visits

    def _page(self, row: VisitRow | None, answer: SalvagedAnswer) -> str:
        """Return the page of a visit; a forgotten one, if any of its addresses is that of one."""
        keys = [urls.key(exchange.url) for exchange in answer.exchanges]
        page: str = row["page"] if row else keys[0]
        return next((key for key in (page, *keys) if key in self.forgotten_pages), page)

    def _is_answer(self, name: str, found: FoundRecord) -> bool:
        if (name, found.offset) in self.known or self._number(found.record.headers.get("warc-record-id", "")):
            return True
        return warc.exchange(found.record, None).status not in statuses.NOT_THE_PAGE

    def _number(self, identity: str) -> int | None:
        """Return the visit whose answer has a record id: ids follow from visits, so all that can be are tried."""
        if not self._numbers:
            self._numbers = {
                warc.record_id(self.archive, visit, "answer"): visit
                for shard, highest in self.highest.items()
                for visit in range(first_visit_of(shard) + 1, highest + 1)
            }
        return self._numbers.get(identity)


def rescue(folder: Path, path: Path) -> tuple[Stored, dict[int, int]] | None:
    """Put the intact records of a damaged file into a new one, and say where each lay; None where there are none."""
    origins: dict[int, int] = {}

    def write(out: HashedFile) -> None:
        with path.open("rb") as file:
            for found in _with_answers(scan.records(path)):
                origins[out.size] = found.offset
                file.seek(found.offset)
                out.write(file.read(found.length))

    if next(scan.records(path), None) is None:
        return None
    return put_written(folder, "warc", write, do_nothing), origins


def _with_answers(records: Iterable[FoundRecord]) -> Iterator[FoundRecord]:
    """Give records without what scripts wrote whose answers are damaged: nobody could tell whose it is."""
    answer: warc.Record | None = None
    for found in records:
        if found.record.type == warc.CONVERSION:
            if answer is None or not warc.belongs(found.record, answer):
                continue
        elif found.record.type in {"response", "revisit"}:
            answer = found.record.without_block()
        yield found


def archive_of(path: Path) -> UUID | None:
    """Return the id of the archive that a WARC file says it belongs to."""
    return next((to_uuid(stated) for stated in _stated(path, "isPartOf")), None)


def first_visits(path: Path) -> Iterator[int]:
    """Give the visits that a WARC file says it, or a file that was merged into it, begins with."""
    for stated in _stated(path, warc.FIRST_VISIT):
        if stated.isdecimal() and len(stated) < 20 and shard_of(int(stated)) <= LAST_SHARD:
            yield int(stated)


def _stated(path: Path, field: str) -> Iterator[str]:
    """Give what the records that describe a WARC file say in a field."""
    for found in scan.records(path):
        if found.record.type == "warcinfo":
            for line in found.record.block.decode("utf-8", "replace").splitlines():
                name, _, value = line.partition(":")
                if name == field:
                    yield value.strip()


def count(path: Path) -> int:
    """Return how many answers a file holds at the most."""
    return sum(found.record.type in {"response", "revisit"} for found in scan.records(path))


def _answers(path: Path, is_answer: Callable[[FoundRecord], bool]) -> Iterator[SalvagedAnswer]:
    """Give the answers of a file; what comes before one and is not an answer itself led to it."""
    exchanges: list[Exchange] = []
    for found in scan.records(path):
        if found.record.type not in {"response", "revisit"}:
            continue
        try:
            exchanges.append(warc.exchange(found.record, None))
        except warc.RecordError:
            continue
        if is_answer(found):
            yield SalvagedAnswer(found, tuple(exchanges))
            exchanges = []


def to_uuid(text: str) -> UUID | None:
    """Return the id that a text is; None where it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
