"""Keep rules remove old responses and links, and nothing that anything else refers to."""

import hashlib
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from broadsheet.archive import ArchiveError, ArchiveEvent, EventKind, FeedRecord, Store, VisitReason, Writer, repair
from broadsheet.archive.compaction import COMPACTION_STEPS, REMOVAL_STEPS
from broadsheet.base.clock import ManualClock, SystemClock
from broadsheet.base.keep_rules import KeepRule
from broadsheet.base.source_settings import SourceSettings
from tests.archive.kills import kinds_of
from tests.archive.processes import context, tidy
from tests.archive.rereaders import NothingRead
from tests.archive.samples import FETCHED, NOON, OTHER, SOURCE, entry, harm, page
from tests.archive.tidying import HOME, HOUR, IMPRINT, KINDS, SECTION, STORY, at, judged, kept, visit


def tidied(archive: Store, rule: str, hour: float) -> dict[tuple[str, str], int]:
    """Tidy at an hour, and return how much was removed."""
    with archive.writer(clock=ManualClock(NOON + hour * HOUR)) as writer:
        done = writer.tidy(KeepRule.parse(rule))
    return {key: pruning.number for key, pruning in done.removed.items()}


def in_warcs(folder: Path) -> int:
    """Return how many responses and revisits another reader finds in the files."""
    number = 0
    for path in (folder / "warc").glob("*.warc.gz"):
        with path.open("rb") as file:
            number += sum(record.rec_type in {"response", "revisit"} for record in ArchiveIterator(file))
    return number


def tree(folder: Path) -> dict[str, str]:
    """Return the hash of every file of an archive."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def fill(archive: Store, most_files: int) -> None:
    """Keep ten hours: a home page that changes every hour, and pages of other kinds at their beginning and end."""
    with archive.writer(most_files=most_files) as writer:
        for hour in range(10):
            visit(writer, hour, HOME, b"home %d" % hour)
        for hour in (0, 9):
            visit(writer, hour, SECTION, b"section %d" % hour)
            visit(writer, hour, IMPRINT, b"imprint %d" % hour)
            visit(writer, hour, STORY, b"story %d" % hour, title="Story")
            visit(writer, hour, "news.example/unjudged", b"unjudged %d" % hour)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Archives filled once for all tests, by how many files they leave unmerged."""
    folders = {most_files: tmp_path_factory.mktemp("filled") / "news" for most_files in (16, 100)}
    for most_files, folder in folders.items():
        with Store.open(folder, create=True) as archive:
            fill(archive, most_files)
    return folders


@pytest.fixture
def news(filled: dict[int, Path], tmp_path: Path) -> Iterator[Store]:
    with Store.open(shutil.copytree(filled[100], tmp_path / "filled")) as archive:
        yield archive


@pytest.fixture
def merged(filled: dict[int, Path], tmp_path: Path) -> Iterator[Store]:
    """An archive with files of many visits, so that something stays of each."""
    with Store.open(shutil.copytree(filled[16], tmp_path / "merged")) as archive:
        yield archive


def test_fronts_go_by_their_age_and_the_newest_stays(news: Store) -> None:
    before = sum(path.stat().st_size for path in (news.folder / "warc").iterdir())

    removed = tidied(news, "fronts 5h", hour=100)

    assert removed == {(SOURCE.key, "fronts"): 10}
    rows = {row["visit"]: row for row in news.visits().to_table().to_pylist()}
    assert len(rows) == 18
    left = [rows[number]["page"] for number in sorted(kept(news))]
    assert left.count(HOME) == left.count(SECTION) == 1
    assert left.count(STORY) == left.count(IMPRINT) == 2
    assert in_warcs(news.folder) == 8
    assert sum(path.stat().st_size for path in (news.folder / "warc").iterdir()) < before / 2
    assert list(news.check()) == []


def test_what_is_younger_than_the_rule_says_stays(news: Store) -> None:
    assert tidied(news, "fronts 5h", hour=8) == {(SOURCE.key, "fronts"): 4}
    assert tidied(news, "fronts 5h", hour=8) == {}
    assert list(news.check()) == []


def test_only_what_a_rule_names_goes(news: Store) -> None:
    assert tidied(news, "other 1h", hour=100) == {(SOURCE.key, "other"): 1}
    assert tidied(news, "articles 1h", hour=100) == {}
    assert tidied(news, "everything", hour=100) == {}


