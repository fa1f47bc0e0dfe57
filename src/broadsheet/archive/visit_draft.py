"""The visits of a batch before they are committed: their rows, the records of their exchanges, and their links."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import pyarrow as pa

from broadsheet.archive import warc
from broadsheet.archive.link_occurrences import LinkOccurrences
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.parquet_files import VISITS
from broadsheet.archive.warc_draft import ANSWER, ByteSpan, WarcDraft, WrittenWarc
from broadsheet.base.exchange import Exchange


class VisitDraft:
    """Holds visits until they are written."""

    def __init__(self, archive: UUID) -> None:
        """Begin the visits of an archive."""
        self.links = LinkOccurrences()
        #: How many bytes the exchanges and rendered pages take.
        self.size = 0
        self._rows: dict[int, dict[str, Any]] = {}
        #: The visits whose own answers hold a page.
        self._whole: set[int] = set()
        self._records = WarcDraft(archive)

    def __len__(self) -> int:
        """Return how many visits there are."""
        return len(self._rows)

    @property
    def first(self) -> int:
        """The id of the first visit."""
        return min(self._rows)

    @property
    def last(self) -> int:
        """The id of the last visit."""
        return max(self._rows)

    def add(
        self,
        row: dict[str, Any],
        exchanges: tuple[Exchange, ...],
        links: LinkRows | None,
        *,
        repeated: warc.Original | None,
        is_whole: bool,
    ) -> None:
        """Hold a visit: its row, its exchanges, of which the last one may repeat an earlier answer, and its links."""
        visit, answer = row["visit"], exchanges[-1]
        for number, exchange in enumerate(exchanges[:-1]):
            self._records.add(visit, f"redirect/{number}", exchange, warc.digest(exchange.body))
        self._records.add(visit, ANSWER, answer, row["digest"], repeated)
        if links is not None and len(links):
            self.links.add(visit, row["page"], links)
        if is_whole:
            self._whole.add(visit)
        self.size += row["bytes"] + len(answer.rendered or b"")
        self._rows[visit] = row

    def origin(self, visit: int) -> tuple[int, datetime] | None:
        """Return the visit whose answer holds what a visit found, and when that was made; None for one not held."""
        row = self._rows.get(visit)
        if row is None:
            return None
        is_repeated = row["same_as"] is not None and visit not in self._whole
        return row["same_as"] if is_repeated else visit, row["fetched_at"]

    def warc(self) -> WrittenWarc:
        """Return the WARC file of the exchanges."""
        return self._records.written()

    def table(self, name: str, answers: Mapping[int, ByteSpan]) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the visits as a table, given the name of their WARC file, and where their answers are in it."""
        rows = [{**row, "warc": name, **answers[visit]._asdict()} for visit, row in self._rows.items()]
        return pa.Table.from_pylist(rows, schema=VISITS)
