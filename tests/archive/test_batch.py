"""A batch is a unit of work: who fills it sees it, revisits repeat no body, and it is closed once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from threading import Event

import pytest

from broadsheet.archive import (
    ArchiveError,
    Batch,
    FetchRecord,
    LastChange,
    LinkRows,
    PageState,
    Store,
    VerdictRecord,
    VisitReason,
    warc,
)
from broadsheet.archive.visit_counts import wire_size
from broadsheet.base.errors import InputError
from tests.archive.samples import (
    FETCHED,
    JUDGED,
    NOON,
    SOURCE,
    VERDICT,
    article,
    entry,
    exchange,
    harm,
    keep,
    links,
    member,
    page,
)

GONE = FetchRecord(state=PageState.GONE)
KEY, URL = "news.example", "https://news.example/"


def test_the_writer_sees_what_its_batches_changed(archive: Store) -> None:
    with archive.writer() as writer:
        keep(writer, "news.example/kept", b"kept")
        batch = writer.batch()
        batch.page(page("news.example/kept", fetch=GONE))
        batch.page(page("news.example/new"))
        batch.member(member("news.example/new", anchor="New"))
        batch.source(replace(SOURCE, snapshots=7))
        keys = ["news.example/kept", "news.example/new", "x"]

        assert [source.snapshots for source in writer.sources()] == [7]
        assert {key: found.state for key, found in writer.pages(keys).items()} == {
            "news.example/kept": PageState.GONE,
            "news.example/new": PageState.KNOWN,
        }
        assert {key: found.anchor for key, found in writer.members(SOURCE.key, keys).items()} == {
            "news.example/kept": "",
            "news.example/new": "New",
        }


def test_the_agenda_is_seen_through_open_batches_and_after_the_commit(archive: Store) -> None:
    late, early, urgent = "news.example/late", "news.example/early", "news.example/urgent"
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for key in (late, early, urgent):
            batch.page(page(key))
        batch.plan(entry(late, due=NOON + timedelta(hours=1), priority=99))
        batch.plan(entry(early))
        batch.plan(entry(urgent, priority=5))
        in_batch = [planned.page.key for planned in writer.agenda(SOURCE.key)]
        writer.commit(batch)
        committed = archive.agenda(SOURCE.key)

        batch = writer.batch()
        batch.unplan(SOURCE.key, urgent)
        batch.plan(entry(late, reason=VisitReason.REVISION))
        changed = [(planned.page.key, planned.entry.reason) for planned in writer.agenda(SOURCE.key)]
        unchanged = archive.agenda(SOURCE.key)
        writer.commit(batch)

    assert in_batch == [planned.url.removeprefix("https://") for planned in committed] == [urgent, early, late]
    assert unchanged == committed
    assert changed == [(early, VisitReason.CANDIDATE), (late, VisitReason.REVISION)]
    assert [(planned.page.key, planned.entry.reason) for planned in archive.agenda(SOURCE.key)] == changed


def test_a_visit_that_was_taken_off_the_agenda_can_be_planned_again_in_the_same_batch(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page())
        batch.plan(entry())
        batch.unplan(SOURCE.key, KEY)
        batch.plan(entry(priority=3))
        batch.unplan(SOURCE.key, "news.example/never-planned")
        writer.commit(batch)

    assert [planned.entry for planned in archive.agenda(SOURCE.key)] == [entry(priority=3)]


@pytest.mark.parametrize("committed_between", [True, False])
def test_the_parts_of_a_page_change_one_by_one(archive: Store, committed_between: bool) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for change in ({"fetch": FETCHED}, {"judged": JUDGED}, {"duplicate_of": "news.example/twin"}):
            known = writer.pages([KEY]).get(KEY, page())
            batch.page(replace(known, **change))
            if committed_between:
                writer.commit(batch)
                batch = writer.batch()
        writer.commit(batch)

    assert archive.pages([KEY])[KEY] == page(fetch=FETCHED, judged=JUDGED, duplicate_of="news.example/twin")


def test_a_page_that_came_again_is_written_without_the_verdict_that_the_catalogue_has(archive: Store) -> None:
    with archive.writer() as writer, archive.writer(shard=1) as other:
        batch = writer.batch()
        batch.page(page(fetch=FETCHED, judged=JUDGED))
        writer.commit(batch)
        again = other.batch()
        again.page(replace(page(fetch=FETCHED), judged=replace(JUDGED, verdict=replace(VERDICT, model="newer"))))
        other.commit(again)
        batch = writer.batch()
        batch.page(replace(writer.pages([KEY])[KEY], fetch=replace(FETCHED, etag="second")))
        writer.commit(batch)

        found = archive.pages([KEY])[KEY]

    assert found.fetch.etag == "second"
    assert found.verdict is not None
    assert found.verdict.model == "newer"


def test_a_verdict_changes_with_its_model_time_and_evidence(archive: Store) -> None:
    later = VerdictRecord(
        verdict=replace(VERDICT, kind="other", model="trees-2"),
        at=NOON + timedelta(days=1),
        evidence={"links": {"other": 1.0}},
    )
    with archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(judged=JUDGED))
        writer.commit(batch)
        first = archive.pages([KEY])[KEY]
        batch = writer.batch()
        batch.page(replace(first, judged=later))
        writer.commit(batch)

    assert first.judged == JUDGED
    assert archive.pages([KEY])[KEY].judged == later
    assert archive.verdict(URL) == later.verdict


def test_visits_say_why_and_occurrences_what_links_are_called(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.visit(KEY, URL, (exchange(b"a"),), links=links("a"), why=VisitReason.HOME)
        batch.visit(KEY, URL, (exchange(b"b"),), links=replace(links("b"), version=2), why=VisitReason.REVISION)
        batch.visit(KEY, URL, (exchange(b"c"),))
        writer.commit(batch)

    assert archive.visits().to_table()["why"].to_pylist() == ["home page", "revision", None]
    found = archive.occurrences().to_table()
    assert found["anchor"].to_pylist() == ["To a", "To b"]
    assert found["collection_version"].to_pylist() == [1, 2]


@pytest.mark.parametrize("committed_between", [True, False])
def test_the_same_bytes_again_are_kept_as_a_revisit(archive: Store, committed_between: bool) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(fetch=FETCHED))
        first = batch.visit(KEY, URL, (exchange(b"same"),), links=links("a", "b"))
        if committed_between:
            writer.commit(batch)
            batch = writer.batch()
        second = batch.visit(KEY, URL, (exchange(b"same", minute=1),), links=links("a", "b"))
        third = batch.visit(KEY, URL, (exchange(b"", status=304, minute=2),))
        writer.commit(batch)

    rows = archive.visits().to_table().to_pylist()
    assert [(row["visit"], row["same_as"], row["status"]) for row in rows] == [
        (first, None, 200),
        (second, first, 200),
        (third, first, 304),
    ]
    assert len({row["digest"] for row in rows}) == 1
    assert archive.occurrences().to_table()["visit"].to_pylist() == [first, first]
    assert [archive.exchange(visit).body for visit in (first, second, third)] == [b"same"] * 3
    assert harm(archive) == []


def test_an_error_page_repeats_nothing_and_is_no_content(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(fetch=GONE))
        for _ in range(2):
            batch.visit(KEY, URL, (exchange(b"gone", status=404),))
        writer.commit(batch)
        batch = writer.batch()
        batch.visit(KEY, URL, (exchange(b"", status=304),))
        assert writer.content(KEY) is None
        writer.commit(batch)

    assert archive.visits().to_table()["same_as"].to_pylist() == [None, None, None]


def test_a_caller_may_know_that_the_links_are_those_of_another_visit(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        first = batch.visit(KEY, URL, (exchange(b"one"),), links=links("a"))
        second = batch.visit(KEY, URL, (exchange(b"two"),), same_as=first)
        writer.commit(batch)

        with pytest.raises(InputError, match="either its own links or those of visit 1, not both"):
            writer.batch().visit(KEY, URL, (exchange(),), same_as=first, links=links("a"))

    assert archive.exchange(second).body == b"two"
    assert archive.visits().to_table()["same_as"].to_pylist() == [None, first]


def test_an_article_read_from_a_revisit_lies_where_the_body_lies(archive: Store) -> None:
    with archive.writer() as writer:
        first = keep(writer, KEY, b"same", title="One")
        batch = writer.batch()
        again = batch.visit(KEY, URL, (exchange(b"same", minute=9),))
        batch.article(KEY, SOURCE.key, article("Read better"), visit=again)
        writer.commit(batch)
        batch = writer.batch()
        batch.article(KEY, SOURCE.key, article("Read best"), visit=first)
        writer.commit(batch)

    one, better, best = archive.versions(KEY)
    assert one.place == better.place == best.place
    assert better.fetched_at > one.fetched_at == best.fetched_at == NOON
    assert harm(archive) == []


def test_redirects_are_kept_before_the_answer(archive: Store) -> None:
    hop = exchange(b"", "https://old.example/", status=301)

    with archive.writer() as writer:
        batch = writer.batch()
        visit = batch.visit(KEY, URL, (hop, exchange(b"there")))
        records = batch.new_visits.warc().records
        writer.commit(batch)

    assert records == 1 + 2 * 2
    assert archive.exchange(visit) == exchange(b"there")


def test_visits_have_increasing_ids_over_writers(archive: Store) -> None:
    with archive.writer() as writer:
        first = keep(writer, "a", b"a")
    with archive.writer() as writer:
        second = keep(writer, "b", b"b")

    assert second == first + 1


def test_a_batch_is_filled_and_committed_once_and_in_order(archive: Store) -> None:
    with archive.writer() as writer:
        first = writer.batch()
        first.source(SOURCE)
        second = writer.batch()
        second.page(page())

        with pytest.raises(ArchiveError, match="closed"):
            first.page(page())
        with pytest.raises(ArchiveError, match="in the order in which they were begun"):
            writer.commit(second)
        writer.commit(first)
        writer.commit(second)
        with pytest.raises(ArchiveError, match="already committed"):
            writer.commit(second)
        with pytest.raises(ArchiveError, match="closed"):
            second.count("late")

    assert list(archive.pages([KEY])) == [KEY]


def test_a_visit_needs_an_answer_and_a_count_grows(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        with pytest.raises(InputError, match="without a response"):
            batch.visit(KEY, URL, ())
        with pytest.raises(ValueError, match="only grow"):
            batch.count("x", by=-1)
        assert batch.is_empty


@pytest.mark.parametrize(
    "fill",
    [
        lambda batch: batch.member(member()),
        lambda batch: batch.plan(entry()),
        lambda batch: (batch.page(page()), batch.member(member(source="nobody"))),
        lambda batch: (batch.source(SOURCE), batch.plan(entry())),
    ],
)
def test_a_member_or_a_plan_without_its_page_or_source_is_refused_with_the_whole_batch(
    archive: Store, fill: Callable[[Batch], object]
) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        fill(batch)
        with pytest.raises(ArchiveError, match="FOREIGN KEY"):
            writer.commit(batch)

    assert archive.status().commits == 0


def test_columns_of_links_have_one_length() -> None:
    with pytest.raises(ValueError, match=r"same length, not \[0, 1\]"):
        LinkRows(targets=("a",))


def test_the_size_of_a_batch_is_that_of_what_was_received_and_rendered(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.visit(KEY, URL, (exchange(b"12345"),))
        plain = batch.size
        batch.visit(KEY, URL, (replace(exchange(b"12345"), rendered=b"rendered"),))

        assert (plain, batch.size) == (wire_size(exchange(b"12345")), 2 * plain + len(b"rendered"))
        assert batch.visits == 2


def test_the_warc_file_of_a_batch_says_where_answers_are_and_is_the_same_when_it_is_written_again(
    archive: Store,
) -> None:
    hop = exchange(b"", "https://old.example/", status=301)
    with archive.writer() as writer:
        batch = writer.batch()
        first, second = batch.visit(KEY, URL, (hop, exchange(b"a"))), batch.visit(KEY, URL, (exchange(b"b"),))

        written = batch.new_visits.warc()

        assert batch.new_visits.warc() == written
        blocks = [
            warc.record(written.data[span.offset : span.offset + span.length]).block
            for span in map(written.answers.__getitem__, (first, second))
        ]
        assert [block[-1:] for block in blocks] == [b"a", b"b"]


def test_a_batch_is_committed_in_a_thread_while_the_next_is_filled(archive: Store) -> None:
    reached, go_on = Event(), Event()

    def pause(step: str) -> None:
        if step == "before put visits":
            reached.set()
            assert go_on.wait(600)

    with archive.writer(on_step=pause) as writer, ThreadPoolExecutor() as threads:
        first = writer.batch()
        first.page(page(fetch=FETCHED))
        visit = first.visit(KEY, URL, (exchange(b"same"),))
        done = threads.submit(writer.commit, first)
        assert reached.wait(600)
        second = writer.batch()
        second.visit(KEY, URL, (exchange(b"same"),))
        seen = writer.content(KEY)
        go_on.set()
        done.result()
        writer.commit(second)

    assert seen is not None
    assert seen.visit == visit
    assert archive.visits().to_table()["same_as"].to_pylist() == [None, visit]
    assert harm(archive) == []


def test_a_commit_that_was_done_but_not_reported_is_not_done_twice(archive: Store) -> None:
    failures = [OSError("the answer got lost")]

    def fail_once(step: str) -> None:
        if step == "after transaction" and failures:
            raise failures.pop()

    with archive.writer(on_step=fail_once) as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        visit = batch.visit(KEY, URL, (exchange(),), links=links("a"))
        batch.article(KEY, SOURCE.key, article(), visit=visit)
        batch.count("x")
        with pytest.raises(OSError, match="got lost"):
            writer.commit(batch)
        writer.commit(batch)

    assert archive.counters.total("x") == 1
    assert archive.visits().count_rows() == archive.occurrences().count_rows() == len(list(archive.articles())) == 1
    assert harm(archive) == []


@pytest.mark.parametrize("status", [-5, 0, 99, 1000, 99_999])
def test_a_status_that_http_does_not_know_is_refused(archive: Store, status: int) -> None:
    with archive.writer() as writer, pytest.raises(InputError, match="is not an HTTP status"):
        writer.batch().visit(page_key=KEY, url=URL, exchanges=(replace(exchange(), status=status),))


@pytest.mark.parametrize("status", [204, 206])
def test_a_part_of_a_page_does_not_stand_for_the_page(archive: Store, status: int) -> None:
    with archive.writer() as writer:
        batch = writer.batch()

        batch.visit(page_key=KEY, url=URL, exchanges=(replace(exchange(), status=status),))

        assert batch.changed_contents == {}


def test_a_date_beyond_the_calendar_does_not_keep_an_article_out(archive: Store) -> None:
    edge = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page())
        visit = batch.visit(page_key=KEY, url=URL, exchanges=(exchange(),))

        assert batch.article(KEY, SOURCE.key, article(published=edge), visit=visit)
        writer.commit(batch)

    assert [stored.article.published for stored in archive.articles()] == [edge]


def test_the_last_change_of_an_article_says_its_version_time_and_date(archive: Store) -> None:
    published = NOON - timedelta(hours=3)
    with archive.writer() as writer:
        assert writer.last_change("news.example/a") is None
        keep(writer, "news.example/a", b"<p>One", title="One")
        batch = writer.batch()
        visit = batch.visit("news.example/a", "https://news.example/a", (exchange(b"<p>Two", minute=5),))
        batch.article("news.example/a", SOURCE.key, article("Two", published=published), visit=visit)
        writer.commit(batch)

        change = writer.last_change("news.example/a")

    assert change == LastChange(2, NOON + timedelta(minutes=5), published)


def test_a_body_is_hashed_once_for_what_is_asked_of_it(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[bytes] = []
    digest = warc.digest

    def counted(data: bytes) -> str:
        hashed.append(data)
        return digest(data)

    monkeypatch.setattr(warc, "digest", counted)
    with archive.writer() as writer:
        batch = writer.batch()
        for answer in (exchange(b"<p>One"), exchange(b"<p>Two")):
            batch.repeats("news.example", answer)
            batch.visit("news.example", answer.url, (answer,))

    assert [data for data in hashed if data.startswith(b"<p>")] == [b"<p>One", b"<p>Two"]
