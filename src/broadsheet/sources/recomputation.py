"""All counts of a source from the rows of its archive, in SQL: what `LinkHistory` counts visit by visit.

Needs DuckDB. The Parquet files are those of an archive.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.sources.target_counts import RECENT_SNAPSHOTS, TargetCounts

with needing("crawl", "computing the features of a source from its archive"):
    import duckdb

#: One statement after the other; each makes a table that the later ones read. A visit that failed is left out, so that
#: its page is unknown then. A visit to a page that has not changed has the links of an earlier one. Addresses are
#: compared by 64-bit hashes, which takes less than half the time; that two of a million addresses share one has a
#: probability of 3 in 100 million.
_STATEMENTS = (
    """
    CREATE TEMP TABLE seen AS
    SELECT visit, page, hash(page) AS page_hash, epoch(fetched_at) AS moment, coalesce(same_as, visit) AS links_of,
        dense_rank() OVER (ORDER BY floor(epoch(fetched_at) / $every)) AS snapshot,
        row_number() OVER (PARTITION BY page ORDER BY fetched_at, visit) AS number
    FROM read_parquet($visits)
    WHERE (source = $source OR $source IS NULL) AND (status BETWEEN 200 AND 299 OR same_as IS NOT NULL)
    """,
    """
    CREATE TEMP TABLE linked AS
    SELECT seen.page_hash AS page, seen.number, seen.snapshot, seen.moment, hash(links.target) AS target,
        links.position, hash(seen.page_hash, links.target, links.collection, links.collection_version) AS occurrence
    FROM seen JOIN read_parquet($occurrences) AS links ON links.visit = seen.links_of
    """,
    """
    CREATE TEMP TABLE names AS
    SELECT hash(target) AS target, any_value(target) AS key FROM read_parquet($occurrences) GROUP BY 1
    """,
    # Nearly all links are alone in their collection; only the others are matched in their order. What is distinct is
    # counted as the bits of 64 visits at a time: that needs far fewer groups, and less than half the time.
    """
    CREATE TEMP TABLE several AS
    SELECT DISTINCT occurrence FROM (
        SELECT occurrence FROM linked GROUP BY occurrence, number // 64
        HAVING count(*) > bit_count(bit_or(1::UBIGINT << (number % 64)::INTEGER))
    )
    """,
    """
    CREATE TEMP TABLE ordered AS
    SELECT *, row_number() OVER (PARTITION BY occurrence, number ORDER BY position) AS copy
    FROM linked WHERE occurrence IN (SELECT occurrence FROM several)
    """,
    """
    CREATE TEMP TABLE moves AS
    SELECT target, sum(comparisons) AS comparisons, sum(moves) AS moves FROM (
        SELECT after.target, count(*) AS comparisons, count(*) FILTER (after.position <> before.position) AS moves
        FROM linked AS after JOIN linked AS before
            ON before.occurrence = after.occurrence AND before.number = after.number - 1
        WHERE after.occurrence NOT IN (SELECT occurrence FROM several)
        GROUP BY after.target
        UNION ALL
        SELECT after.target, count(*), count(*) FILTER (after.position <> before.position)
        FROM ordered AS after JOIN ordered AS before
            ON before.occurrence = after.occurrence AND before.number = after.number - 1 AND before.copy = after.copy
        GROUP BY after.target
    ) GROUP BY target
    """,
    """
    CREATE TEMP TABLE targets AS
    SELECT target, min(first) AS first, sum(snapshots)::BIGINT AS linked_snapshots,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
    FROM (
        SELECT target, min(snapshot) AS first, min(moment) AS first_seen, max(moment) AS last_seen,
            bit_count(bit_or(1::UBIGINT << (snapshot % 64)::INTEGER)) AS snapshots
        FROM linked GROUP BY target, snapshot // 64
    ) GROUP BY target
    """,
    "CREATE TEMP TABLE pairs AS SELECT page, target, min(snapshot) AS first FROM linked GROUP BY page, target",
    """
    CREATE TEMP TABLE pages AS
    SELECT page_hash AS page, any_value(page) AS key, count(*) AS visits, max(number) AS newest,
        bitstring_agg(snapshot, 1, $total) AS snapshots
    FROM seen GROUP BY page_hash
    """,
    """
    CREATE TEMP TABLE referrers AS
    SELECT pairs.target, count(*) AS referrers, count(*) FILTER (pairs.first > targets.first) AS later_referrers,
        count(*) FILTER (pairs.first > $total - $recent) AS recent_referrers,
        bit_count(bit_or(pages.snapshots)) AS possible_snapshots
    FROM pairs JOIN targets USING (target) JOIN pages ON pages.page = pairs.page
    GROUP BY pairs.target
    """,
    """
    CREATE TEMP TABLE contents AS
    SELECT pairs.page, sum(coalesce(moves, 0)) AS content_moves
    FROM pairs LEFT JOIN moves USING (target) GROUP BY pairs.page
    """,
    """
    CREATE TEMP TABLE article_links AS
    SELECT pages.page, count(DISTINCT linked.target) FILTER (linked.target IN (SELECT hash(unnest($articles))))
        AS article_links
    FROM pages LEFT JOIN linked ON linked.page = pages.page AND linked.number = pages.newest GROUP BY pages.page
    """,
)

_COUNTS = """
SELECT key, coalesce(linked_snapshots, 0) AS linked_snapshots, coalesce(possible_snapshots, 0) AS possible_snapshots,
    coalesce(moves, 0)::BIGINT AS moves, coalesce(comparisons, 0)::BIGINT AS comparisons,
    coalesce(referrers, 0) AS referrers,
    coalesce(later_referrers, 0) AS later_referrers, coalesce(recent_referrers, 0) AS recent_referrers,
    coalesce(visits, 0) AS visits, coalesce(content_moves, 0)::BIGINT AS content_moves,
    coalesce(first_seen, 'nan'::DOUBLE) AS first_seen, coalesce(last_seen, 'nan'::DOUBLE) AS last_seen,
    coalesce(article_links::DOUBLE, 'nan'::DOUBLE) AS article_links
