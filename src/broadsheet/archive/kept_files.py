"""What an archive keeps in files: what was fetched, the visits, and the links that they found."""

from collections.abc import Collection, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import pyarrow.dataset

from broadsheet.archive import (
    catalogue,
    catalogued_files,
    linking_visits,
    parquet_files,
    tombstones,
    visits,
    warc_reading,
)
from broadsheet.archive.article_records import RecordPlace, StoredArticle
from broadsheet.archive.linking_visits import LinkingVisit
from broadsheet.archive.opened_archive import OpenedArchive
from broadsheet.base.exchange import Exchange


class KeptFiles(OpenedArchive):
    """Answers from the files."""

    def exchange(self, kept: StoredArticle | RecordPlace | int) -> Exchange:
        """Read back what was fetched: for an article, at a place, or in a visit, whose body may lie with another."""
        if isinstance(kept, int):
            return warc_reading.visit(self.folder, self._ask, kept)
        place = kept.place if isinstance(kept, StoredArticle) else kept
        return warc_reading.wherever(self.folder, self._ask, place)

    def locate(self, place: RecordPlace) -> RecordPlace | None:
        """Return where a record lies now whose WARC file was merged into another; None where it was not."""
        return self._ask(partial(catalogued_files.moved, place=place))

    def warcs(self) -> list[Path]:
        """Return the committed WARC files, the oldest first."""
        return [self.folder / "warc" / place.warc for place in self.warc_places()]

    def warc_places(self) -> list[RecordPlace]:
        """Return all bytes of the committed WARC files, the oldest first; `locate` finds them after a merging."""
        return [RecordPlace(file.name, 0, file.size) for file in self._files("warc")]

    def visits(self, *, forgotten: bool = False) -> pyarrow.dataset.Dataset:
        """Return all committed visits; those of forgotten pages, as far as they are still there, only if asked for."""
        if forgotten:
            return parquet_files.dataset(
                "visits", [self.folder / "visits" / file.name for file in self._files("visits")]
            )
        return self._dataset("visits")

    def last_visit(self) -> int:
        """Return the last visit that was committed, 0 where there is none."""
        return self._ask(lambda connection: catalogue.last_visit(connection, 0))

    def occurrences(self) -> pyarrow.dataset.Dataset:
        """Return all committed link occurrences; a visit with `same_as` has those of that visit."""
        return self._dataset("occurrences")

    def last_links(self, page: str) -> list[tuple[str, str, str | None]]:
        """Return key, address and text of each link of a page when it was last fetched whole, in page order."""
        content, forgotten = self._ask(
            lambda connection: (catalogue.content(connection, page), tombstones.forgotten_pages(connection))
        )
        found = visits.links(self.folder, self._ask, content.visit) if content else []
        return [link for link in found if link[0] not in forgotten]

    def linking_visits(self, source: str, pages: Collection[str], since: datetime) -> Iterator[LinkingVisit]:
        """Give the visits since a moment that were made for a source, or to some pages, with the links they found."""
        return linking_visits.linking_visits(self.folder, self._ask, source, pages, since)

    def _dataset(self, kind: str) -> pyarrow.dataset.Dataset:
        return self._ask(lambda connection: catalogued_files.dataset(self.folder, connection, kind))

    def _files(self, kind: str) -> list[catalogued_files.FileRow]:
        return self._ask(lambda connection: catalogued_files.files(connection, kind))
