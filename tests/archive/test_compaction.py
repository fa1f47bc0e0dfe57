"""Many small files become one, under readers that go on reading."""

import math
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert
from warcio.archiveiterator import ArchiveIterator

from broadsheet.archive import (
    ArchiveError,
    RecordPlace,
    Store,
    Writer,
    catalogued_files,
    compaction,
    durable_files,
    merge_policy,
    parquet_files,
    repair,
    tables,
    visits,
)
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.compaction import GRACE
from broadsheet.base.clock import ManualClock, SystemClock
from tests.archive.rereaders import NothingRead
from tests.archive.samples import NOON, exchange, harm, keep, links


def files(archive: Store, kind: str) -> int:
    return len(list((archive.folder / kind).iterdir()))


def test_small_files_are_merged_when_they_are_many(archive: Store) -> None:
    with archive.writer(most_files=3) as writer:
        for number in range(10):
            keep(writer, f"p{number}", b"%d" % number)

    assert len(archive.visits().files) <= 3
    assert archive.visits().to_table()["visit"].to_pylist() == list(range(1, 11))
    assert archive.occurrences().count_rows() == 20
    assert archive.exchange(7).body == b"6"
    assert harm(archive) == []


def test_a_reader_goes_on_reading_files_that_were_merged(archive: Store) -> None:
    clock = ManualClock(NOON)
    with archive.writer(machine=clock, most_files=2) as writer:
        keep(writer, "a", b"a")
        keep(writer, "b", b"b")
        before = archive.occurrences()
        keep(writer, "c", b"c")
    with archive.writer(machine=clock):
        pass

    assert before.count_rows() == 4
    assert archive.occurrences().count_rows() == 6
    assert files(archive, "occurrences") == files(archive, "warc") == files(archive, "visits") == 4

    clock.advance(GRACE + timedelta(seconds=1))
    with archive.writer(machine=clock):
        pass

    assert files(archive, "occurrences") == files(archive, "visits") == files(archive, "warc") == 1
    assert archive.occurrences().count_rows() == 6
    assert list(archive.check()) == []


def test_merged_files_are_removed_while_the_writer_lives(archive: Store) -> None:
    clock = ManualClock(NOON)
    with archive.writer(machine=clock, most_files=2) as writer:
        for number in range(4):
            keep(writer, f"p{number}", b"%d" % number)
            clock.advance(GRACE + timedelta(seconds=1))
        keep(writer, "p4", b"4")

        # Of seven files that were put, the three that were merged first are gone; the last three may still be read.
        assert files(archive, "occurrences") == files(archive, "warc") == 4

        clock.advance(GRACE + timedelta(seconds=1))
        writer.heartbeat()

        # Nothing has to be committed for the others to be removed.
        assert files(archive, "occurrences") == files(archive, "warc") == files(archive, "visits") == 1
    assert archive.occurrences().count_rows() == 10
    assert list(archive.check()) == []


def merge_all(archive: Store, clock: ManualClock, writer: Writer) -> None:
    """Commit once more, which merges, and let the old files be removed."""
    keep(writer, "last", b"last")
    clock.advance(GRACE * 2)
    writer.heartbeat()
    assert files(archive, "warc") == 1


def test_records_are_found_wherever_they_were_merged_to(archive: Store) -> None:
    clock = ManualClock(NOON)
    with archive.writer(machine=clock, most_files=2) as writer:
        visits = [keep(writer, f"p{number}", b"page %d" % number) for number in range(2)]
        revisits = []
        for status, body in ((304, b""), (200, b"page 1")):
            batch = writer.batch()
            revisits.append(batch.visit("p1", "https://p1", (exchange(body, "https://p1", status),)))
            writer.commit(batch)
        before = {stored.key: stored for stored in archive.articles()}
        places = {visit: place(archive, visit) for visit in visits}
        merge_all(archive, clock, writer)
        again = keep(writer, "p0", b"page 0")

    # Articles and places from before, which name files that are gone, and those of now.
    assert [archive.exchange(before[f"p{number}"]).body for number in range(2)] == [b"page 0", b"page 1"]
    assert [archive.exchange(places[visit]).body for visit in visits] == [b"page 0", b"page 1"]
    assert [archive.exchange(visit).body for visit in [*visits, *revisits]] == [b"page 0", *[b"page 1"] * 3]
    assert archive.exchange(again).body == b"page 0"
    assert {stored.warc for stored in archive.articles()} == {path.name for path in archive.warcs()[:1]}
    assert list(archive.check()) == []


