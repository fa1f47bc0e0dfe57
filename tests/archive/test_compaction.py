"""Many small files become one, under readers that go on reading."""

from datetime import timedelta
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.archive import Store
from broadsheet.archive.compaction import GRACE
from broadsheet.base.clock import ManualClock
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
    assert files(archive, "occurrences") == 4

    clock.advance(GRACE + timedelta(seconds=1))
    with archive.writer(machine=clock):
        pass

    assert files(archive, "occurrences") == files(archive, "visits") == 1
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
        assert files(archive, "occurrences") == 4
    assert archive.occurrences().count_rows() == 10
    assert list(archive.check()) == []


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
