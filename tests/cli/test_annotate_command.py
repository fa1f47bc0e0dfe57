"""`broadsheet annotate` on a real pseudo-terminal, and what it says where there is none."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyte
import pytest

from broadsheet.archive import SourceRecord, Store, VerdictRecord, Writer
from broadsheet.base.records import Verdict
from broadsheet.cli import exits, keyboard
from broadsheet.cli.keyboard import split_keys
from broadsheet.corpora.annotation.annotated_corpus import AnnotatedCorpus
from tests.archive.samples import FETCHED, NOON, SOURCE, exchange, member, page
from tests.cli.conftest import Outcome
from tests.corpora import tiny

Run = Callable[..., Outcome]
COLUMNS, LINES = 90, 24
#: Far more than any key takes, even on a busy machine.
PATIENCE = 60.0


@dataclass
class Window:
    """A program in a terminal: what it shows, and keys for it."""

    process: subprocess.Popen[bytes]
    descriptor: int
    screen: pyte.Screen
    stream: pyte.ByteStream

    def wait_for(self, text: str) -> str:
        """Return what the screen shows once it shows a text."""
        end = time.monotonic() + PATIENCE
        while text not in (shown := "\n".join(self.screen.display)):
            if time.monotonic() > end:
                pytest.fail(f"the screen never showed {text!r}:\n{shown}")
            if select.select([self.descriptor], [], [], 0.2)[0]:
                self.stream.feed(os.read(self.descriptor, 65536))
        return shown

    def press(self, keys: bytes) -> None:
        os.write(self.descriptor, keys)


@pytest.fixture
def window() -> Iterator[Callable[..., Window]]:
    opened: list[Window] = []

    def open_window(*arguments: object) -> Window:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "broadsheet", *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(theirs)
        screen = pyte.Screen(COLUMNS, LINES)
        opened.append(Window(process, ours, screen, pyte.ByteStream(screen)))
        return opened[-1]

    yield open_window
    for each in opened:
        each.process.kill()
        each.process.wait()
        os.close(each.descriptor)


@pytest.fixture
def corpus(tmp_path: Path) -> AnnotatedCorpus:
    return AnnotatedCorpus(tiny.folder(tmp_path, "mine", [tiny.row("one"), tiny.row("two")]))


def test_a_person_corrects_undoes_saves_and_comes_back(window: Callable[..., Window], corpus: AnnotatedCorpus) -> None:
    first = window("annotate", corpus.folder)
    shown = first.wait_for("Enter save")
    assert "t title · h heading · b body" in shown
    assert "Crane falls into the harbour" in shown

    # The last line of the page becomes a heading, is undone, and becomes body.
    first.press(b"\x1b[Fh")
    first.wait_for("1 corrected")
    first.press(b"U")
    first.wait_for("0 corrected")
    first.press(b"\x1b[Fb\r")
    first.wait_for("1 to do, 1 done now")
    first.press(b"g")
    first.wait_for("corrected")
    first.press(b"Q")
    assert first.process.wait(PATIENCE) == exits.DONE

    assert corpus.annotated() == ["one"]
    assert corpus.read("one", corpus.document("one"))[-1] == "b"
    again = window("annotate", corpus.folder)
    again.wait_for("two · 1 to do")
    # What was changed before quitting is still there.
    again.wait_for("1 corrected")
    again.press(b"\r")
    assert again.process.wait(PATIENCE) == exits.DONE
    assert corpus.annotated() == ["one", "two"]


def test_it_needs_a_terminal_and_lists_pages_without_one(run: Run, corpus: AnnotatedCorpus) -> None:
    refused = run("annotate", corpus.folder)
    listed = run("annotate", corpus.folder, "--list", "--next")

    assert (refused.code, "needs a terminal" in refused.err) == (exits.USAGE, True)
    assert {row["page"] for row in listed.rows} == {"one", "two"}
    assert listed.rows[0].keys() >= {"site", "margin", "disagreement", "structure"}
    assert "the first 4 pages come in random order" in listed.err


def archive_article(writer: Writer, source: SourceRecord, key: str, body: bytes | None = None) -> None:
    verdict = Verdict("article", None, 0.9, {"article": 0.9}, (), "m")
    batch = writer.batch()
    batch.source(source)
    batch.page(page(key, fetch=FETCHED, judged=VerdictRecord(verdict=verdict, at=NOON)))
    batch.member(replace(member(key), source=source.key))
    kept = exchange(body or tiny.html().encode(), f"https://{key}")
    kept = replace(kept, headers=(*kept.headers, ("Content-Encoding", "gzip"))) if body else kept
    batch.visit(key, f"https://{key}", (kept,), source=source.key)
    writer.commit(batch)


def test_pages_come_from_an_archive_in_turn_from_each_source(run: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        for number in range(4):
            archive_article(writer, SOURCE, f"news.example/{number}")
        archive_article(writer, replace(SOURCE, key="other.example", url="https://other.example/"), "other.example/a")

    outcome = run("annotate", tmp_path / "mine", "--from", tmp_path / "news", "--pages", "2", "--list")

    assert len(outcome.rows) == 2, outcome.err
    assert {row["site"] for row in outcome.rows} == {"news.example", "other.example"}


def test_an_archived_page_that_cannot_be_read_is_counted_and_others_are_taken(run: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        archive_article(writer, SOURCE, "news.example/0", b"\x1f\x8b\x08" + b"not compressed" * 9)
        archive_article(writer, SOURCE, "news.example/1")

    outcome = run("annotate", tmp_path / "mine", "--from", tmp_path / "news", "--list")

    assert len(outcome.rows) == 1
    assert "left out: 1" in outcome.err


def test_pages_come_from_a_folder_and_a_bad_one_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "a.html").write_text(tiny.html(), encoding="utf-8")
    (tmp_path / "saved" / "b.html").write_bytes(b"")

    outcome = run("annotate", tmp_path / "mine", "--from", tmp_path / "saved", "--list")

    assert [row["page"] for row in outcome.rows] == ["a"]
    assert "b.html" in outcome.err


def test_keys_are_told_apart_and_unknown_sequences_type_nothing() -> None:
    data = b"t\x1b[A\x1bOB\x1b[5~\r \x03\xc3\xa9x\x1b[99~b"

    assert list(split_keys(data)) == [
        "t", keyboard.UP, keyboard.DOWN, keyboard.PAGE_UP, keyboard.ENTER, keyboard.SPACE, keyboard.INTERRUPT, "x",
    ]  # fmt: skip
