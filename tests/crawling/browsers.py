"""The browser for tests: whether there is one, and a small web server for it to visit."""

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

from broadsheet.crawling.rendering import BrowserMissing
from broadsheet.crawling.rendering._executable import find_browser


def _missing() -> str:
    try:
        find_browser()
    except BrowserMissing as error:
        return str(error)
    return ""


#: For tests in the real browser; where one must be there, a skip with this reason is a failure.
requires_browser = pytest.mark.skipif(bool(_missing()), reason=f"needs Chromium: {_missing()}")


class Reply(NamedTuple):
    """What the server says at one path."""

    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = {}


class Site(NamedTuple):
    """A running server: where it is, and how often each path was asked for."""

    url: str
    hits: Counter[str]


@contextlib.contextmanager
def serving(pages: Mapping[str, Reply]) -> Iterator[Site]:
    """Serve some pages on the loopback; any other path is answered with 404."""
    hits: Counter[str] = Counter()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits[self.path] += 1
            reply = pages.get(self.path, Reply(status=404))
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield Site(f"http://127.0.0.1:{server.server_address[1]}", hits)
        finally:
            # A test that fails must not leave a server behind that keeps the whole run from ending.
            server.shutdown()
            thread.join()
