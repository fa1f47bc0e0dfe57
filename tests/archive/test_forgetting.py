"""What was forgotten leaves all answers at once, its bytes with the next merge, and nothing brings it back."""

import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from broadsheet.archive import (
    ArchiveError,
    ArchiveEvent,
    EventKind,
    FeedRecord,
    PageState,
    Store,
    Writer,
    repair,
    tombstones,
)
from broadsheet.archive.compaction import COMPACTION_STEPS, GRACE, REMOVAL_STEPS
from broadsheet.archive.folder import SEARCH, TOMBSTONES
from broadsheet.archive.forgetting import FORGET_STEPS
from broadsheet.base.clock import ManualClock, SystemClock
from broadsheet.base.incident import Incident
from broadsheet.base.reasons import TIMEOUT
from tests.archive.forgotten import addresses, forget_
from tests.archive.kills import kinds_of
from tests.archive.processes import FORGOTTEN_KEY, KEYS, context, forget, work
from tests.archive.rereaders import NothingRead
from tests.archive.samples import (
    FETCHED,
    NOON,
    OTHER,
    SOURCE,
    article,
    entry,
    exchange,
    harm,
    keep,
    links,
    member,
    page,
)

A, B, C = KEYS


def fill(writer: Writer) -> None:
    """Keep three articles, one of them in two versions, after a redirect, and not modified since."""
    keep(writer, A, b"a secret text" * 9, title="Secret")
    keep(writer, A, b"a revised text" * 9, title="Secret again")
    batch = writer.batch()
    redirect = replace(exchange(b"", f"https://{A}/old", 301), headers=(("Location", f"https://{A}"),))
    batch.visit(A, f"https://{A}", (redirect, exchange(b"after a redirect", f"https://{A}")), source=SOURCE.key)
    batch.visit(A, f"https://{A}", (exchange(b"", f"https://{A}", 304),), source=SOURCE.key)
    writer.commit(batch)
    keep(writer, B, b"b")
    batch = writer.batch()
    batch.page(page(C, fetch=FETCHED))
    batch.member(member(C))
    answer = exchange(b"c", f"https://{C}")
    visit = batch.visit(C, answer.url, (answer,), links=links(A, B), source=SOURCE.key)
    batch.article(C, SOURCE.key, article(C), visit=visit)
    batch.plan(entry(A))
    batch.event(ArchiveEvent(kind=EventKind.NEW_ARTICLE, at=NOON, source=SOURCE.key, page=A))
    batch.incident(SOURCE.key, "failed", Incident(f"https://{A}", TIMEOUT, "late", NOON))
    writer.commit(batch)


@pytest.fixture
def news(archive: Store) -> Store:
    with archive.writer() as writer:
        fill(writer)
    return archive


class Killed(BaseException):
    """Stands for the end of a process."""


def killer(step: str) -> Callable[[str], None]:
    """Return what ends the work at a step."""

    def reached(name: str) -> None:
        if name == step:
            raise Killed

    return reached


def test_a_forgotten_page_leaves_all_answers_at_once(news: Store) -> None:
    plan = news.plan_forgetting(f"https://{A}", because="asked to", now=NOON)

    with news.writer() as writer:
        writer.forget(plan)

    assert (plan.pages, plan.articles, plan.versions, plan.visits) == (1, 1, 2, 4)
    assert {stored.key for stored in news.articles()} == {B, C}
    assert (news.versions(A), news.pages([A]), news.events(url=A)) == ([], {}, [])
    assert A not in news.visits().to_table()["page"].to_pylist()
    assert not {A, f"{A}/1"}.intersection(news.occurrences().to_table()["target"].to_pylist())
    assert [key for key, _, _ in news.last_links(C)] == [B]
    assert news.agenda(SOURCE.key) == []
    assert news.status().examples == ()
    with pytest.raises(ArchiveError, match="was forgotten"):
        news.exchange(1)
    [tombstone] = news.tombstones()
    assert (tombstone.key, tombstone.scope, tombstone.because) == (A, "page", "asked to")
    assert harm(news) == []


def test_the_text_of_a_forgotten_page_is_not_in_the_catalogue_file_any_more(news: Store) -> None:
    forget_(news, A)
    news.close()

    assert b"Secret" not in (news.folder / "catalogue.sqlite").read_bytes()


