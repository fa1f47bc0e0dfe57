"""What happened in an archive, who was told of it, and what was forgotten."""

from collections.abc import Collection

from broadsheet.archive import deliveries, event_log, seal, tombstones
from broadsheet.archive.database import Database
from broadsheet.archive.event_records import DEPARTURES, ArchiveEvent, EventKind, Tombstone
from broadsheet.archive.opened_archive import OpenedArchive
from broadsheet.base import urls
from broadsheet.base.clock import SystemClock


class KeptEvents(OpenedArchive):
    """Answers questions about what happened."""

    def events(
        self,
        after: int = 0,
        *,
        kinds: Collection[EventKind] = (),
        source: str | None = None,
        url: str | None = None,
        limit: int | None = None,
    ) -> list[ArchiveEvent]:
        """Return what happened after an event: articles that came, changed or went, and sections and sources."""
        key, page = self._key(source), None if url is None else urls.key(url)
        return self._ask(
            lambda connection: event_log.events(
                connection, after=after, kinds=kinds, source=key, page=page, limit=limit
            )
        )

    def departures(self, source: str | None = None) -> dict[str, ArchiveEvent]:
        """Return how each article went that was deleted or moved and has not returned, by its key."""
        newest = {event.page: event for event in self.events(kinds=DEPARTURES | {EventKind.RETURN}, source=source)}
        return {page: event for page, event in newest.items() if event.kind in DEPARTURES}

    def last_event(self) -> int:
        """Return the id of the newest event, 0 where there is none."""
        return self._ask(event_log.last)

    def tombstones(self) -> list[Tombstone]:
        """Return the pages and sources that were forgotten."""
        return self._ask(tombstones.stored)

    def delivered(self, hook: str) -> int | None:
        """Return the last event that a listener outside has confirmed; None if it was never told of any."""
        return self._ask(lambda connection: deliveries.delivered(connection, hook))

    def note_delivery(self, hook: str, event: int) -> None:
        """Keep that a listener outside has received all events up to one; that needs no lease."""
        database = Database(self.folder, writable=True)
        was_sealed = False
        try:
            with database.writing() as connection:
                was_sealed = seal.is_there(self.folder)
                seal.break_seal(self.folder)
                deliveries.note(connection, hook, event, SystemClock().now())
        finally:
            if was_sealed:
                database.close_sealed()
            else:
                database.close()