def test_the_rule_for_articles_leaves_every_version_its_page(archive: Store) -> None:
    with archive.writer() as writer:
        first = visit(writer, 0, STORY, b"one", title="One")
        advert = visit(writer, 1, STORY, b"one with another advertisement", title="One")
        second = visit(writer, 2, STORY, b"two", title="Two")
        last = visit(writer, 3, STORY, b"two with another advertisement", title="Two")

    assert tidied(archive, "fronts 1h, other 1h", hour=100) == {}
    assert tidied(archive, "articles 1h", hour=100) == {(SOURCE.key, "articles"): 1}

    assert kept(archive) == {first, second, last}
    assert advert not in kept(archive)
    assert [archive.exchange(stored).body for stored in archive.versions(STORY)] == [b"one", b"two"]
    assert list(archive.check()) == []


def test_further_pages_of_an_article_stay(archive: Store) -> None:
    key = f"{STORY}/2"
    with archive.writer() as writer:
        visit(writer, 0, STORY, b"one", title="One")
        for hour in (0, 1):
            batch = writer.batch()
            part = page(key, fetch=FETCHED, duplicate_of=STORY, judged=judged(IMPRINT))
            batch.page(part)
            answer = at(hour, key, b"part %d" % hour)
            batch.visit(key, answer.url, (answer,), source=SOURCE.key, why=VisitReason.CONTINUATION)
            writer.commit(batch)

    assert tidied(archive, "fronts 1h, other 1h, articles 1h", hour=100) == {}


def test_feeds_and_followed_pages_are_fronts(archive: Store) -> None:
    feed, followed = "news.example/feed", "news.example/edition"
    with archive.writer() as writer:
        for key in (feed, followed):
            visit(writer, 0, key, b"old")
            visit(writer, 1, key, b"new")
        batch = writer.batch()
        batch.feed(FeedRecord(source=SOURCE.key, page=feed, found_on=HOME, found_at=NOON, form="rss"))
        batch.plan(entry(followed, every=3600.0))
        writer.commit(batch)

    assert tidied(archive, "fronts 1h", hour=100) == {(SOURCE.key, "fronts"): 2}


def test_what_a_younger_visit_repeats_stays_until_that_is_old(archive: Store) -> None:
    with archive.writer() as writer:
        first = visit(writer, 0, HOME, b"home")
        again = visit(writer, 10, HOME, b"", 304)
        last = visit(writer, 11, HOME, b"new home")

    assert tidied(archive, "fronts 5h", hour=12) == {}
    assert archive.exchange(again).body == b"home"
    assert tidied(archive, "fronts 5h", hour=20) == {(SOURCE.key, "fronts"): 2}
    assert kept(archive) == {last}
    with pytest.raises(ArchiveError, match=f"the response of visit {first} was removed by a keep rule"):
        archive.exchange(first)
    assert list(archive.check()) == []


def test_old_links_go_but_for_those_of_the_newest_content(news: Store) -> None:
    before = news.occurrences().to_table().num_rows

    removed = tidied(news, "links 5h", hour=100)

    assert (before, removed) == (18, {(SOURCE.key, "links"): 13})
    assert sorted(news.occurrences().to_table()["page"].to_pylist()) == sorted([HOME, *KINDS])
    assert [key for key, _, _ in news.last_links(HOME)] == [f"{HOME}/9"]
    assert len(kept(news)) == 18
    assert list(news.check()) == []


def told(writer: Writer, hour: float, kind: EventKind, source: str = SOURCE.key) -> None:
    batch = writer.batch()
    batch.source(SOURCE)
    batch.event(ArchiveEvent(at=NOON + hour * HOUR, kind=kind, source=source, page=f"{source}/{hour:g}"))
    writer.commit(batch)


def test_old_events_go_but_for_those_that_say_which_articles_are_gone(archive: Store) -> None:
    with archive.writer(clock=ManualClock(NOON)) as writer:
        for hour in (0, 1, 50):
            told(writer, hour, EventKind.NEW_ARTICLE)
        told(writer, 2, EventKind.DELETION)
        told(writer, 3, EventKind.RETURN)
        told(writer, 4, EventKind.REVISION, OTHER.key)

    removed = tidied(archive, "events 60h", hour=100)

    assert removed == {(SOURCE.key, "events"): 2, (OTHER.key, "events"): 1}
    assert [event.kind for event in archive.events()] == [EventKind.NEW_ARTICLE, EventKind.DELETION, EventKind.RETURN]
    assert tidied(archive, "events 60h", hour=100) == {}
    assert {kind: gone.number for kind, gone in archive.status().sources[0].removed.items()} == {"events": 2}
    assert list(archive.check()) == []