def test_the_words_of_a_forgotten_page_leave_the_index(news: Store) -> None:
    assert [stored.key for stored in news.articles(words=["secret"])] == [A]

    forget_(news, A)

    assert not list(news.folder.glob(f"{SEARCH}*"))
    assert list(news.articles(words=["secret"])) == []
    assert {stored.key for stored in news.articles(words=["body"])} == {B, C}
    assert all(b"secret" not in path.read_bytes() for path in news.folder.glob(f"{SEARCH}*"))
    assert list(news.check()) == []


def test_an_index_that_a_killed_process_left_goes_with_the_next_writer(news: Store) -> None:
    news.refresh_index()

    with pytest.raises(Killed), news.writer(on_step=killer("after transaction of forgetting")) as writer:
        writer.forget(news.plan_forgetting(A))
    with news.writer():
        pass

    assert not list(news.folder.glob(f"{SEARCH}*"))


def test_the_numbers_by_source_follow_what_is_forgotten(news: Store) -> None:
    with news.writer() as writer:
        batch = writer.batch()
        batch.source(OTHER)
        batch.member(member(A, OTHER.key))
        batch.member(member(B, OTHER.key))
        writer.commit(batch)
    before = {status.source.key: (status.articles, status.versions) for status in news.status().sources}

    forget_(news, A)
    page_gone = {status.source.key: (status.articles, status.versions) for status in news.status().sources}
    problems = list(news.check())
    forget_(news, OTHER.url)

    assert before == {SOURCE.key: (3, 4), OTHER.key: (2, 3)}
    assert page_gone == {SOURCE.key: (2, 2), OTHER.key: (1, 1)}
    assert {status.source.key: status.articles for status in news.status().sources} == {SOURCE.key: 2}
    assert (problems, list(news.check())) == ([], [])


def test_feeds_go_with_their_page_or_source(news: Store) -> None:
    with news.writer() as writer:
        batch = writer.batch()
        batch.source(OTHER)
        for source, key in ((SOURCE, "news.example/feed"), (SOURCE, "news.example/map"), (OTHER, "other.example/feed")):
            batch.page(page(key, fetch=FETCHED))
            batch.member(member(key, source.key))
            batch.feed(FeedRecord(source=source.key, page=key, found_on=source.key, found_at=NOON))
        writer.commit(batch)

    forget_(news, "news.example/feed")
    forget_(news, OTHER.url)

    assert [feed.page for feed in news.feeds()] == ["news.example/map"]
    assert list(news.check()) == []


def test_the_number_of_a_forgotten_event_is_not_given_again(news: Store) -> None:
    last = news.last_event()
    forget_(news, A)
    assert news.last_event() < last

    with news.writer() as writer:
        batch = writer.batch()
        batch.event(ArchiveEvent(kind=EventKind.NEW_ARTICLE, at=NOON, source=SOURCE.key, page=B))
        writer.commit(batch)

    assert [event.page for event in news.events(last)] == [B]


def test_a_page_says_that_it_was_forgotten_and_links_from_it_are_not_told(news: Store) -> None:
    assert [link.page for link in news.why(B).links] == [C]
    forget_(news, A, because="asked to")
    forget_(news, C)

    history = news.why(f"https://{A}")

    assert str(history).startswith("Not archived: it was forgotten on 2026-03-02")
    assert "(asked to), and is not fetched again." in str(history)
    assert history.to_dict()["forgotten"]["because"] == "asked to"
    assert (history.links, history.visits, history.versions) == ((), (), ())
    assert news.why(B).links == ()


def test_bytes_go_when_files_are_merged(news: Store) -> None:
    before = {stored.key: stored for stored in news.articles()}
    forget_(news, A)
    assert A in addresses(news.folder)

    clock = ManualClock(SystemClock().now())
    with news.writer(machine=clock, most_files=2) as writer:
        keep(writer, "news.example/d", b"d")
        clock.advance(GRACE * 2)
        writer.heartbeat()

    assert not {key for key in addresses(news.folder) if key.startswith(A)}
    # Places from before the merging lead to the same records, and to none where there is none any more.
    assert {key: news.exchange(before[key]).body for key in (B, C)} == {B: b"b", C: b"c"}
    with pytest.raises(ArchiveError):
        news.exchange(before[A])
    assert {stored.key: news.exchange(stored).body for stored in news.articles()} == {
        B: b"b",
        C: b"c",
        "news.example/d": b"d",
    }
    assert list(news.check()) == []


