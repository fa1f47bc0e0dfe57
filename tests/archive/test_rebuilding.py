"""A repair keeps what remains of every table, and makes the rest again of visits and links."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import (
    AgendaEntry,
    FetchRecord,
    LinkRows,
    Membership,
    PageState,
    Repaired,
    Store,
    VisitReason,
    Writer,
    repair,
)
from broadsheet.base.clock import ManualClock
from tests.archive.rereaders import NothingRead
from tests.archive.samples import (
    FETCHED,
    JUDGED,
    NOON,
    OTHER,
    SOURCE,
    VERDICT,
    article,
    entry,
    exchange,
    links,
    member,
    page,
)

HOME, SECTION = SOURCE.key, "news.example/section"
ARTICLE, SHARED, WANTED, GONE = (f"news.example/{name}" for name in ("article", "shared", "wanted", "gone"))
UNSEEN, ELSEWHERE = "news.example/unseen", "elsewhere.example/story"
KEYS = (HOME, SECTION, ARTICLE, SHARED, WANTED, GONE, UNSEEN, ELSEWHERE, OTHER.key)
LATER = NOON + timedelta(days=1)
HOUR = timedelta(hours=1)


def called(*anchors: tuple[str, str]) -> LinkRows:
    return replace(links(*(target for target, _ in anchors)), anchors=tuple(anchor for _, anchor in anchors))


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive of two sources that share an article, with something in every table."""
    with Store.open(tmp_path / "news", create=True, clock=ManualClock(NOON)) as archive, archive.writer() as writer:
        _fill(writer)
    return tmp_path / "news"


def _fill(writer: Writer) -> None:
    batch = writer.batch()
    batch.source(replace(SOURCE, every=1800.0, snapshots=1, goal="9 snapshots", reviewed_at=NOON))
    batch.source(OTHER)
    section = replace(JUDGED, verdict=replace(VERDICT, kind="section"))
    for key, judged in ((HOME, section), (SECTION, section), (ARTICLE, JUDGED), (SHARED, JUDGED), (OTHER.key, section)):
        batch.page(page(key, url=f"https://{key}/", fetch=FETCHED, judged=judged))
    batch.page(page(WANTED, judged=JUDGED))
    batch.page(page(GONE, fetch=FetchRecord(state=PageState.GONE)))
    for key in (HOME, SECTION, ARTICLE, SHARED, WANTED, GONE):
        batch.member(member(key))
    batch.member(member(OTHER.key, OTHER.key))
    batch.member(member(SHARED, OTHER.key, anchor="Shared"))
    batch.plan(entry(HOME, reason=VisitReason.HOME, priority=20, every=1800.0, due=LATER))
    batch.plan(entry(SECTION, reason=VisitReason.SECTION, priority=10, every=900.0, due=LATER))
    batch.plan(entry(WANTED))

    def visit(key: str, minute: int, why: VisitReason, found: LinkRows | None = None, source: str = HOME) -> int:
        answer = exchange(key.encode(), f"https://{key}/", minute=minute)
        return batch.visit(key, answer.url, (answer,), links=found, source=source, why=why)

    visit(HOME, 1, VisitReason.HOME, called((SECTION, "S"), (ARTICLE, "An"), (ELSEWHERE, "x"), (SHARED, "s")))
    visit(SECTION, 2, VisitReason.SECTION, called((ARTICLE, "An article"), (UNSEEN, "Unseen"), (WANTED, "w")))
    visit(OTHER.key, 3, VisitReason.HOME, called((SHARED, "Shared")), OTHER.key)
    for minute, (key, source) in enumerate(((ARTICLE, HOME), (SHARED, HOME), (SHARED, OTHER.key)), 4):
        read = visit(key, minute, VisitReason.CANDIDATE, called((UNSEEN, "More of the unseen")), source)
        batch.article(key, source, article(key, verdict=VERDICT), visit=read)
    missing = exchange(b"gone", f"https://{GONE}", status=404, minute=9)
    batch.visit(GONE, missing.url, (missing,), source=HOME, why=VisitReason.CANDIDATE)
    batch.count("failed", "timeout", source=HOME)
    writer.commit(batch)


def repaired(folder: Path) -> Repaired:
    return repair(folder, NothingRead(), ManualClock(LATER), lambda _: None)


