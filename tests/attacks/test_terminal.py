"""Pages that write to the terminal: whatever they hold, no command lets it act there."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, suppress
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from select import select
from threading import Event

import pytest

from broadsheet.archive import HOME_PAGE, Store, VerdictRecord, VisitReason
from broadsheet.base import reasons
from broadsheet.base.incident import Incident
from broadsheet.base.records import Verdict
from broadsheet.cli.main import main
from broadsheet.cli.terminal import Terminal
from broadsheet.cli.watching import Screen
from tests.archive.samples import FETCHED, NOON, SOURCE, article, entry, exchange, member, page
from tests.newsroom.program import LOOPBACK, serving
from tests.newsroom.site import article_path, front, story

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x08\x7f\x85\x9b31m\rfake\u202egnp.exe\u2066x\u2028y"
#: In HTML a reference is the way to some of them, and the bytes themselves to others.
IN_HTML = "\x1b[2J \x1b]0;owned \x7f \x85 \x9b31m &#7; &#8; &#x1b;[31m &#x9b;31m \u202egnp.exe \u2066x"
#: What the program itself may send: colours, erased lines, and rich's moves of the cursor.
OURS = re.compile(r"\x1b\[(?:[0-9;]*m|[0-9]*[AGK]|\?25[lh])|\r(?=\x1b\[|\n)")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f]")


ENVIRONMENT = {"COLUMNS": "200", "TERM": "xterm-256color"}


def on_a_terminal(*arguments: object, cwd: Path, shows_messages: bool = True) -> str:
    """Run the program on a pseudo-terminal, and return what it wrote there: its answer, and its messages if shown."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "broadsheet", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs if shows_messages else subprocess.DEVNULL,
        cwd=cwd,
        env={**os.environ, **ENVIRONMENT},
    )
    os.close(theirs)
    written = b"".join(_read(ours))
    os.close(ours)
    process.wait(600)
    return _text(written)


def of_a_command(*arguments: str, cwd: Path) -> str:
    """Do the same in this process, which has imported everything."""
    ours, theirs = pty.openpty()
    ended = Event()
    with ThreadPoolExecutor(1) as thread, pytest.MonkeyPatch.context() as patch, chdir(cwd):
        patch.setenv("COLUMNS", ENVIRONMENT["COLUMNS"])
        written = thread.submit(lambda: b"".join(_read(ours, ended)))
        try:
            with os.fdopen(theirs, "w", encoding="utf-8", errors="backslashreplace") as terminal:
                main(arguments, BytesIO(), terminal, terminal, {**os.environ, **ENVIRONMENT})
        finally:
            ended.set()
        found = _text(written.result())
    os.close(ours)
    return found


def _text(written: bytes) -> str:
    # The terminal's driver, not the program, makes two characters of a newline.
    return written.decode("utf-8", "replace").replace("\r\n", "\n")


def _read(descriptor: int, ended: Event | None = None) -> Iterator[bytes]:
    # Where the other end is closed, Linux answers with an error. A process that multiprocessing leaves behind keeps the
    # end of a command open, so what says that it ended ends this too.
    with suppress(OSError):
        while True:
            if select([descriptor], [], [], 0.05)[0]:
                yield os.read(descriptor, 65536)
            elif ended and ended.is_set():
                return