FROM (SELECT page AS id, key FROM pages UNION SELECT target, key FROM targets JOIN names USING (target))
    LEFT JOIN targets ON targets.target = id LEFT JOIN referrers ON referrers.target = id
    LEFT JOIN moves ON moves.target = id LEFT JOIN (SELECT page, visits FROM pages) AS visited ON visited.page = id
    LEFT JOIN contents ON contents.page = id LEFT JOIN article_links ON article_links.page = id
ORDER BY key
"""

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
) -> TargetCounts:
    """Count the links of a source, or of all, from Parquet files; snapshots are spans of `every` seconds.

    The rows are in the order of their keys. Texts are not in these files: `longest_text` is unknown. `memory` limits
    what DuckDB uses, such as `1GB`; what does not fit goes to disk.
    """
    given: dict[str, Any] = {
        "visits": list(map(str, visits)),
        "occurrences": list(map(str, occurrences)),
        "every": every,
        "source": source,
        "recent": RECENT_SNAPSHOTS,
        "articles": list(articles or ()),
    }
    with duckdb.connect(config={"memory_limit": memory} if memory else {}) as connection:
        # It would be drawn on standard output.
        connection.execute("SET enable_progress_bar = false")
        try:
            for statement in _STATEMENTS:
                used = {name: value for name, value in given.items() if f"${name}" in statement}
                connection.execute(statement, used)
                if "total" not in given:
                    total, now = connection.execute("SELECT max(snapshot), max(moment) FROM seen").fetchall()[0]
                    given["total"] = total or 1
            columns = connection.execute(_COUNTS).fetchnumpy()
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
        total_snapshots=total or 0,
        now=np.nan if now is None else now,
        longest_text=np.full(len(columns["key"]), np.nan),
        **typed,
    )