def test_a_visit_and_its_links_are_found_although_their_files_were_removed_after_they_were_listed(
    archive: Store,
) -> None:
    clock = ManualClock(NOON)
    with archive.writer(machine=clock, most_files=2) as writer:
        visit = keep(writer, "p0", b"0")
        keep(writer, "p1", b"1")
        stale = {kind: archive._files(kind) for kind in ("visits", "occurrences")}
        merge_all(archive, clock, writer)

    row = visits.row(archive.folder, first_answered(archive, stale["visits"]), visit)
    found = visits.links(archive.folder, first_answered(archive, stale["occurrences"]), visit)

    assert (row["page"], row["why"]) == ("p0", "candidate")
    assert found == [("p0/1", "https://p0/1", "To p0/1"), ("p0/2", "https://p0/2", "To p0/2")]
    assert archive.last_links("p0") == found


def first_answered(archive: Store, listed: list[FileRow]) -> visits.Ask[list[FileRow]]:
    """Ask an archive, but give an earlier answer the first time."""
    earlier = [listed]
    return lambda question: earlier.pop() if earlier else archive._ask(question)


@pytest.mark.parametrize("kind", ["visits", "occurrences"])
def test_a_file_that_somebody_removed_is_not_waited_for(archive: Store, kind: str) -> None:
    with archive.writer() as writer:
        visit = keep(writer, "p", b"p")
    for path in (archive.folder / kind).iterdir():
        path.unlink()

    with pytest.raises(ArchiveError, match=f"a file of {kind} is missing"):
        archive.exchange(visit) if kind == "visits" else archive.last_links("p")


def place(archive: Store, visit: int) -> RecordPlace:
    [row] = [row for row in archive.visits().to_table().to_pylist() if row["visit"] == visit]
    return RecordPlace(row["warc"], row["offset"], row["length"])


def test_another_reader_reads_a_merged_warc_file(archive: Store) -> None:
    clock = ManualClock(NOON)
    with archive.writer(machine=clock, most_files=2) as writer:
        keep(writer, "p", b"page")
        batch = writer.batch()
        batch.visit("p", "https://p", (exchange(b"", "https://p", 304, minute=1),))
        writer.commit(batch)
        merge_all(archive, clock, writer)

    [path] = archive.warcs()
    with path.open("rb") as file:
        iterator = ArchiveIterator(file, check_digests="raise")
        records = [
            (dict(record.rec_headers.headers), record.raw_stream.read(), iterator.get_record_offset())
            for record in iterator
        ]

    ids = {headers["WARC-Record-ID"]: headers for headers, _, _ in records}
    [revisit] = [headers for headers, _, _ in records if headers["WARC-Type"] == "revisit"]
    original = ids[revisit["WARC-Refers-To"]]
    assert original["WARC-Date"] == revisit["WARC-Refers-To-Date"]
    assert original["WARC-Target-URI"] == revisit["WARC-Refers-To-Target-URI"]
    assert sum(headers["WARC-Type"] == "warcinfo" for headers, _, _ in records) == 3
    offsets = {row["offset"] for row in archive.visits().to_table().to_pylist()}
    answers = {at for headers, _, at in records if headers["WARC-Type"] in {"response", "revisit"}}
    assert offsets == answers


