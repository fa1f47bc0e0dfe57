"""The link occurrences of a batch."""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from broadsheet.archive.archive_records import LinkRows
from broadsheet.archive.article_json import to_valid_unicode
from broadsheet.archive.parquet_files import OCCURRENCES


@dataclass(slots=True)
class LinkOccurrences:
    """Link occurrences in columns that grow; one array a visit."""

    visits: list[int] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    rows: list[LinkRows] = field(default_factory=list)

    def add(self, visit: int, page: str, rows: LinkRows) -> None:
        """Add the links that a visit found on a page."""
        self.visits.append(visit)
        self.pages.append(page)
        self.rows.append(rows)

    def table(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return all occurrences as one table."""
        chunks = [
            pa.table(
                [
                    pa.repeat(pa.scalar(visit, pa.int64()), len(rows)),
                    pa.repeat(page, len(rows)),
                    pa.array(rows.targets, pa.string()),
                    pa.array(rows.urls, pa.string()),
                    pa.array(rows.collections, pa.string()),
                    pa.array(rows.positions, pa.int32()),
                    pa.array(rows.paths, pa.string()),
                    pa.array(map(to_valid_unicode, rows.anchors), pa.string()),
                    pa.repeat(pa.scalar(rows.version, pa.int16()), len(rows)),
                ],
                schema=OCCURRENCES,
            )
            for visit, page, rows in zip(self.visits, self.pages, self.rows, strict=True)
        ]
        return pa.concat_tables(chunks) if chunks else OCCURRENCES.empty_table()
