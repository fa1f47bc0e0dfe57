"""The link occurrences of a batch."""

from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

import numpy as np
import pyarrow as pa

from broadsheet.archive.article_json import to_valid_texts
from broadsheet.archive.link_rows import LinkRows
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
        lengths = list(map(len, self.rows))
        joined = chain.from_iterable
        columns = [
            np.repeat(np.array(self.visits, np.int64), lengths),
            joined(map(repeat, self.pages, lengths)),
            joined(rows.targets for rows in self.rows),
            joined(rows.urls for rows in self.rows),
            joined(rows.collections for rows in self.rows),
            np.concatenate([np.zeros(0, np.int32), *(rows.positions for rows in self.rows)]),
            joined(rows.paths for rows in self.rows),
            joined(to_valid_texts(rows.anchors) for rows in self.rows),
            np.repeat(np.array([rows.version for rows in self.rows], np.int16), lengths),
        ]
        arrays = [pa.array(column, kind) for column, kind in zip(columns, OCCURRENCES.types, strict=True)]
        return pa.Table.from_arrays(arrays, schema=OCCURRENCES)
