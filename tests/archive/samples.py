"""Small exchanges, pages and articles to keep."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from broadsheet.archive import (
    AgendaEntry,
    FetchRecord,
    LinkRows,
    Membership,
    PageRecord,
    PageState,
    Problem,
    SourceRecord,
    Store,
    VerdictRecord,
    VisitReason,
    Writer,
)
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Article, Verdict

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SOURCE = SourceRecord(key="news.example", url="https://news.example/", name="News", added_at=NOON)
OTHER = SourceRecord(key="other.example", url="https://other.example/", name="Other", added_at=NOON)
FETCHED = FetchRecord(state=PageState.FETCHED, fetched_at=NOON)
VERDICT = Verdict("article", "news", 0.75, {"article": 0.75, "other": 0.25}, ("long text",), "trees-1")
JUDGED = VerdictRecord(verdict=VERDICT, at=NOON, evidence={"link": {"article": 0.6}, "page": {"article": 0.9}})


def exchange(
    body: bytes = b"<p>Hello", url: str = "https://news.example/", status: int = 200, minute: int = 0
) -> Exchange:
    return Exchange(
        url=url,
        at=NOON + timedelta(minutes=minute),
        status=status,
        headers=(("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")),
        body=body,
        asked=(("Host", "news.example"), ("User-Agent", "tests")),
        address="192.0.2.7",
    )


def page(key: str = "news.example", **values: Any) -> PageRecord:
    return replace(PageRecord(key=key, url=f"https://{key}", first_seen=NOON), **values)


def member(key: str = "news.example", source: str = SOURCE.key, **values: Any) -> Membership:
    return replace(Membership(source=source, page=key, first_seen=NOON, found_on=source), **values)


def entry(key: str = "news.example", **values: Any) -> AgendaEntry:
    return replace(AgendaEntry(source=SOURCE.key, page=key, due=NOON, reason=VisitReason.CANDIDATE), **values)


def links(*targets: str) -> LinkRows:
    return LinkRows(
        targets=targets,
        urls=tuple(f"https://{target}" for target in targets),
        collections=("main",) * len(targets),
        positions=np.arange(len(targets), dtype=np.int32),
        paths=("/html/body/a",) * len(targets),
        anchors=tuple(f"To {target}" for target in targets),
    )


def article(title: str = "A title", body: str = "A body.", **values: Any) -> Article:
    return Article(title=title, body=body, **values)


def keep(writer: Writer, key: str, body: bytes, *, title: str | None = None) -> int:
    """Commit one page with its visit, two links and its article, as a crawl does; return the visit."""
    batch = writer.batch()
    batch.source(SOURCE)
    batch.page(page(key, fetch=FETCHED))
    batch.member(member(key))
    answer, found = exchange(body, f"https://{key}"), links(f"{key}/1", f"{key}/2")
    visit = batch.visit(key, answer.url, (answer,), links=found, source=SOURCE.key, why=VisitReason.CANDIDATE)
    batch.article(key, SOURCE.key, article(title or key), visit=visit)
    batch.count("kept pages")
    writer.commit(batch)
    return visit


def harm(archive: Store) -> list[Problem]:
    """Return what is wrong with an archive, but for files that a killed writer put in place and never named."""
    return [
        problem for problem in archive.check() if not problem.harmless and "not part of any commit" not in problem.what
    ]