def rows(archive: Store) -> set[int]:
    return set(archive.visits().to_table(columns=["visit"])["visit"].to_pylist())


def test_rows_of_visits_go_when_nothing_is_left_of_them(news: Store) -> None:
    before, visits = rows(news), news.status().sources[0].visits

    removed = tidied(news, "fronts 5h, other 5h, links 5h, visits 50h", hour=100)

    assert rows(news) == kept(news)
    assert removed["news.example", "visits"] == len(before - rows(news)) > 5
    assert {stored.key for stored in news.articles()} == {STORY}
    # What was counted stays counted.
    [status] = news.status().sources
    assert status.visits == visits
    assert status.removed["visits"].number == len(before - rows(news))
    assert news.why(f"https://{HOME}").visits_removed_before == NOON + 50 * HOUR
    assert harm(news) == []


def test_a_row_stays_while_its_response_or_its_links_do(news: Store) -> None:
    before = rows(news)

    tidied(news, "visits 1h", hour=100)
    assert rows(news) == before
    tidied(news, "fronts 5h, other 5h, visits 1h", hour=100)
    assert rows(news) == before
    tidied(news, "links 5h, visits 1h", hour=100)
    assert rows(news) < before
    assert harm(news) == []


def test_a_row_stays_while_it_is_younger_or_another_refers_to_it(archive: Store) -> None:
    with archive.writer() as writer:
        old = visit(writer, 0, HOME, b"the same")
        visit(writer, 1, HOME, b"the same")
        again = visit(writer, 60, HOME, b"", 304)
        last = visit(writer, 90, HOME, b"another")

    tidied(archive, "fronts 5h, links 5h, visits 50h", hour=100)

    assert rows(archive) == {old, again, last}
    assert harm(archive) == []