def test_a_purge_rewrites_only_what_holds_forgotten_pages(news: Store) -> None:
    files = {path.name for kind in ("warc", "visits", "occurrences") for path in (news.folder / kind).iterdir()}

    with news.writer() as writer:
        writer.forget(news.plan_forgetting(A))
        done = writer.purge()
        again = writer.purge()

    left = {path.name for kind in ("warc", "visits", "occurrences") for path in (news.folder / kind).iterdir()}
    # Three WARC files, the links of two of them, and the links of C to A; what is about B stays.
    assert (done.files, again.files, done.damaged) == (6, 0, [])
    assert len(files & left) == 5
    assert done.bytes > 0
    assert not {key for key in addresses(news.folder) if key.startswith(A)}
    assert list(news.check()) == []


def test_a_damaged_file_is_left_to_a_repair(news: Store) -> None:
    damaged = news.warcs()[0]
    damaged.write_bytes(damaged.read_bytes()[:-1])

    with news.writer() as writer:
        writer.forget(news.plan_forgetting(A))
        done = writer.purge()

    assert done.damaged == [f"warc/{damaged.name}"]


def test_copies_at_other_addresses_go_too(news: Store) -> None:
    with news.writer() as writer:
        batch = writer.batch()
        copy = page("news.example/copy", fetch=replace(FETCHED, state=PageState.DUPLICATE), duplicate_of=A)
        batch.page(copy)
        answer = exchange(b"a copy", "https://news.example/copy")
        batch.visit(copy.key, answer.url, (answer,), source=SOURCE.key)
        writer.commit(batch)

    by_copy, by_original = (news.plan_forgetting(key).tombstones for key in (copy.key, A))

    assert [tombstone.key for tombstone in by_copy] == [tombstone.key for tombstone in by_original]
    assert {tombstone.key for tombstone in by_copy} == {A, copy.key}


def test_a_source_is_forgotten_with_the_pages_that_no_other_source_leads_to(news: Store) -> None:
    with news.writer() as writer:
        batch = writer.batch()
        batch.source(OTHER)
        batch.member(member(B, OTHER.key))
        batch.page(page(SOURCE.key, fetch=FETCHED))
        home = exchange(b"home", SOURCE.url)
        batch.visit(SOURCE.key, SOURCE.url, (home,), source=SOURCE.key)
        writer.commit(batch)

    forget_(news, SOURCE.url, purge=True)

    assert [source.key for source in news.sources()] == [OTHER.key]
    [left] = news.articles()
    assert (left.key, left.source) == (B, OTHER.key)
    assert {tombstone.key for tombstone in news.tombstones()} == {SOURCE.key, A, C}
    assert addresses(news.folder) == {B}
    assert list(news.check()) == []


def test_what_is_unknown_or_forgotten_already_is_refused(news: Store) -> None:
    forget_(news, A)

    with pytest.raises(ArchiveError, match="was already forgotten on 2026-03-02"):
        news.plan_forgetting(A)
    with pytest.raises(ArchiveError, match=r"contains no page or source news\.example/nothing"):
        news.plan_forgetting("news.example/nothing")


def test_nothing_is_forgotten_while_a_batch_is_open(news: Store) -> None:
    plan = news.plan_forgetting(A)
    with news.writer() as writer:
        writer.batch().count("something")
        with pytest.raises(ArchiveError, match="commit what is open"):
            writer.forget(plan)


