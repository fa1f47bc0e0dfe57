"""The statements by which `recomputation` counts, in DuckDB's SQL.

A visit that failed is left out, so that its page is unknown then. A visit to a page that has not changed has the links
of an earlier one. Addresses are compared by 64-bit hashes, which takes less than half the time; that two of a million
addresses share one has a probability of 3 in 100 million.
"""

SIZES = """
SELECT (SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata($occurrences)),
    (SELECT count(*) FROM read_parquet($visits) WHERE same_as IS NULL)
"""

#: What is known of visits, and empty tables for what is counted in each part. A part has whole snapshots, so that what
#: is distinct in one is distinct in all. Of the visits to a page in one snapshot, only the first is compared with that
#: of an earlier snapshot: `place` numbers these, and is 0 for the others; `next_part` is where the next of them is.
PREPARE = (
    """
    CREATE TEMP TABLE seen AS
    SELECT *, lead(part) OVER (PARTITION BY page, place = 0 ORDER BY number) AS next_part FROM (
        SELECT *, (rank() OVER (ORDER BY snapshot) - 1) // $visits_of_a_part AS part,
            (CASE WHEN lag(snapshot) OVER earlier IS DISTINCT FROM snapshot
                THEN dense_rank() OVER (PARTITION BY page ORDER BY snapshot) ELSE 0 END)::INTEGER AS place
        FROM (
            SELECT visit, page, hash(page) AS page_hash, epoch(fetched_at) AS moment,
                coalesce(same_as, visit) AS links_of,
                (dense_rank() OVER (ORDER BY floor(epoch(fetched_at) / $every)))::INTEGER AS snapshot,
                (row_number() OVER (PARTITION BY page ORDER BY fetched_at, visit))::INTEGER AS number
            FROM read_parquet($visits)
            WHERE (source = $source OR $source IS NULL) AND (status BETWEEN 200 AND 299 OR same_as IS NOT NULL)
        ) WINDOW earlier AS (PARTITION BY page ORDER BY number)
    )
    """,
    """
    CREATE TEMP TABLE names AS
    SELECT hash(target) AS target, any_value(target) AS key FROM read_parquet($occurrences) GROUP BY 1
    """,
    "CREATE TEMP TABLE counted_moves (target UBIGINT, comparisons BIGINT, moves BIGINT)",
    """
    CREATE TEMP TABLE counted_targets
        (target UBIGINT, first INTEGER, linked_snapshots BIGINT, first_seen DOUBLE, last_seen DOUBLE)
    """,
    "CREATE TEMP TABLE counted_pairs (page UBIGINT, target UBIGINT, first INTEGER)",
    "CREATE TEMP TABLE article_links (page UBIGINT, article_links BIGINT)",
)
REPEATED = "SELECT visit FROM seen GROUP BY visit HAVING count(*) > 1 ORDER BY visit LIMIT 1"
MOMENTS = "SELECT coalesce(max(snapshot), 0), max(moment) FROM seen"
#: The parts, and the first and the last visit with links of each.
PARTS = """
SELECT part, min(links_of), max(links_of) FROM (
    SELECT part, links_of FROM seen UNION ALL SELECT next_part, links_of FROM seen WHERE next_part <> part
) GROUP BY part ORDER BY part
"""
PAGES = """
CREATE TEMP TABLE pages AS
SELECT page_hash AS page, any_value(page) AS key, count(*) AS visits, max(number) AS newest,
    bitstring_agg(snapshot, 1, greatest($total, 1)::INTEGER) AS snapshots
FROM seen GROUP BY page_hash
"""

