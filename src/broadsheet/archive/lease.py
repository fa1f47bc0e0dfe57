"""The lease of a shard: a row that names the process that may write to it; when that is dead, another takes it."""

import os
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, bindparam, delete, select, update

from broadsheet.archive.archive_errors import ArchiveBusy, ArchiveTakenOver
from broadsheet.archive.insertions import upsert
from broadsheet.archive.tables import lease

#: A writer on another machine, whose process we cannot check, is presumed dead after this long without a heartbeat.
SILENCE = timedelta(minutes=5)

_BEAT = update(lease).where(lease.c.holder == bindparam("own")).values(heartbeat=bindparam("now"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A process that writes, and what tells it from one that has got the same number since.

    `boot` changes when the machine starts anew, `space` tells containers apart that number their processes
    each from 1, `started` is when the process began; each is None where the system does not say.
    """

    holder: str
    host: str
    boot: str | None
    space: str | None
    pid: int
    started: str | None
    acquired: datetime
    heartbeat: datetime
    shard: int = 0

    def __str__(self) -> str:
        """Say who it is, since when, and when it was last heard of."""
        since, last = (moment.isoformat(timespec="seconds") for moment in (self.acquired, self.heartbeat))
        return f"process {self.pid} on {self.host}, since {since}, last heartbeat at {last}"


def mine(now: datetime, shard: int = 0) -> Lease:
    """Return a new lease of this process."""
    pid = os.getpid()
    return Lease(
        holder=uuid4().hex,
        host=socket.gethostname(),
        boot=_boot(),
        space=_space(),
        pid=pid,
        started=_started(pid),
        acquired=now,
        heartbeat=now,
        shard=shard,
    )


def holder(connection: Connection, shard: int = 0) -> Lease | None:
    """Return who holds the lease of a shard."""
    return next((one for one in _held(connection) if one.shard == shard), None)


def writers(connection: Connection, observer: Lease) -> list[Lease]:
    """Return who writes to any shard now, as far as the observer's machine can tell."""
    return [one for one in _held(connection) if is_alive(one, observer)]


def others(connection: Connection, own: Lease) -> list[Lease]:
    """Return who writes to other shards now, as far as this machine can tell."""
    return [one for one in writers(connection, own) if one.shard != own.shard]


def _held(connection: Connection) -> list[Lease]:
    return [
        Lease(shard=row["id"], **{name: value for name, value in row.items() if name != "id"})
        for row in connection.execute(select(lease).order_by(lease.c.id)).mappings()
    ]


def take(connection: Connection, wanted: Lease) -> None:
    """Take the lease, from a holder that is dead if need be; one that lives is left alone."""
    current = holder(connection, wanted.shard)
    if current is not None and is_alive(current, wanted):
        raise ArchiveBusy(_busy(current, wanted))
    upsert(connection, lease, [{"id": wanted.shard, **_row(wanted)}])


def confirm(connection: Connection, own: Lease, now: datetime) -> None:
    """Make sure that the lease is still held, and give a sign of life."""
    changed = connection.execute(_BEAT, {"own": own.holder, "now": now})
    if not changed.rowcount:
        raise ArchiveTakenOver(
            "another process has taken over the archive, because this one seemed dead; what was not committed yet"
            " is lost"
        )


def unlock(connection: Connection, observer: Lease, *, force: bool) -> Lease | None:
    """Take the lease from whoever holds it, and return who that was; a process that runs here keeps it.

    A holder that cannot be looked at and was heard of lately, or by its own clock will be, loses it only by force.
    """
    current = holder(connection, observer.shard)
    if current is None:
        return None
    is_here = current.host == observer.host and current.boot == observer.boot and current.space == observer.space
    if is_alive(current, observer) and (is_here or not force):
        advice = "stop it first" if is_here else "if it is dead, run `broadsheet unlock` with --writer-is-dead"
        raise ArchiveBusy(f"the archive is in use by {current}; {advice}")
    release(connection, current)
    return current


def release(connection: Connection, own: Lease) -> None:
    """Give the lease back, if it is still held."""
    connection.execute(delete(lease).where(lease.c.holder == own.holder))


def is_alive(current: Lease, observer: Lease) -> bool:
    """Say whether a holder still writes, as far as the observer's machine can tell at the observer's time."""
    if current.host != observer.host:
        return observer.acquired - current.heartbeat < SILENCE
    if current.boot != observer.boot:
        return False
    if current.space != observer.space:
        return observer.acquired - current.heartbeat < SILENCE
    return _runs(current.pid) and current.started == _started(current.pid)


def _busy(current: Lease, observer: Lease) -> str:
    if current.host == observer.host and current.pid == observer.pid:
        since = current.acquired.isoformat(timespec="seconds")
        return f"this process is already writing to the archive, since {since}"
    advice = "wait for it to finish, or stop it"
    if current.host != observer.host or current.space != observer.space:
        ahead = current.heartbeat - observer.acquired
        clocks = f" (its clock is {ahead} ahead of this machine's)" if ahead > SILENCE else ""
        advice += (
            f"; if it is dead, the archive is free {SILENCE.seconds // 60} minutes after its last heartbeat{clocks},"
            " or at once with `broadsheet unlock`"
        )
    return f"the archive is being written to by {current}; {advice}"


def _row(value: Lease) -> dict[str, object]:
    return {name: getattr(value, name) for name in Lease.__slots__ if name != "shard"}


def _boot() -> str | None:
    path = Path("/proc/sys/kernel/random/boot_id")
    return path.read_text(encoding="utf-8").strip() if path.exists() else None


def _space() -> str | None:
    path = Path("/proc/self/ns/pid")
    return str(path.readlink()) if path.is_symlink() else None


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _started(pid: int) -> str | None:
    """Return when a process began, in the system's ticks; None where it does not say, or the process is dead."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    # The state and the start are the third and the twenty-second field; the name before them may hold anything.
    return None if fields[0] in {"Z", "X"} else fields[19]