def contents(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of the tables that a repair keeps."""
    names = ("sources", "pages", "fetches", "verdicts", "members", "agenda", "counters", "commits")
    queries = {name: f"SELECT * FROM {name}" for name in names}  # noqa: S608 - our own names
    # Files are named anew.
    queries["versions"] = "SELECT key, version, latest, source, moment, visit, article, digest FROM versions"
    queries["meta"] = "SELECT * FROM meta"
    with closing(sqlite3.connect(folder / "catalogue.sqlite")) as connection:
        return {name: sorted(connection.execute(query), key=repr) for name, query in queries.items()}


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "catalogue.sqlite")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def members(archive: Store, source: str) -> dict[str, Membership]:
    with archive.writer() as writer:
        return writer.members(source, KEYS)


def test_a_repair_of_what_is_not_damaged_changes_no_row(news: Path) -> None:
    # The one thing that is added: every source visits its home page.
    change(
        news,
        "INSERT INTO agenda VALUES ('other.example', 'other.example', '2026-03-05 12:00:00.000000', 'home page', 1, 5)",
    )
    before = contents(news)

    done = repaired(news)

    assert contents(news) == before
    assert done.lost == []


def without_catalogue(folder: Path) -> None:
    for path in folder.glob("catalogue.*"):
        path.unlink()


def without_the_tables_of_pages(folder: Path) -> None:
    change(folder, *(f"DROP TABLE {name}" for name in ("pages", "fetches", "verdicts", "members", "agenda")))


@pytest.mark.parametrize("damage", [without_catalogue, without_the_tables_of_pages])
def test_pages_and_members_come_back_from_visits_and_links(news: Path, damage: Callable[[Path], None]) -> None:
    damage(news)

    repaired(news)

    with Store.open(news) as archive:
        pages = archive.pages(KEYS)
        assert pages.keys() == set(KEYS) - {ELSEWHERE}
        assert {key: found.state for key, found in pages.items()} == {
            **dict.fromkeys((HOME, SECTION, ARTICLE, SHARED, OTHER.key), PageState.FETCHED),
            **dict.fromkeys((WANTED, UNSEEN), PageState.KNOWN),
            GONE: PageState.GONE,
        }
        # Without its article, a page is judged again by whoever reads it again.
        assert pages[ARTICLE].verdict == (None if damage is without_catalogue else VERDICT)
        assert {key for key, found in pages.items() if found.kind == "section"} == {HOME, SECTION, OTHER.key}
        assert pages[UNSEEN].judged is None
        own = members(archive, HOME)
        assert own.keys() == {HOME, SECTION, ARTICLE, SHARED, WANTED, GONE, UNSEEN}
        assert own[ARTICLE] == Membership(
            source=HOME, page=ARTICLE, first_seen=NOON + timedelta(minutes=1), found_on=HOME, anchor="An article"
        )
        assert (own[UNSEEN].found_on, own[UNSEEN].anchor) == (SECTION, "More of the unseen")
        # A page elsewhere belongs to a source only if it was visited for it.
        assert members(archive, OTHER.key).keys() == {OTHER.key, SHARED}
        assert archive.sources_of(f"https://{SHARED}") == [HOME, OTHER.key]
        assert [source.reviewed_at for source in archive.sources()] == [None, None]
        assert [problem for problem in archive.check() if not problem.harmless] == []


def test_home_pages_and_sections_are_planned_again(news: Path) -> None:
    change(news, "DELETE FROM agenda")

    repaired(news)

    with Store.open(news) as archive:
        home = AgendaEntry(
            source=HOME,
            page=HOME,
            due=NOON + timedelta(minutes=31),
            reason=VisitReason.HOME,
            priority=20,
            every=1800.0,
        )
        section = replace(home, page=SECTION, due=NOON + timedelta(minutes=32), reason=VisitReason.SECTION, priority=10)
        assert [planned.entry for planned in archive.agenda(HOME)] == [home, section]
        (other,) = archive.agenda(OTHER.key)
        assert (other.entry.due, other.entry.reason) == (NOON + timedelta(minutes=3) + HOUR, VisitReason.HOME)


@pytest.mark.parametrize(("found_on", "priority"), [(HOME, 15), ("robots.txt", 14)], ids=["feed", "sitemap"])
def test_a_feed_is_planned_as_a_crawl_plans_it_between_home_pages_and_sections(
    news: Path, found_on: str, priority: int
) -> None:
    key = f"{HOME}/feed.xml"
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(key, fetch=FETCHED))
        batch.member(replace(member(key), found_on=found_on))
        answer = exchange(b"<rss>", f"https://{key}", minute=20)
        batch.visit(key, answer.url, (answer,), source=HOME, why=VisitReason.FEED)
        writer.commit(batch)
    change(news, "DROP TABLE feeds")

    repaired(news)

    with Store.open(news) as archive:
        (feed,) = [planned.entry for planned in archive.agenda(HOME) if planned.page.key == key]
        assert feed == entry(key, due=LATER, reason=VisitReason.FEED, priority=priority)


def test_what_was_wanted_and_never_came_is_planned_where_the_agenda_is_lost(news: Path) -> None:
    change(news, "DROP TABLE agenda")

    repaired(news)

    with Store.open(news) as archive:
        planned = {planned.page.key: planned.entry for planned in archive.agenda(HOME)}
        assert planned.keys() == {HOME, SECTION, WANTED}
        assert planned[WANTED] == entry(WANTED)


def test_an_article_of_which_nothing_is_left_is_fetched_again_for_all_its_sources(news: Path) -> None:
    for path in (news / "warc").iterdir():
        path.unlink()

    done = repaired(news)

    assert any(f"https://{SHARED}/: nothing of the page is left" in line for line in done.lost)
    with Store.open(news) as archive:
        shared = archive.pages([SHARED])[SHARED]
        assert (shared.state, shared.kind) == (PageState.KNOWN, "article")
        for source in (HOME, OTHER.key):
            (planned,) = [planned.entry for planned in archive.agenda(source) if planned.page.key == SHARED]
            assert planned == entry(SHARED, source=source, due=LATER)


@pytest.mark.parametrize(
    ("damage", "table"),
    [
        ("UPDATE fetches SET state = 'x' WHERE page = 'news.example/article'", "fetches"),
        ("UPDATE verdicts SET reasons = 'x' WHERE page = 'news.example/article'", "verdicts"),
        ("UPDATE members SET first_seen = 'x' WHERE page = 'news.example/article'", "members"),
        ("UPDATE agenda SET reason = 'x' WHERE page = 'news.example/section'", "agenda"),
        ("UPDATE pages SET first_seen = 'x' WHERE key = 'news.example/article'", "pages"),
        ("UPDATE sources SET every = 'x' WHERE key = 'other.example'", "sources"),
    ],
)
def test_one_damaged_row_costs_no_other(news: Path, damage: str, table: str) -> None:
    before = contents(news)
    change(news, damage)

    done = repaired(news)

    assert any(f"1 rows of the table `{table}`" in line for line in done.lost)
    after = contents(news)
    for name in ("fetches", "verdicts"):
        assert [row[0] for row in after[name]] == [row[0] for row in before[name]]
    # All but the damaged row, and what was made again in its place, is as it was.
    assert all(len(set(before[name]) - set(after[name])) <= (name == table) for name in before if name != "sources")
    with Store.open(news) as archive:
        assert [source.key for source in archive.sources()] == [HOME, OTHER.key]
        assert archive.pages([ARTICLE])[ARTICLE].state is PageState.FETCHED
        assert archive.pages([ARTICLE])[ARTICLE].verdict == VERDICT
        assert members(archive, HOME).keys() >= {HOME, SECTION, ARTICLE, SHARED, WANTED, GONE}
        assert {planned.page.key for planned in archive.agenda(HOME)} == {HOME, SECTION, WANTED}
        assert [problem for problem in archive.check() if not problem.harmless] == []


def test_what_is_said_of_pages_that_are_gone_is_counted(news: Path) -> None:
    change(
        news, "INSERT INTO verdicts SELECT 'nothing', kind, subtype, 1, '{}', '[]', 'm', at, '{}' FROM verdicts LIMIT 1"
    )

    done = repaired(news)

    assert done.lost == ["1 rows about pages or sources of which nothing else is left"]
