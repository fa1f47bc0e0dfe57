"""One process writes at a time; the dead are taken over, the living never."""

import os
import socket
import subprocess
from dataclasses import replace
from datetime import timedelta

import pytest

from broadsheet.archive import ArchiveBusy, ArchiveTakenOver, Store, Writer, lease
from broadsheet.base.clock import ManualClock, SystemClock
from tests.archive.processes import context, hold
from tests.archive.samples import NOON, SOURCE, harm, keep, page


def test_a_second_writer_is_told_who_the_first_is(archive: Store) -> None:
    with (
        archive.writer(),
        pytest.raises(ArchiveBusy, match=r"this process is already writing to the archive, since 20\d\d-"),
    ):
        archive.writer()

    with archive.writer() as writer:
        keep(writer, "a", b"a")


def test_a_living_process_keeps_the_archive_and_a_killed_one_loses_it_at_once(archive: Store) -> None:
    ready = context.Event()
    child = context.Process(target=hold, args=(str(archive.folder), ready))
    child.start()
    assert ready.wait(600)

    busy = rf"by process {child.pid} on {socket.gethostname()}, since .*; wait for it to finish, or stop it$"
    with pytest.raises(ArchiveBusy, match=busy):
        archive.writer()
    child.kill()
    child.join()
    with archive.writer() as writer:
        keep(writer, "a", b"a")

    assert harm(archive) == []
    assert [stored.key for stored in archive.articles()] == ["a"]


def test_a_machine_that_cannot_be_looked_at_has_five_minutes(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock(NOON)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(socket, "gethostname", lambda: "elsewhere")
        silent = archive.writer(machine=clock)
    batch = silent.batch()
    batch.source(SOURCE)

    clock.advance(timedelta(minutes=4))
    with pytest.raises(ArchiveBusy, match=r"on elsewhere, since .* free 5 minutes after its last heartbeat"):
        archive.writer(machine=clock)
    silent.heartbeat()
    clock.advance(timedelta(minutes=4))
    with pytest.raises(ArchiveBusy):
        archive.writer(machine=clock)
    clock.advance(timedelta(minutes=2))
    with archive.writer(machine=clock) as writer:
        with pytest.raises(ArchiveTakenOver, match="another process has taken over the archive"):
            silent.heartbeat()
        with pytest.raises(ArchiveTakenOver, match="what was not committed yet is lost"):
            silent.commit(batch)
        silent.close()
        keep(writer, "a", b"a")

    assert archive.status().commits == 1


def test_a_process_is_told_from_another_that_got_its_number() -> None:
    own = lease.mine(NOON)
    another = replace(own, started="0")
    rebooted = replace(own, boot="another")
    contained = replace(own, space="another", heartbeat=NOON - timedelta(minutes=4))
    gone = replace(own, pid=2**22 + 1)

    assert lease.is_alive(own, own)
    assert not lease.is_alive(another, own)
    assert not lease.is_alive(rebooted, own)
    assert not lease.is_alive(gone, own)
    assert lease.is_alive(contained, own)
    assert not lease.is_alive(contained, replace(own, acquired=NOON + timedelta(minutes=2)))


def test_a_process_that_only_waits_to_be_reaped_is_dead() -> None:
    with subprocess.Popen(["/bin/true"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        own = lease.mine(NOON)

        assert not lease.is_alive(replace(own, pid=child.pid), own)


def test_a_writer_that_failed_gives_the_lease_back(archive: Store) -> None:
    def fail() -> None:
        with archive.writer() as writer:
            writer.batch().page(page())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert archive.status().holder is None


def elsewhere(archive: Store, monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> Writer:
    """Hold the archive from a machine that cannot be looked at, and whose clock runs ahead."""
    with monkeypatch.context() as machine:
        machine.setattr(socket, "gethostname", lambda: "elsewhere")
        return archive.writer(machine=ManualClock(SystemClock().now() + ahead))


def test_a_lease_from_a_clock_that_runs_ahead_can_be_broken_by_force(
    archive: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere(archive, monkeypatch, timedelta(hours=3))

    with pytest.raises(
        ArchiveBusy, match=r"its clock is .* ahead of this machine's\), or at once with `broadsheet unlock`"
    ):
        archive.writer()
    with pytest.raises(ArchiveBusy, match=r"in use by process \d+ on elsewhere, since .*--writer-is-dead"):
        archive.unlock()
    held = archive.unlock(force=True)

    assert held is not None
    assert (held.host, held.pid) == ("elsewhere", os.getpid())
    with archive.writer() as writer:
        keep(writer, "a", b"a")


def test_a_writer_that_runs_here_is_not_unlocked(archive: Store) -> None:
    with archive.writer(), pytest.raises(ArchiveBusy, match="stop it first"):
        archive.unlock(force=True)

    assert archive.unlock() is None
