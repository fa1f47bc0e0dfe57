"""Numbers that are kept with every commit are those that counting everything would give."""

import random
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from broadsheet.archive import FetchRecord, PageState, Store, VerdictRecord, VisitReason, Writer
from broadsheet.base.records import KINDS, Verdict
from tests.archive.samples import NOON, OTHER, SOURCE, article, entry, exchange, harm, keep, member, page


def commit_something(writer: Writer, chance: random.Random, number: int) -> None:
    """Commit changes to a few pages of two sources: judged, fetched, found and read again and again."""
    batch = writer.batch()
    batch.source(SOURCE)
    batch.source(OTHER)
    for _ in range(4):
        key = f"news.example/{chance.randrange(6)}"
        kind = chance.choice(KINDS)
        verdict = Verdict(kind, None, 0.5, {}, (), "m")
        judged = VerdictRecord(verdict=verdict, at=NOON) if chance.random() < 0.7 else None
        fetch = FetchRecord(state=chance.choice(list(PageState)), attempts=1)
        batch.page(page(key, fetch=fetch, judged=judged))
        if chance.random() < 0.5:
            batch.member(member(key, source=chance.choice((SOURCE.key, OTHER.key))))
        if chance.random() < 0.5:
            answer = exchange(f"{key} {number} {chance.random()}".encode(), minute=1_000 * number)
            visit = batch.visit(key, f"https://{key}", (answer,), source=SOURCE.key)
            batch.article(key, SOURCE.key, article(f"{chance.randrange(3)}"), visit=visit)
    writer.commit(batch)


def test_the_numbers_that_are_kept_are_those_that_are_counted(archive: Store) -> None:
    chance = random.Random(5)
    with archive.writer() as writer:
        for number in range(15):
            commit_something(writer, chance, number)

    assert [problem for problem in archive.check() if "is kept as" in problem.what] == []
    news = archive.status().sources[0]
    assert news.articles > 0
    assert sum(sum(states.values()) for states in news.pages.values()) > 0


def test_a_wrong_number_is_found_by_a_check(archive: Store) -> None:
    with archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
    with sqlite3.connect(archive.folder / "catalogue.sqlite") as connection:
        connection.execute("UPDATE tallies SET number = 7 WHERE name = 'articles'")
    (archive.folder / "catalogue.sha256").unlink()

    [problem] = archive.check()

    assert problem.what.startswith("its number of articles is kept as 7, but there are 1")
    assert harm(archive) == []


def test_an_archive_without_numbers_is_counted_when_asked_and_by_the_next_writer(tmp_path: Path) -> None:
    with Store.open(tmp_path / "news", create=True) as archive:
        with archive.writer() as writer:
            keep(writer, "news.example/a", b"a")
        with sqlite3.connect(archive.folder / "catalogue.sqlite") as connection:
            connection.execute("DROP TABLE tallies")

        assert archive.status().sources[0].articles == 1
        with archive.writer() as writer:
            keep(writer, "news.example/b", b"b")
        assert archive.status().sources[0].articles == 2
        assert [problem for problem in archive.check() if not problem.harmless] == []


def test_status_tells_the_days_the_304s_and_what_is_late(archive: Store) -> None:
    with archive.writer() as writer:
        for day, key in ((0, "a"), (2, "b"), (2, "c")):
            batch = writer.batch()
            batch.source(SOURCE)
            batch.page(page(f"news.example/{key}"))
            batch.member(member(f"news.example/{key}"))
            answer = exchange(key.encode(), minute=day * 24 * 60)
            visit = batch.visit(f"news.example/{key}", answer.url, (answer,), source=SOURCE.key)
            batch.article(f"news.example/{key}", SOURCE.key, article(key), visit=visit)
            writer.commit(batch)
        batch = writer.batch()
        unchanged = replace(exchange(b""), status=304)
        batch.visit("news.example/a", unchanged.url, (unchanged,), source=SOURCE.key)
        for key, due in (("a", timedelta()), ("b", timedelta(days=365_000))):
            late = entry(f"news.example/{key}", reason=VisitReason.SECTION, every=3600.0, due=NOON + due)
            batch.plan(late)
        writer.commit(batch)

    with sqlite3.connect(archive.folder / "catalogue.sqlite") as connection:
        connection.execute("UPDATE commits SET at = '2026-03-05 12:00:00.000000'")
    [source] = archive.status().sources

    assert source.articles_by_day == (0,) * 10 + (1, 0, 2, 0)
    assert source.articles_a_day == 0.75
    assert (source.visits, source.not_modified) == (4, 1)
    assert (source.sections, source.late) == (2, 1)
    assert source.per_article(source.requests) == 4 / 3