def test_a_damaged_file_is_not_merged_because_that_would_hide_the_damage(
    archive: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with archive.writer(most_files=2) as writer:
        for number in range(2):
            keep(writer, f"p{number}", b"%d" % number)
        damaged = archive.warcs()[1]
        content = damaged.read_bytes()
        damaged.write_bytes(content[:20] + bytes([content[20] ^ 1]) + content[21:])
        for number in range(2, 7):
            keep(writer, f"p{number}", b"%d" % number)

    assert damaged in archive.warcs()
    assert damaged.name in caplog.text
    assert [problem.where for problem in archive.check() if "content differs" in problem.what] == [
        f"warc/{damaged.name}"
    ]
    assert len(archive.warcs()) < 7


def test_a_file_of_visits_that_names_other_warc_files_too_is_divided(archive: Store) -> None:
    with archive.writer(most_files=99) as writer:
        for number in range(6):
            keep(writer, f"p{number}", b"%d" % number)
    join_visits(archive)

    with archive.writer(most_files=2, full_bytes=archive.warcs()[0].stat().st_size * 3 // 2) as writer:
        keep(writer, "q", b"q")

    assert [archive.exchange(visit).body for visit in range(1, 8)] == [*(b"%d" % number for number in range(6)), b"q"]
    assert archive.visits().to_table()["visit"].to_pylist() == list(range(1, 8))
    assert harm(archive) == []


def join_visits(archive: Store) -> None:
    """Make one file of all visits, as a repair does."""
    with archive.writer() as writer, writer._database.writing() as connection:
        old = catalogued_files.files(connection, "visits")
        table = parquet_files.written(archive.visits().to_table())
        stored = durable_files.put(archive.folder, "visits", table, lambda _: None)
        compaction.forget(connection, old)
        row = {**old[0]._asdict(), **asdict(stored), "rows": len(old), "last_visit": old[-1].last_visit}
        connection.execute(insert(tables.files).values(row))
    for file in old:
        (archive.folder / "visits" / file.name).unlink()


def test_a_repair_takes_a_merged_file_and_not_its_parts_as_well(archive: Store) -> None:
    with archive.writer(most_files=2) as writer:
        for number in range(4):
            keep(writer, f"p{number}", b"%d" % number)
    assert files(archive, "warc") == 5
    names = {path.name for path in archive.warcs()}
    archive.close()
    (archive.folder / "catalogue.sqlite").unlink()

    repair(archive.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(archive.folder) as again:
        assert {path.name for path in again.warcs()} == names
        assert [again.exchange(visit).body for visit in range(1, 5)] == [b"%d" % number for number in range(4)]
        assert list(again.check()) == []
        with again.writer(machine=ManualClock(SystemClock().now() + GRACE * 2)):
            pass
        assert files(again, "warc") == 2
        assert list(again.check()) == []


@dataclass
class Sizes:
    """Files of an archive that is only thought of."""

    files: list[FileRow] = field(default_factory=list)
    committed: int = 0
    merged: int = 0
    most: int = 0

    def commit(self, size: int, full: int) -> None:
        number = len(self.files)
        self.files.append(FileRow(number, "warc", f"{number}", size, 1, number, number, None))
        self.committed += size
        chosen = merge_policy.due(self.files, merge_policy.MAX_FILES, full)
        if chosen:
            self.merged += (total := sum(file.size for file in chosen))
            assert total < 2 * full
            start = self.files.index(chosen[0])
            self.files[start : start + len(chosen)] = [chosen[0]._replace(size=total)]
        self.most = max(self.most, sum(file.size < full for file in self.files))


@pytest.mark.parametrize("kind", ["even", "by day and night", "tiny", "sometimes large", "very different"])
def test_files_stay_few_and_bytes_are_rewritten_a_few_times(kind: str) -> None:
    chance, sizes, full = random.Random(7), Sizes(), 512_000
    draw: dict[str, Callable[[int], float]] = {
        "even": lambda _: 3_000,
        "by day and night": lambda hour: 3_000 * (1.1 + math.sin(hour / 24 * math.tau)),
        "tiny": lambda _: 30 * chance.random() + 1,
        "sometimes large": lambda hour: 40_000 if hour % 50 == 0 else 400,
        "very different": lambda _: min(200 * chance.paretovariate(0.8), full // 3),
    }

    for hour in range(6_000):
        sizes.commit(int(draw[kind](hour)) + 1, full)

    assert sizes.most <= 5 * merge_policy.MAX_FILES
    assert sizes.merged <= 6 * sizes.committed


TARGETS = st.lists(st.sampled_from(["a", "b", "ä", "日本", "x" * 300]), max_size=4)


@given(st.lists(st.lists(TARGETS, max_size=3), max_size=6))
@settings(max_examples=10, deadline=None)
def test_occurrences_are_what_was_committed(commits: list[list[list[str]]]) -> None:
    expected = []
    with TemporaryDirectory() as folder, Store.open(folder, create=True) as archive:
        with archive.writer(most_files=2) as writer:
            for number, visits in enumerate(commits):
                batch = writer.batch()
                for index, targets in enumerate(visits):
                    body = f"{number}/{index}".encode()
                    visit = batch.visit("page", "https://page", (exchange(body),), links=links(*targets))
                    expected += [(visit, target, position) for position, target in enumerate(targets)]
                writer.commit(batch)

        rows = archive.occurrences().to_table().to_pylist()

        assert [(row["visit"], row["target"], row["position"]) for row in rows] == expected
        assert all(row["url"] == f"https://{row['target']}" and row["page"] == "page" for row in rows)
        assert harm(archive) == []