#: What is counted in a part. Its own visits count; the visits before them are there to be compared with.
COUNT = (
    """
    CREATE OR REPLACE TEMP TABLE linked AS
    SELECT seen.page_hash AS page, seen.number, seen.place, seen.snapshot, seen.moment, seen.part = $part AS counts,
        hash(links.target) AS target, links.position,
        hash(seen.page_hash, links.target, links.collection, links.collection_version) AS occurrence
    FROM seen JOIN read_parquet($occurrences) AS links ON links.visit = seen.links_of
    WHERE (seen.part = $part OR seen.next_part = $part) AND links.visit BETWEEN $first_visit AND $last_visit
    """,
    # Nearly all links are alone in their collection; only the others are matched in their order. What is distinct is
    # counted as the bits of 64 visits at a time: that needs far fewer groups, and less than half the time.
    """
    CREATE OR REPLACE TEMP TABLE several AS
    SELECT DISTINCT occurrence FROM (
        SELECT occurrence FROM linked GROUP BY occurrence, number // 64
        HAVING count(*) > bit_count(bit_or(1::UBIGINT << (number % 64)))
    )
    """,
    """
    CREATE OR REPLACE TEMP TABLE ordered AS
    SELECT *, row_number() OVER (PARTITION BY occurrence, number ORDER BY position) AS copy
    FROM linked WHERE occurrence IN (SELECT occurrence FROM several)
    """,
    """
    INSERT INTO counted_moves
    SELECT after.target, count(*), count(*) FILTER (after.position <> before.position)
    FROM linked AS after JOIN linked AS before
        ON before.occurrence = after.occurrence AND before.place = after.place - 1 AND before.place > 0
    WHERE after.counts AND after.occurrence NOT IN (SELECT occurrence FROM several)
    GROUP BY after.target
    UNION ALL
    SELECT after.target, count(*), count(*) FILTER (after.position <> before.position)
    FROM ordered AS after JOIN ordered AS before
        ON before.occurrence = after.occurrence AND before.place = after.place - 1 AND before.copy = after.copy
            AND before.place > 0
    WHERE after.counts GROUP BY after.target
    """,
    """
    INSERT INTO counted_targets
    SELECT target, min(first), sum(snapshots), min(first_seen), max(last_seen) FROM (
        SELECT target, min(snapshot) AS first, min(moment) AS first_seen, max(moment) AS last_seen,
            bit_count(bit_or(1::UBIGINT << (snapshot % 64))) AS snapshots
        FROM linked WHERE counts GROUP BY target, snapshot // 64
    ) GROUP BY target
    """,
    "INSERT INTO counted_pairs SELECT page, target, min(snapshot) FROM linked WHERE counts GROUP BY page, target",
    """
    INSERT INTO article_links
    SELECT page, count(DISTINCT target) FROM linked JOIN pages USING (page)
    WHERE number = newest AND counts AND target IN (SELECT hash(unnest($articles))) GROUP BY page
    """,
)

#: What follows from the counts of all parts.
ADD_UP = (
    """
    CREATE TEMP TABLE moves AS
    SELECT target, sum(comparisons)::BIGINT AS comparisons, sum(moves)::BIGINT AS moves
    FROM counted_moves GROUP BY target
    """,
    """
    CREATE TEMP TABLE targets AS
    SELECT target, min(first) AS first, sum(linked_snapshots)::BIGINT AS linked_snapshots,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
    FROM counted_targets GROUP BY target
    """,
    "CREATE TEMP TABLE pairs AS SELECT page, target, min(first) AS first FROM counted_pairs GROUP BY page, target",
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
    SELECT pairs.page, sum(coalesce(moves, 0))::BIGINT AS content_moves
    FROM pairs LEFT JOIN moves USING (target) GROUP BY pairs.page
    """,
)
COUNTS = """
SELECT key, coalesce(linked_snapshots, 0) AS linked_snapshots, coalesce(possible_snapshots, 0) AS possible_snapshots,
    coalesce(moves, 0) AS moves, coalesce(comparisons, 0) AS comparisons, coalesce(referrers, 0) AS referrers,
    coalesce(later_referrers, 0) AS later_referrers, coalesce(recent_referrers, 0) AS recent_referrers,
    coalesce(visits, 0) AS visits, coalesce(content_moves, 0) AS content_moves,
    coalesce(first_seen, 'nan'::DOUBLE) AS first_seen, coalesce(last_seen, 'nan'::DOUBLE) AS last_seen,
    CASE WHEN visits IS NULL THEN 'nan'::DOUBLE ELSE coalesce(article_links, 0)::DOUBLE END AS article_links
FROM (SELECT page AS id, key FROM pages UNION SELECT target, key FROM targets JOIN names USING (target))
    LEFT JOIN targets ON targets.target = id LEFT JOIN referrers ON referrers.target = id
    LEFT JOIN moves ON moves.target = id LEFT JOIN (SELECT page, visits FROM pages) AS visited ON visited.page = id
    LEFT JOIN contents ON contents.page = id LEFT JOIN article_links ON article_links.page = id
ORDER BY key
"""
