"""Archives that are tidied: visits at some hours, and what is left of them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from broadsheet.archive import Store, VerdictRecord, Writer
from broadsheet.archive.parquet_files import REMOVED
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Verdict
from tests.archive.samples import FETCHED, NOON, SOURCE, article, exchange, links, member, page

HOUR = timedelta(hours=1)
HOME, SECTION, STORY, IMPRINT = "news.example", "news.example/politics", "news.example/story", "news.example/imprint"
KINDS = {SECTION: "section", STORY: "article", IMPRINT: "other", "news.example/unjudged": None}


def judged(key: str) -> VerdictRecord | None:
    kind: Any = KINDS.get(key)
    return kind and VerdictRecord(verdict=Verdict(kind, None, 1.0, {kind: 1.0}, (), "m"), at=NOON)


def at(hour: float, key: str, body: bytes, status: int = 200) -> Exchange:
    return replace(exchange(body, f"https://{key}", status), at=NOON + hour * HOUR)


def visit(  # noqa: PLR0913 - what a visit is made of
    writer: Writer, hour: float, key: str, body: bytes, status: int = 200, *, title: str | None = None
) -> int:
    """Commit one visit, with a link to another page every time, as a crawl does."""
    batch = writer.batch()
    batch.source(SOURCE)
    batch.page(page(key, fetch=FETCHED, judged=judged(key)))
    batch.member(member(key))
    answer = at(hour, key, body, status)
    number = batch.visit(key, answer.url, (answer,), links=links(f"{key}/{hour:g}"), source=SOURCE.key)
    if title:
        batch.article(key, SOURCE.key, article(title), visit=number)
    writer.commit(batch)
    return number


def kept(archive: Store) -> set[int]:
    """Return the visits whose responses are there, each of which can be read."""
    rows = archive.visits().to_table().to_pylist()
    for row in rows:
        if row["warc"] != REMOVED:
            archive.exchange(row["visit"])
    return {row["visit"] for row in rows if row["warc"] != REMOVED}
