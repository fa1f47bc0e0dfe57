"""An archive that is too large loses its oldest responses, and nothing that is to stay."""

import random
from contextlib import closing
from dataclasses import replace

import pytest

from broadsheet.archive import Store, Tidied
from broadsheet.archive.database import Database
from broadsheet.archive.size_limit import archive_size
from broadsheet.base.clock import ManualClock
from broadsheet.base.keep_rules import KeepRule
from broadsheet.base.source_settings import SourceSettings
from tests.archive.samples import NOON, SOURCE, harm
from tests.archive.tidying import HOME, HOUR, STORY, kept, visit


def size(archive: Store) -> int:
    with closing(Database(archive.folder)) as database, database.glancing() as connection:
        return archive_size(archive.folder, connection)


def limited(archive: Store, rule: str, below: int) -> Tidied:
    """Tidy an archive so that it gets smaller by some bytes."""
    with archive.writer(clock=ManualClock(NOON + 100 * HOUR)) as writer:
        return writer.tidy(KeepRule.parse(rule), max_bytes=max(size(archive) - below, 1_000))


@pytest.fixture
def large(archive: Store) -> Store:
    """Forty hours of a home page of 10,000 bytes that do not get smaller, and two articles as large."""
    with archive.writer(most_files=4) as writer:
        for hour in range(40):
            visit(writer, hour, HOME, random.Random(hour).randbytes(10_000))
        visit(writer, 0, STORY, random.Random(41).randbytes(10_000), title="One")
        visit(writer, 1, STORY, random.Random(42).randbytes(10_000), title="Two")
    return archive


def test_the_oldest_responses_go_if_an_archive_is_too_large(large: Store) -> None:
    before = size(large)

    done = limited(large, "everything", below=100_000)

    left = [number for number in sorted(kept(large)) if number <= 40]
    # The catalogue may have grown by what it says of the files.
    assert before - size(large) >= 90_000
    # A twentieth of the limit goes beyond that, and not the newest ones.
    assert left == list(range(41 - len(left), 41))
    assert 20 <= len(left) <= 30
    assert (done.pressure.excess > 0, done.pressure.stuck) == (True, 0)
    assert harm(large) == []


def test_nothing_goes_from_an_archive_that_is_small_enough(large: Store) -> None:
    assert limited(large, "everything", below=-1_000) == Tidied({})


def test_what_no_rule_removes_is_said_and_articles_stay(large: Store) -> None:
    done = limited(large, "everything", below=10**9)

    assert done.pressure.stuck > 20_000
    assert sorted(kept(large)) == [40, 41, 42]
    assert len(large.versions(STORY)) == 2


def test_a_source_that_keeps_everything_is_left_alone(large: Store) -> None:
    with large.writer() as writer:
        batch = writer.batch()
        batch.source(replace(SOURCE, settings=SourceSettings(keep="everything")))
        writer.commit(batch)

    limited(large, "everything", below=100_000)

    assert len(kept(large)) == 42
