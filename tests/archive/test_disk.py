"""A disk that is full, read-only or forbidden ends in one clear line, and harms nothing that was kept."""

import errno
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import ArchiveError, NotMerged, Store, compaction
from broadsheet.archive.folder import TEMPORARY
from broadsheet.archive.seal import seal_problem
from tests.archive.processes import context
from tests.archive.samples import SOURCE, exchange, harm, keep

NOBODY = 65534
REPOSITORY = Path(__file__).resolve().parents[2]


def temporary_files(archive: Store) -> list[Path]:
    return list(archive.folder.glob(f"*/{TEMPORARY}*"))


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, r"cannot write .*/warc: the disk is full; free some space and run it again \(nothing that was"),
        (errno.EDQUOT, "quota is used up"),
        (errno.EROFS, "file system is read-only"),
        (errno.EACCES, "no permission"),
        (errno.EIO, "the disk reported an error"),
    ],
)
def test_a_write_that_fails_leaves_nothing_and_can_be_tried_again(
    archive: Store, monkeypatch: pytest.MonkeyPatch, number: int, reason: str
) -> None:
    def fail(descriptor: int) -> None:
        del descriptor
        raise OSError(number, os.strerror(number))

    with archive.writer() as writer:
        keep(writer, "a", b"a")
        batch = writer.batch()
        visit = batch.visit("b", "https://b", (exchange(b"b"),))
        with monkeypatch.context() as full:
            full.setattr(os, "fsync", fail)
            with pytest.raises(ArchiveError, match=reason):
                writer.commit(batch)
        assert temporary_files(archive) == []
        assert archive.visits().count_rows() == 1
        writer.commit(batch)

    assert archive.exchange(visit).body == b"b"
    assert harm(archive) == []


def _write_too_much(folder: str, queue: "Queue[Any]") -> None:
    with Store.open(folder) as archive, archive.writer() as writer:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
        try:
            keep(writer, "b", os.urandom(1_000_000))
        except ArchiveError as error:
            queue.put(str(error))


def test_a_file_that_the_system_does_not_let_grow_is_refused(archive: Store) -> None:
    with archive.writer() as writer:
        keep(writer, "a", b"a")
    queue: Queue[Any] = context.Queue()

    child = context.Process(target=_write_too_much, args=(str(archive.folder), queue))
    child.start()
    message = queue.get(timeout=600)
    child.join()

    assert "larger than this system allows (nothing that was reported as archived is lost)" in message
    assert temporary_files(archive) == []
    assert list(archive.check()) == []


_ON_A_FULL_DISK = """
import os, sys
from broadsheet.archive import ArchiveError, NotMerged, Store, compaction
from tests.archive.samples import harm, keep

with Store.open(sys.argv[1] + "/news", create=True) as archive:
    kept = []
    try:
        with archive.writer() as writer:
            for number in range(1000):
                keep(writer, f"p{number}", os.urandom(50_000))
                kept.append(f"p{number}")
    except ArchiveError as error:
        print(error)
    print(len(kept) > 3 and sorted(kept) == sorted(stored.key for stored in archive.articles()) and harm(archive) == [])
"""


def _mounts() -> bool:
    command = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own words
    except OSError:
        return False


@pytest.mark.skipif(not _mounts(), reason="this system lets nobody mount a small disk")
def test_a_disk_that_fills_up_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    script = f'mount -t tmpfs -o size=2m none "$1" && exec "{sys.executable}" -c "$2" "$1"'
    command = [
        "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        script,
        "sh",
        str(tmp_path),
        _ON_A_FULL_DISK,
    ]

    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY, timeout=600)  # noqa: S603

    message, sound = done.stdout.splitlines()
    assert "disk is full; free some space" in message
    assert "nothing that was reported as archived is lost" in message
    assert sound == "True"


def _as_nobody(folder: str, queue: "Queue[Any]") -> None:
    if os.getuid() == 0:
        # Python's own files may be closed to others, so all that is needed is imported before.
        with Store.open(f"{folder}-before", create=True) as archive, archive.writer() as writer:
            keep(writer, "a", b"a")
            _ = (list(archive.articles()), list(archive.check()))
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    with Store.open(folder) as archive:
        queue.put([stored.key for stored in archive.articles()])
        queue.put([problem.what for problem in archive.check()])
        try:
            archive.writer()
        except ArchiveError as error:
            queue.put(str(error))


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that others can reach, unlike the test runner's own, which it closes again whenever a run begins."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_read_only_archive_can_be_read_and_not_written(public_folder: Path) -> None:
    folder = public_folder / "news"
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "a", b"a")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    queue: Queue[Any] = context.Queue()

    child = context.Process(target=_as_nobody, args=(str(folder), queue))
    child.start()
    child.join()
    assert child.exitcode == 0
    keys, problems, message = (queue.get(timeout=600) for _ in range(3))
    for path in (folder, *folder.iterdir()):
        path.chmod(0o755)

    assert (keys, problems) == (["a"], [])
    assert "read-only" in message or "permission" in message


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(ArchiveError, match=r"cannot write .*file/news: Not a directory"):
        Store.open(tmp_path / "file" / "news", create=True)


def test_a_source_is_not_lost_with_a_full_catalogue(archive: Store) -> None:
    with archive.writer() as writer:
        pages = writer._ask(lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        with writer._database.reading() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        batch = writer.batch()
        batch.source(SOURCE)
        for number in range(5000):
            batch.count("x" * 100, str(number))
        with pytest.raises(ArchiveError, match="the disk is full"):
            writer.commit(batch)

    assert archive.sources() == []


def test_a_merging_that_fails_says_that_the_commit_holds(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise ArchiveError("the disk is full")

    with archive.writer(most_files=1) as writer:
        keep(writer, "a", b"a")
        with monkeypatch.context() as disk:
            disk.setattr(compaction, "merge", full)
            with pytest.raises(NotMerged, match="the commit succeeded, but small files could not be merged: the disk"):
                keep(writer, "b", b"b")
        assert {stored.key for stored in archive.articles()} == {"a", "b"}
        keep(writer, "c", b"c")

    assert len(archive.visits().files) == 1
    assert harm(archive) == []


def test_a_writer_that_ends_leaves_nothing_in_the_log_and_a_seal(archive: Store) -> None:
    with archive.writer() as writer:
        for number in range(50):
            keep(writer, f"p{number}", os.urandom(100))

    log = archive.folder / "catalogue.sqlite-wal"
    assert not log.exists() or log.stat().st_size == 0
    assert seal_problem(archive.folder) is None
    assert (archive.folder / "catalogue.sha256").exists()


@pytest.mark.parametrize("name", ["catalogue.sqlite", "catalogue.sqlite-wal"])
def test_a_catalogue_that_is_removed_under_a_writer_is_noticed(archive: Store, name: str) -> None:
    writer = archive.writer()
    keep(writer, "a", b"a")
    (archive.folder / name).unlink()

    removed = f"{name} was removed or replaced while this process was writing"
    with pytest.raises(ArchiveError, match=removed):
        keep(writer, "b", b"b")
    with pytest.raises(ArchiveError, match=removed):
        writer.close()