def assert_safe(written: str) -> None:
    assert written.strip()
    assert "is not a page" not in written
    assert FORBIDDEN.findall(OURS.sub("", written)) == []
    # These begin with what the program sends itself, but end in words of the page.
    assert "\x1b[31m" not in written
    assert "\x1b[2J" not in written


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page whose name and text are hostile, and an archive of such."""
    folder = tmp_path_factory.mktemp("hostile")
    paragraphs = f"<p>{IN_HTML} It was said that this would be a long text with many words in it.</p>" * 8
    html = (
        f"<html><head><title>{IN_HTML}</title><meta name='author' content='{IN_HTML}'></head>"
        f"<body><h1>Head {IN_HTML}</h1><article>{paragraphs}</article><a href='/x\x1b[2J'>{IN_HTML}</a></body></html>"
    )
    for name in ("page.html", "p\x1b[2J\x9b31m.html"):
        (folder / name).write_text(html, encoding="utf-8")
    (folder / "empty\x1b[2J.html").write_text("")
    with Store.open(folder / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        verdict = Verdict("section", HOSTILE, 0.9, {"section": 0.9}, (HOSTILE,), HOSTILE)
        judged = VerdictRecord(verdict=verdict, at=NOON)
        batch.page(page("news.example/s", url=HOSTILE, fetch=FETCHED, judged=judged))
        batch.member(member("news.example/s", anchor=HOSTILE))
        batch.plan(entry("news.example/s", reason=VisitReason.SECTION, every=9.0))
        visit = batch.visit("news.example/b", "https://news.example/b", (exchange(b"c"),), source=SOURCE.key)
        hostile = article(HOSTILE, HOSTILE, published=datetime(2026, 3, 2, tzinfo=UTC), authors=(HOSTILE,))
        batch.article("news.example/b", SOURCE.key, hostile, visit=visit)
        batch.count("failed", HOSTILE, source=SOURCE.key)
        incident = Incident(HOSTILE, reasons.named(HOSTILE), HOSTILE, datetime(2026, 3, 2, tzinfo=UTC))
        for name in ("failed", HOME_PAGE):
            batch.incident(SOURCE.key, name, incident)
        writer.commit(batch)
    (folder / "news" / "warc" / "stray\x1b[2J").write_text("x")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ("extract", "page.html", "--force"),
        *(("extract", "page.html", "--force", "-f", form) for form in ("text", "md", "json", "jsonl")),
        ("extract", ".", "--force", "--debug"),
        ("identify", "page.html"),
        *(("parse", "page.html", *view) for view in ((), ("--links",), ("--metadata",), ("--pieces",))),
        ("parse", "empty\x1b[2J.html", "missing\x1b[2J\x85.html"),
        ("status", "news"),
        ("sections", "news"),
        ("articles", "news"),
        ("check", "news"),
        ("export", "news", "-f", "csv", "-o", "out\x1b[2J.csv", "--force"),
        ("articles", "news", "--source", HOSTILE),
        ("articles", "news\x1b[2J"),
        ("nothing\x1b[2J\x9b31m",),
        ("parse", "--nothing\x1b[2J"),
        ("--help",),
    ],
    ids=lambda command: " ".join(command).encode("unicode_escape").decode()[:60],
)
def test_nothing_of_a_page_acts_on_the_terminal(folder: Path, command: tuple[str, ...]) -> None:
    assert_safe(of_a_command(*command, cwd=folder))


def test_the_program_as_a_whole_is_as_careful(folder: Path) -> None:
    of_the_program = on_a_terminal("identify", "page.html", cwd=folder)

    assert_safe(of_the_program)
    assert of_the_program == of_a_command("identify", "page.html", cwd=folder)


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_on_a_terminal_stays_json(folder: Path, form: str) -> None:
    # On a busy machine progress would be shown as well, and erased again.
    written = on_a_terminal("extract", "page.html", "--force", "-f", form, cwd=folder, shows_messages=False)

    found = json.loads(written)
    body = (found[0] if form == "json" else found)["article"]["body"]
    assert "\u202e" in body


def test_a_pipe_gets_the_text_as_it_is(folder: Path) -> None:
    command = [sys.executable, "-m", "broadsheet", "extract", "page.html", "--force", "-f", "text"]

    piped = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout.decode()  # noqa: S603 - our own

    assert "\u202e" in piped


def test_the_panel_of_a_crawl_shows_titles_that_do_nothing(tmp_path: Path) -> None:
    pages = {article_path(number): story(f"Story {number} {IN_HTML}") for number in range(1, 4)}
    with serving({"/": front(*pages), **pages}) as site:
        written = on_a_terminal("crawl", "news", site.url, "--snapshots", "1", *LOOPBACK, cwd=tmp_path)

    assert_safe(written)
    assert "\x1b[" in written


def test_what_rich_is_given_does_not_reach_the_terminal_raw() -> None:
    out = StringIO()

    Screen(file=out, force_terminal=True, width=100).print(HOSTILE, markup=False)

    assert FORBIDDEN.findall(OURS.sub("", out.getvalue())) == []
    assert "\x1b[2J" not in out.getvalue()


def test_a_terminal_gets_escapes_that_say_what_was_there() -> None:
    out = StringIO()

    Terminal(out).write("a\x1b\x9b\u202e\ud800\tb\nשלום\u200f")

    assert out.getvalue() == "a\\u001b\\u009b\\u202e\\ud800\tb\nשלום\u200f"
