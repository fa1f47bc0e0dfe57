"""Several writers share an archive, each with a shard and a lease of its own."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from broadsheet.archive import ArchiveBusy, Store, repair
from broadsheet.archive.compaction import GRACE
from broadsheet.archive.shards import LAST_SHARD, VISITS_PER_SHARD, shard_of
from broadsheet.base.clock import ManualClock, SystemClock
from broadsheet.base.errors import InputError
from tests.archive.rereaders import NothingRead
from tests.archive.samples import NOON, exchange, harm, keep


def test_two_shards_are_written_to_in_turn_and_their_visits_never_collide(archive: Store) -> None:
    with archive.writer(shard=0) as first, archive.writer(shard=7) as second:
        visits = [
            keep(writer, f"news.example/{number}", b"%d" % number) for number in range(3) for writer in (first, second)
        ]

    assert [shard_of(visit) for visit in visits] == [0, 7] * 3
    assert len(set(visits)) == 6
    assert sorted(archive.visits().to_table()["visit"].to_pylist()) == sorted(visits)
    assert [archive.exchange(visit).body for visit in visits] == [b"0", b"0", b"1", b"1", b"2", b"2"]
    assert harm(archive) == []


def test_a_shard_goes_on_counting_where_it_ended(archive: Store) -> None:
    with archive.writer(shard=2) as writer:
        first = keep(writer, "news.example/a", b"a")
    with archive.writer() as writer:
        elsewhere = keep(writer, "news.example/b", b"b")
    with archive.writer(shard=2) as writer:
        second = keep(writer, "news.example/c", b"c")

    assert (first, elsewhere, second) == (2 * VISITS_PER_SHARD + 1, 1, 2 * VISITS_PER_SHARD + 2)


def test_each_shard_has_its_own_lease(archive: Store) -> None:
    with archive.writer(shard=1):
        with pytest.raises(ArchiveBusy, match="already writing"):
            archive.writer(shard=1)
        assert archive.status().holder is not None
        with archive.writer(shard=2) as other:
            keep(other, "news.example/a", b"a")
        with archive.writer(shard=2) as again:
            keep(again, "news.example/b", b"b")

    assert archive.status().holder is None


def test_only_a_writer_that_is_alone_sweeps(archive: Store) -> None:
    left = archive.folder / "warc" / ".tmp-left"
    with archive.writer(shard=1):
        left.write_bytes(b"half")
        with archive.writer(shard=2):
            beside = left.exists()
    with archive.writer(shard=2):
        alone = left.exists()

    assert (beside, alone) == (True, False)


def test_a_file_that_another_shard_is_about_to_name_stays_in_place(archive: Store) -> None:
    joined: list[bool] = []

    def join(step: str) -> None:
        if step == "before transaction":
            archive.writer(shard=2).close()
            joined.append(True)

    with archive.writer(shard=1, on_step=join) as writer:
        keep(writer, "news.example/a", b"a")

    assert joined == [True]
    assert list(archive.check()) == []


def test_what_another_shard_commits_before_a_writer_sweeps_stays_in_place(archive: Store) -> None:
    joined: list[int] = []

    def join(step: str) -> None:
        if step == "after lease":
            with archive.writer(shard=2) as other:
                joined.append(keep(other, "news.example/b", b"b"))

    with archive.writer(shard=1, on_step=join) as writer:
        set_aside = writer.set_aside

    assert set_aside == ()
    assert archive.exchange(joined[0]).body == b"b"
    assert list(archive.check()) == []


def test_nobody_repairs_what_a_shard_is_being_written_to(archive: Store) -> None:
    with archive.writer(shard=3) as writer:
        keep(writer, "news.example/a", b"a")

        with pytest.raises(ArchiveBusy, match="stop it before repairing"):
            repair(archive.folder, NothingRead(), SystemClock(), lambda _: None)


@pytest.mark.parametrize("shard", [-1, LAST_SHARD + 1])
def test_a_shard_that_cannot_be_is_refused(archive: Store, shard: int) -> None:
    with pytest.raises(InputError, match="a shard's number must be between 0 and 4,194,303"):
        archive.writer(shard=shard)


def test_the_visits_of_the_last_shard_can_be_stored(archive: Store) -> None:
    with archive.writer(shard=LAST_SHARD) as writer:
        visit = keep(writer, "news.example/a", b"a")

    assert archive.exchange(visit).body == b"a"
    assert list(archive.check()) == []


def test_a_visit_beyond_the_mark_of_its_own_shard_is_named(archive: Store) -> None:
    with archive.writer(shard=1) as writer:
        keep(writer, "news.example/a", b"a")
        batch = writer.batch()
        batch.visit("news.example/b", "https://news.example/b", (exchange(b"b"),))
        writer.commit(batch)
    database = archive.folder / "catalogue.sqlite"
    first = VISITS_PER_SHARD + 1
    _set_mark(database, "last_visit.1", first)

    problems = [f"{problem.where} {problem.what}" for problem in archive.check()]

    assert f"visit {first + 1} is later than the last committed visit, {first}" in problems


def _set_mark(database: Path, name: str, value: int) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = ?", (str(value), name))


@pytest.mark.parametrize("lost", ["nothing", "the catalogue", "the visits", "both"])
def test_a_repair_keeps_the_numbers_of_all_shards(archive: Store, lost: str) -> None:
    with archive.writer() as first, archive.writer(shard=5) as second:
        visits = [
            keep(writer, f"news.example/{number}", b"%d" % number) for number, writer in enumerate((first, second))
        ]
        again = second.batch()
        visits.append(again.visit("news.example/1", "https://news.example/1", (exchange(b"1", minute=1),)))
        second.commit(again)
    archive.close()
    if lost in {"the catalogue", "both"}:
        for path in archive.folder.glob("catalogue.*"):
            path.unlink()
    if lost in {"the visits", "both"}:
        for kind in ("visits", "occurrences"):
            for path in (archive.folder / kind).iterdir():
                path.unlink()

    repair(archive.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(archive.folder) as repaired:
        assert sorted(repaired.visits().to_table()["visit"].to_pylist()) == sorted(visits)
        assert repaired.exchange(visits[2]).body == b"1"
        assert [problem for problem in repaired.check() if not problem.harmless] == []
        with repaired.writer(shard=5) as writer:
            assert keep(writer, "news.example/new", b"new") == visits[2] + 1


def fill_two_shards(archive: Store, clock: ManualClock) -> dict[int, bytes]:
    """Commit to two shards in turn until the files of both are merged, and return the bodies of the visits."""
    bodies: dict[int, bytes] = {}
    with (
        archive.writer(machine=clock, most_files=2) as first,
        archive.writer(shard=5, machine=clock, most_files=2) as second,
    ):
        for number in range(4):
            for writer in (first, second):
                body = b"%d of shard %d" % (number, writer.shard)
                bodies[keep(writer, f"news.example/{writer.shard}/{number}", body)] = body
    return bodies


def shards_of_files(archive: Store, kind: str) -> list[set[int]]:
    """Return which shards the rows of each file of a kind belong to."""
    files = archive.visits().files if kind == "visits" else archive.occurrences().files
    return [set(map(shard_of, pq.read_table(file)["visit"].to_pylist())) for file in files]


def test_files_of_different_shards_are_never_merged(archive: Store) -> None:
    clock = ManualClock(NOON)

    bodies = fill_two_shards(archive, clock)

    assert shards_of_files(archive, "visits") == shards_of_files(archive, "occurrences") == [{0}, {0}, {5}, {5}]
    with archive.writer(shard=3, machine=clock, most_files=1) as writer:
        # The writer of another shard leaves them alone, however many there are, but removes what nobody needs.
        clock.advance(GRACE * 2)
        bodies[keep(writer, "news.example/3", b"3")] = b"3"
    assert len(archive.warcs()) == len(list((archive.folder / "warc").iterdir())) == 5
    assert {visit: archive.exchange(visit).body for visit in bodies} == bodies
    assert list(archive.check()) == []


@pytest.mark.parametrize("lost", [("catalogue.*",), ("visits/*", "occurrences/*"), ("catalogue.*", "visits/*")])
def test_a_repair_keeps_merged_files_of_several_shards_apart(archive: Store, lost: tuple[str, ...]) -> None:
    clock = ManualClock(NOON)
    bodies = fill_two_shards(archive, clock)
    archive.close()
    for pattern in lost:
        for path in archive.folder.glob(pattern):
            path.unlink()

    repair(archive.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(archive.folder) as repaired:
        assert {visit: repaired.exchange(visit).body for visit in bodies} == bodies
        assert repaired.visits().count_rows() == len(bodies)
        assert shards_of_files(repaired, "visits") == [{0}, {5}]
        with repaired.writer(shard=5, most_files=1) as writer:
            bodies[keep(writer, "news.example/new", b"new")] = b"new"
        assert [len(shards) for shards in shards_of_files(repaired, "visits")] == [1, 1]
        assert {visit: repaired.exchange(visit).body for visit in bodies} == bodies
        assert [problem for problem in repaired.check() if not problem.harmless] == []


def test_what_comes_to_any_shard_during_a_check_is_left_out(archive: Store) -> None:
    with archive.writer() as first, archive.writer(shard=5) as second:
        keep(first, "news.example/a", b"a")
        damaged = archive.warcs()[0]
        damaged.write_bytes(b"damaged")
        found = archive.check()
        problems = [next(found)]

        keep(second, "news.example/b", b"b")

        problems += found
    assert {problem.where for problem in problems} == {f"warc/{damaged.name}"}


def test_a_damaged_mark_is_a_problem_and_hides_no_other(archive: Store) -> None:
    with archive.writer(shard=1) as writer:
        keep(writer, "news.example/a", b"a")
    with closing(sqlite3.connect(archive.folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = 'many' WHERE name = 'last_visit.1'")

    problems = [f"{problem.where} {problem.what}" for problem in archive.check()]

    first = VISITS_PER_SHARD + 1
    assert f"visit {first} is later than the last committed visit, {VISITS_PER_SHARD}" in problems


def test_a_dead_writer_of_another_shard_does_not_keep_a_writer_from_sweeping(archive: Store) -> None:
    archive.writer(shard=1)
    with closing(sqlite3.connect(archive.folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("UPDATE lease SET pid = ? WHERE id = 1", (2**22 + 1,))
    left = archive.folder / "warc" / ".tmp-left"
    left.write_bytes(b"half")

    with archive.writer() as writer:
        keep(writer, "news.example/a", b"a")

    assert not left.exists()
