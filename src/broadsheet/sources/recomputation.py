"""All counts of a source from the rows of its archive, in SQL: what `LinkHistory` counts visit by visit.

Needs DuckDB. The Parquet files are those of an archive. Many rows are counted in parts, one span of time after the
other, so that the time grows as the number of rows and each part fits into memory.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.sources import _count_statements as statements
from broadsheet.sources.target_counts import RECENT_SNAPSHOTS, TargetCounts

with needing("crawl", "computing the features of a source from its archive"):
    import duckdb

#: About so many rows are counted at a time. More need more memory: 4 million take about 0.5 GB.
ROWS_OF_A_PART = 4_000_000

_PARAMETER = re.compile(r"\$(\w+)")
_INTEGERS = (
    "linked_snapshots possible_snapshots moves comparisons referrers later_referrers recent_referrers visits "
    "content_moves"
).split()
_FRACTIONS = "first_seen last_seen article_links".split()


def recompute(  # noqa: PLR0913 - where the rows are, and how to read them
    visits: Sequence[Path],
    occurrences: Sequence[Path],
    *,
    every: float,
    source: str | None = None,
    articles: Collection[str] | None = None,
    memory: str | None = None,
    rows_of_a_part: int = ROWS_OF_A_PART,
) -> TargetCounts:
    """Count the links of a source, or of all, from Parquet files; snapshots are spans of `every` seconds.

    The rows are in the order of their keys. Texts are not in these files: `longest_text` is unknown. `memory` limits
    what DuckDB uses, such as `1GB`; what does not fit goes to disk, into the system's folder for temporary files.
    """
    given: dict[str, Any] = {
        "visits": list(map(str, visits)),
        "occurrences": list(map(str, occurrences)),
        "every": every,
        "source": source,
        "recent": RECENT_SNAPSHOTS,
        "articles": list(articles or ()),
    }
    with TemporaryDirectory() as folder, duckdb.connect(config=_settings(memory, folder)) as connection:
        # It would be drawn on standard output.
        connection.execute("SET enable_progress_bar = false")
        try:
            rows, linking_visits = _execute(connection, statements.SIZES, given).fetchall()[0]
            given["visits_of_a_part"] = max(rows_of_a_part * linking_visits // max(rows, 1), 1)
            for statement in statements.PREPARE:
                _execute(connection, statement, given)
            for (visit,) in connection.execute(statements.REPEATED).fetchall():
                raise InputError(f"visit {visit} stands twice in the archive's rows; `broadsheet check` says more")
            given["total"], now = connection.execute(statements.MOMENTS).fetchall()[0]
            _execute(connection, statements.PAGES, given)
            for part, first, last in connection.execute(statements.PARTS).fetchall():
                given |= {"part": part, "first_visit": first, "last_visit": last}
                for statement in statements.COUNT:
                    _execute(connection, statement, given)
            for statement in statements.ADD_UP:
                _execute(connection, statement, given)
            columns = connection.execute(statements.COUNTS).fetchnumpy()
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            raise InputError(f"the archive's rows cannot be read: {error}; `broadsheet check` says more") from error
    if articles is None:
        columns["article_links"] = np.full(len(columns["key"]), np.nan)
    typed: dict[str, Any] = {
        **{name: np.asarray(columns[name], np.int64) for name in _INTEGERS},
        **{name: np.asarray(columns[name], np.float64) for name in _FRACTIONS},
    }
    return TargetCounts(
        keys=columns["key"].tolist(),
        total_snapshots=given["total"],
        now=np.nan if now is None else now,
        longest_text=np.full(len(columns["key"]), np.nan),
        **typed,
    )


def _settings(memory: str | None, folder: str) -> dict[str, str | bool | int | float | list[str]]:
    # The order of rows in temporary tables means nothing, and keeping it takes memory.
    settings: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": folder,
        "preserve_insertion_order": False,
    }
    return {**settings, "memory_limit": memory} if memory else settings


def _execute(
    connection: "duckdb.DuckDBPyConnection", statement: str, given: Mapping[str, Any]
) -> "duckdb.DuckDBPyConnection":
    """Execute a statement with the parameters that it names."""
    named = set(_PARAMETER.findall(statement))
    return connection.execute(statement, {name: value for name, value in given.items() if name in named})