@pytest.mark.parametrize("purge", [False, True])
@pytest.mark.parametrize("lost", ["nothing", "catalogue", "catalogue and visits"])
def test_a_repair_does_not_bring_it_back(news: Store, purge: bool, lost: str) -> None:
    forget_(news, A, because="asked to", purge=purge)
    said = news.tombstones()
    news.close()
    if lost != "nothing":
        (news.folder / "catalogue.sqlite").unlink()
    if lost == "catalogue and visits":
        for path in (news.folder / "visits").iterdir():
            path.unlink()

    repair(news.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(news.folder) as again:
        assert again.tombstones() == said
        assert A not in again.pages([A, f"{A}/1"])
        assert A not in again.visits().to_table()["page"].to_pylist()
        assert not {A, f"{A}/old"}.intersection(again.visits().to_table()["page"].to_pylist())
        assert harm(again) == []
        with again.writer() as writer:
            writer.purge()
        assert not {key for key in addresses(news.folder) if key.startswith(A)}
        assert [again.exchange(visit).body for visit in again.visits().to_table()["visit"].to_pylist()] == [b"b", b"c"]
        assert harm(again) == []


def test_a_repair_takes_nothing_forgotten_from_lost_and_found(news: Store) -> None:
    aside = news.folder / "lost+found" / "warc"
    aside.mkdir(parents=True)
    warc = news.warcs()[0]
    content = warc.read_bytes()
    forget_(news, A, purge=True)
    news.close()
    (aside / warc.name).write_bytes(content)

    repair(news.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(news.folder) as again:
        assert A not in addresses(news.folder)
        assert again.pages([A]) == {}
        assert harm(again) == []


def test_a_catalogue_restored_from_an_older_copy_forgets_again(news: Store) -> None:
    news.close()
    older = (news.folder / "catalogue.sqlite").read_bytes()
    with Store.open(news.folder) as archive:
        forget_(archive, A)
    (news.folder / "catalogue.sqlite").write_bytes(older)
    (news.folder / "catalogue.sha256").unlink()

    with Store.open(news.folder) as again:
        before = [problem.what for problem in again.check() if problem.where == TOMBSTONES]
        with again.writer():
            pass

        assert before == ["says that more was forgotten than the catalogue says; the next writer completes that"]
        assert again.pages([A]) == {}
        assert harm(again) == []


@pytest.mark.parametrize("damage", [b"", b"{}\n", b'{"scope": "page", "key": "x"}\n', b"\xff\xfe\n"])
def test_a_damaged_file_of_tombstones_is_reported_and_restored(news: Store, damage: bytes) -> None:
    forget_(news, A)
    whole = (news.folder / TOMBSTONES).read_bytes()
    (news.folder / TOMBSTONES).write_bytes(damage)
    reported = [problem.where for problem in news.check()]

    with news.writer():
        pass

    assert reported == [TOMBSTONES]
    assert (news.folder / TOMBSTONES).read_bytes() == whole
    assert list(news.check()) == []


def test_a_changed_line_is_damaged_and_not_another_page(news: Store) -> None:
    forget_(news, A)
    whole = (news.folder / TOMBSTONES).read_bytes()
    (news.folder / TOMBSTONES).write_bytes(whole.replace(A.encode(), B.encode()))

    assert tombstones.read_file(news.folder) == ((), 1)


def test_rows_about_a_forgotten_page_are_a_problem(news: Store) -> None:
    forget_(news, A)
    with closing(sqlite3.connect(news.folder / "catalogue.sqlite")) as connection:
        connection.execute("INSERT INTO pages (key, url) VALUES (?, ?)", (A, f"https://{A}"))
        connection.commit()

    assert "was forgotten, but is still in the table pages" in {problem.what for problem in news.check()}


@pytest.mark.parametrize("step", kinds_of([*FORGET_STEPS, *COMPACTION_STEPS, *REMOVAL_STEPS]))
def test_a_kill_at_any_step_leaves_it_whole_or_forgotten(archive: Store, tmp_path: Path, step: str) -> None:
    work(str(archive.folder), str(tmp_path / "journal"), "no such step", 1)

    child = context.Process(target=forget, args=(str(archive.folder), step))
    child.start()
    child.join(600)

    assert child.exitcode == -signal.SIGKILL
    assert [problem for problem in harm(archive) if problem.where != TOMBSTONES] == []
    with archive.writer():
        pass
    begun = step != FORGET_STEPS[0] and step != FORGET_STEPS[1]
    others = {key for key in KEYS if key != FORGOTTEN_KEY}
    assert {stored.key for stored in archive.articles()} == (others if begun else set(KEYS))

    forget(str(archive.folder), "no such step")

    assert {stored.key for stored in archive.articles()} == others
    assert {stored.key: archive.exchange(stored).body for stored in archive.articles()} == {
        key: key.encode() for key in others
    }
    assert FORGOTTEN_KEY not in addresses(archive.folder)
    assert harm(archive) == []
