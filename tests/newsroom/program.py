"""The program as people run it, on a site over HTTP on the loopback address."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from broadsheet.archive import ArchiveError, Store
from broadsheet.cli.main import main

#: Tests speak to the loopback address alone, do not wait between requests, and need one process to read few pages.
LOOPBACK = (
    "--set",
    "crawl.allow_networks=127.0.0.0/8",
    "--set",
    "crawl.delay=0",
    "--set",
    "newsroom.workers=1",
)
PATIENCE = 600.0


def start(*arguments: object) -> subprocess.Popen[str]:
    """Start the program."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "broadsheet", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(*arguments: object) -> tuple[int, str, str]:
    """Run the program to its end, and return its exit code and what it wrote.

    It runs in this process, which has imported everything already, and starts those processes that it needs.
    """
    out, err = io.StringIO(), io.StringIO()
    code = main([str(argument) for argument in arguments], io.BytesIO(), out, err, os.environ)
    return code, out.getvalue(), err.getvalue()


def articles(folder: Path) -> list[str]:
    """Return the titles that an archive holds; none while there is no archive, or none yet."""
    try:
        with Store.open(folder) as archive:
            return sorted(stored.article.title or "" for stored in archive.articles())
    except ArchiveError:
        return []


def children(process: int) -> list[int]:
    """Return the processes that any thread of one has started."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    try:
        return [int(number) for file in listed for number in file.read_text().split()]
    except OSError:
        # It has ended meanwhile.
        return []


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that another process does."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, "it never happened"
        # Not more often: some conditions open an archive, which takes processor time from what they wait for.
        sleep(0.2)


class Served(NamedTuple):
    """An answer other than a page of HTML."""

    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    body: str = "nothing here"


class SlowSite(ThreadingHTTPServer):
    """Serves pages by their path; those named in `held` come only after `release` is set."""

    daemon_threads = True

    def __init__(self, pages: Mapping[str, str | Served], held: frozenset[str] = frozenset()) -> None:
        """Open a port."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages = dict(pages)
        self.held = held
        self.release = threading.Event()
        self.asked: list[str] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Write nothing: a program that is killed leaves its connections broken."""

    @property
    def url(self) -> str:
        """The address of the home page."""
        return f"http://127.0.0.1:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    server: SlowSite
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path in self.server.held:
            self.server.release.wait(PATIENCE)
        page = self.server.pages.get(self.path) or Served(404)
        answer = page if isinstance(page, Served) else Served(body=page)
        body = answer.body.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write nothing."""


@contextmanager
def serving(pages: Mapping[str, str | Served], held: frozenset[str] = frozenset()) -> Iterator[SlowSite]:
    """Serve pages while inside."""
    site = SlowSite(pages, held)
    thread = threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.release.set()
        site.shutdown()
        thread.join()
        site.server_close()
