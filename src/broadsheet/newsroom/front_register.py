"""What is known of the fronts of each source, as the archive keeps it."""

from dataclasses import replace
from datetime import timedelta

from broadsheet.archive import FrontRecord
from broadsheet.newsroom.desk import Desk

#: A section that brought nothing when it was given up is not followed again for so long.
REJOIN_AFTER = timedelta(days=30)


class FrontRegister:
    """Reads what is known of fronts from the archive once for each source, and keeps it up to date there."""

    def __init__(self, desk: Desk) -> None:
        """Know no source yet."""
        self._desk = desk
        self._records: dict[str, dict[str, FrontRecord]] = {}

    def known(self, source: str) -> dict[str, FrontRecord]:
        """Return what is known of the fronts of a source, by their keys."""
        if source not in self._records:
            self._records[source] = self._desk.writer.front_records(source)
        return self._records[source]

    def of(self, source: str, page: str) -> FrontRecord:
        """Return what is known of a front."""
        return self.known(source).get(page) or FrontRecord(source=source, page=page)

    def put(self, record: FrontRecord) -> None:
        """Keep what is known of a front."""
        self.known(record.source)[record.page] = record
        self._desk.batch.front(record)

    def leave(self, source: str, page: str, because: str, *, may_rejoin: bool) -> None:
        """Note that a section was given up, and whether it is followed again as soon as it looks like one."""
        now, known = self._desk.clock.now(), self.of(source, page)
        self.put(replace(known, left_at=now, left_because=because, may_rejoin=may_rejoin))

    def join(self, source: str, page: str) -> None:
        """Note that a section is followed; it may have been given up before."""
        known = self.of(source, page)
        if known.left_at is not None:
            self.put(replace(known, left_at=None, left_because="", may_rejoin=False))

    def may_join(self, source: str, page: str) -> bool:
        """Return whether a section may be followed: it was not given up lately, or not for long."""
        known = self.of(source, page)
        left = known.left_at
        return left is None or known.may_rejoin or self._desk.clock.now() - left >= REJOIN_AFTER
