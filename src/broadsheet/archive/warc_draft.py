"""The WARC file of a batch before it is committed: its records are written all at once.

A record that is written on its own, between the work on two pages, takes twice as long: nothing of what it needs is in
the processor's caches.
"""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from broadsheet.archive import warc
from broadsheet.base.exchange import Exchange

#: The part of a visit that its last exchange is, after the redirects that led to it.
ANSWER = "answer"


class ByteSpan(NamedTuple):
    """Which bytes of a WARC file a record is."""

    offset: int
    length: int


class WrittenWarc(NamedTuple):
    """A whole WARC file: its bytes, the number of its records, and where the answer of each visit is."""

    data: bytes
    records: int
    answers: dict[int, ByteSpan]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An exchange that is to be written, with the digest of its body, or of what it repeats."""

    visit: int
    part: str
    exchange: Exchange
    payload: str
    original: warc.Original | None


class WarcDraft:
    """Holds exchanges until they are written."""

    def __init__(self, archive: UUID) -> None:
        """Begin the file of an archive."""
        self._archive = archive
        self._kept: list[_Kept] = []

    def add(
        self, visit: int, part: str, exchange: Exchange, payload: str, original: warc.Original | None = None
    ) -> None:
        """Hold an exchange; without its body if it repeats an earlier answer."""
        self._kept.append(_Kept(visit, part, exchange, payload, original))

    def written(self) -> WrittenWarc:
        """Return the file; asked again, it returns the same bytes."""
        if not self._kept:
            return WrittenWarc(b"", 0, {})
        first = self._kept[0]
        members = [warc.information(self._archive, first.visit, first.exchange.at)]
        offset, answers = len(members[0]), dict[int, ByteSpan]()
        for kept in self._kept:
            record, *others = self._records(kept)
            if kept.part == ANSWER:
                answers[kept.visit] = ByteSpan(offset, len(record))
            members += (record, *others)
            offset += len(record) + sum(map(len, others))
        return WrittenWarc(b"".join(members), len(members), answers)

    def _records(self, kept: _Kept) -> list[bytes]:
        """Return the records of an exchange, that of the response first."""
        archive, visit, part, exchange = self._archive, kept.visit, kept.part, kept.exchange
        if kept.original is None:
            records = [warc.response(archive, visit, part, exchange, kept.payload)]
        else:
            records = [warc.revisit(archive, visit, exchange, kept.original, kept.payload)]
        if exchange.asked:
            records.append(warc.request(archive, visit, part, exchange))
        if exchange.rendered is not None:
            records.append(warc.conversion(archive, visit, part, exchange, exchange.rendered))
        return records
