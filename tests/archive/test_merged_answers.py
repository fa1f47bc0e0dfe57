"""An archive that merges, and whose writers are killed on the way, answers as one that never merged."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broadsheet.archive import STEPS, Store, Writer
from broadsheet.archive.compaction import COMPACTION_STEPS, GRACE, REMOVAL_STEPS
from broadsheet.base.clock import ManualClock
from broadsheet.base.records import Article
from tests.archive.kills import kinds_of
from tests.archive.samples import NOON, SOURCE, exchange, harm, links, page

KEYS = ("a", "b", "c")
MERGING = (*COMPACTION_STEPS, *REMOVAL_STEPS)


class Killed(BaseException):
    """Ends a writer as a kill does: nothing is tidied up."""


#: What one visit of a commit brings: a page, its body (a 304 where there is none), how many links.
VISIT = st.tuples(st.sampled_from(KEYS), st.sampled_from([None, b"", b"one", b"two" * 300]), st.integers(0, 2))
#: A commit, and the step of the merging after it at which the writer is killed, if any.
COMMIT = st.tuples(st.lists(VISIT, min_size=1, max_size=3), st.sampled_from([None, None, *MERGING]), st.booleans())


def commit(writer: Writer, visits: list[tuple[str, bytes | None, int]], minute: int) -> None:
    batch = writer.batch()
    batch.source(SOURCE)
    known = writer.pages(KEYS)
    for key, body, number in visits:
        if key not in known:
            batch.page(page(key))
        answer = exchange(body or b"", f"https://{key}", 304 if body is None else 200, minute)
        visit = batch.visit(key, answer.url, (answer,), links=links(*(f"{key}/{index}" for index in range(number))))
        if body:
            batch.article(key, SOURCE.key, Article(title=f"{key} {body[:3]!r}", body="text"), visit=visit)
    writer.commit(batch)


def answers(archive: Store) -> dict[str, Any]:
    """Return all that can be asked, but for where it lies."""
    visits = archive.visits().to_table().to_pylist()
    versions = [version for key in KEYS for version in archive.versions(key)]
    return {
        # Record ids follow from the archive's, so records differ in length as well.
        "visits": [{**row, "warc": "", "offset": 0, "length": 0} for row in visits],
        "occurrences": archive.occurrences().to_table().to_pylist(),
        "exchanges": [archive.exchange(row["visit"]) for row in visits],
        "versions": [(version.key, version.version, version.article, version.visit) for version in versions],
        "pages of versions": [archive.exchange(version) for version in versions],
        "contents": archive.pages(KEYS),
    }


def forget_lease(folder: Path) -> None:
    """A process does not take a lease from itself, so the lease of a writer that was killed is taken away here."""
    with closing(sqlite3.connect(folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("DELETE FROM lease")


def killer(step: list[str | None]) -> Callable[[str], None]:
    def hear(name: str) -> None:
        if name == step[0]:
            step[0] = None
            raise Killed

    return hear


def merge_under_kills(folder: Path, commits: list[Any], most: int) -> None:
    clock = ManualClock(NOON)
    step: list[str | None] = [None]
    with Store.open(folder, create=True) as archive:
        writer = archive.writer(machine=clock, on_step=killer(step), most_files=most)
        for minute, (visits, killed_at, waits) in enumerate(commits):
            step[0] = killed_at
            try:
                commit(writer, visits, minute)
            except Killed:
                writer._database.close()
                forget_lease(folder)
                assert harm(archive) == []
                step[0] = None
                writer = archive.writer(machine=clock, on_step=killer(step), most_files=most)
            step[0] = None
            if waits:
                clock.advance(GRACE * 2)
        writer.close()


def assert_same(commits: list[Any], most: int) -> None:
    with TemporaryDirectory() as plain, TemporaryDirectory() as merged:
        with Store.open(plain, create=True) as archive:
            with archive.writer(most_files=10_000, machine=ManualClock(NOON)) as writer:
                for minute, (visits, _, _) in enumerate(commits):
                    commit(writer, visits, minute)
            expected = answers(archive)
            assert len(archive.warcs()) == len(commits)

        merge_under_kills(Path(merged), commits, most)

        with Store.open(merged) as archive:
            assert answers(archive) == expected
            assert all(problem.harmless for problem in archive.check())


@given(st.lists(COMMIT, min_size=1, max_size=6), st.integers(1, 3))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_merging_and_kills_change_no_answer(commits: list[Any], most: int) -> None:
    assert_same(commits, most)


@pytest.mark.soak
@given(st.lists(COMMIT, min_size=1, max_size=30), st.integers(1, 5))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_same_for_longer_histories(commits: list[Any], most: int) -> None:
    assert_same(commits, most)


@pytest.mark.parametrize("step", kinds_of(MERGING))
def test_a_kill_at_each_step_of_merging_changes_no_answer(step: str) -> None:
    visits = [("a", b"one", 2), ("b", b"two" * 300, 1)]
    again = [("a", None, 0), ("b", b"one", 1)]

    assert_same([(visits, None, False), (again, None, True), (visits, None, True), (again, step, True)], 1)


def test_the_steps_of_merging_are_announced_steps() -> None:
    assert set(MERGING) <= set(STEPS)