@pytest.mark.parametrize("lost", ["nothing", "catalogue"])
def test_a_repair_does_not_bring_rows_back(news: Store, lost: str) -> None:
    tidied(news, "fronts 5h, other 5h, links 5h, visits 50h", hour=100)
    left, visits = rows(news), news.status().sources[0].visits
    news.close()
    if lost == "catalogue":
        (news.folder / "catalogue.sqlite").unlink()

    repair(news.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(news.folder) as again:
        assert rows(again) == left
        assert harm(again) == []
        if lost == "nothing":
            assert again.status().sources[0].visits == visits


def test_no_event_goes_unless_a_rule_names_events(news: Store) -> None:
    with news.writer(clock=ManualClock(NOON)) as writer:
        told(writer, 0, EventKind.NEW_ARTICLE)
    before = news.events()

    tidied(news, "fronts 1h, other 1h, links 1h", hour=1000)

    assert news.events() == before != []


def test_each_source_goes_by_its_own_rule(archive: Store) -> None:
    with archive.writer() as writer:
        for source, keep in (
            (SOURCE, "fronts 50h"),
            (OTHER, None),
            (replace(OTHER, key="third.example"), "everything"),
        ):
            batch = writer.batch()
            batch.source(replace(source, settings=SourceSettings(keep=keep)))
            for hour in (0, 60, 90):
                batch.page(page(source.key, fetch=FETCHED))
                answer = at(hour, source.key, b"%d" % hour)
                batch.visit(source.key, answer.url, (answer,), source=source.key)
            writer.commit(batch)

    removed = tidied(archive, "fronts 10h", hour=100)

    assert removed == {(SOURCE.key, "fronts"): 1, (OTHER.key, "fronts"): 2}


def test_a_plan_changes_nothing_and_says_what_will_go(news: Store) -> None:
    before = tree(news.folder)

    plan = news.plan_tidying(KeepRule.parse("fronts 5h, other 5h, links 5h"), NOON + 100 * HOUR)

    assert tree(news.folder) == before
    planned = {key: pruning.number for key, pruning in plan.removed.items()}
    assert planned == tidied(news, "fronts 5h, other 5h, links 5h", hour=100)


def test_what_was_removed_is_counted_for_good(news: Store) -> None:
    tidied(news, "fronts 5h", hour=8)
    tidied(news, "fronts 5h, links 5h", hour=100)

    [status] = news.status().sources
    assert {kind: removed.number for kind, removed in status.removed.items()} == {"fronts": 10, "links": 13}
    assert status.removed["fronts"].before == NOON + 95 * HOUR
    assert status.visits == 18
    history = news.why(f"https://{HOME}")
    assert [visit.is_kept for visit in history.visits] == [False] * 9 + [True]
    assert history.to_dict()["visits"][0]["is_kept"] is False


def test_a_page_that_is_judged_an_article_later_is_not_touched(archive: Store) -> None:
    with archive.writer() as writer:
        visit(writer, 0, IMPRINT, b"old")
        visit(writer, 1, IMPRINT, b"new")
        batch = writer.batch()
        batch.page(page(IMPRINT, fetch=FETCHED, judged=judged(STORY)))
        writer.commit(batch)

    assert tidied(archive, "other 1h", hour=100) == {}


def test_a_damaged_file_is_left_to_a_repair(news: Store) -> None:
    damaged = news.warcs()[0]
    damaged.write_bytes(damaged.read_bytes()[:-1])

    with news.writer(clock=ManualClock(NOON + 100 * HOUR)) as writer:
        done = writer.tidy(KeepRule.parse("fronts 5h"))

    assert done.damaged == (f"warc/{damaged.name}",)
    assert done.removed[SOURCE.key, "fronts"].number == 9


@pytest.mark.parametrize("lost", ["nothing", "catalogue"])
def test_a_repair_neither_brings_it_back_nor_complains(news: Store, lost: str) -> None:
    old = {path: path.read_bytes() for kind in ("warc", "visits") for path in (news.folder / kind).iterdir()}
    tidied(news, "fronts 5h, links 5h", hour=100)
    left, rows = kept(news), news.visits().to_table().num_rows
    visits = news.status().sources[0].visits
    news.close()
    # As if the files that were replaced had not been removed yet.
    for path, content in old.items():
        path.write_bytes(content)
    if lost == "catalogue":
        (news.folder / "catalogue.sqlite").unlink()

    done = repair(news.folder, NothingRead(), SystemClock(), lambda _: None)

    assert done.lost == []
    with Store.open(news.folder) as again:
        assert kept(again) == left
        assert again.visits().to_table().num_rows == rows
        [status] = again.status().sources
        assert status.visits == visits
        if lost == "nothing":
            assert {kind: removed.number for kind, removed in status.removed.items()} == {"fronts": 10, "links": 13}
        assert harm(again) == []


def test_a_removed_response_that_is_still_needed_is_a_problem(archive: Store) -> None:
    with archive.writer() as writer:
        visit(writer, 0, HOME, b"home")
        visit(writer, 1, HOME, b"", 304)
        visit(writer, 2, HOME, b"new home")
        plan = archive.plan_tidying(KeepRule.parse("fronts 1h"), NOON + 100 * HOUR)
        only = replace(plan, responses=plan.responses[:1], files=plan.files[:1])
        writer.tidy_file(only, plan.files[0])

    assert "is referred to by another visit, but its response was removed" in {p.what for p in archive.check()}


def test_nothing_that_the_catalogue_refers_to_can_be_removed(archive: Store) -> None:
    with archive.writer() as writer:
        visit(writer, 0, HOME, b"home")
        visit(writer, 1, HOME, b"new home")
        plan = archive.plan_tidying(KeepRule.parse("fronts 1h"), NOON + 100 * HOUR)
        newest = replace(plan, responses=plan.responses + 1)
        [share] = plan.files
        share = share._replace(file=archive._files("warc")[-1])
        with pytest.raises(ArchiveError, match="although the contents refer to it"):
            writer.tidy_file(newest, share)

    assert len(kept(archive)) == 2
    assert harm(archive) == []


@pytest.mark.parametrize("step", kinds_of([*COMPACTION_STEPS, *REMOVAL_STEPS]))
def test_a_kill_at_any_step_is_harmless(merged: Store, step: str) -> None:
    child = context.Process(target=tidy, args=(str(merged.folder), "fronts 5h, links 5h", 100, step))
    child.start()
    child.join(600)

    assert child.exitcode == -signal.SIGKILL
    assert harm(merged) == []
    assert len(kept(merged)) >= 8

    tidy(str(merged.folder), "fronts 5h, links 5h", 100, "no such step")

    assert len(kept(merged)) == in_warcs(merged.folder) == 8
    assert merged.occurrences().to_table().num_rows == 5
    [status] = merged.status().sources
    assert {kind: removed.number for kind, removed in status.removed.items()} == {"fronts": 10, "links": 13}
    assert harm(merged) == []
