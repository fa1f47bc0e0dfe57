"""The invented web over HTTP on the loopback address: the same answers as in-process, at the time of a clock."""

import sys
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Self

from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.newsweb.response import http_date
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb

#: A connection that asks for nothing this long is closed, so that no thread waits for ever.
IDLE_SECONDS = 30


class NewsServer(ThreadingHTTPServer):
    """Serves a web from entering its `with` until leaving it; `counters` say what was asked for."""

    daemon_threads = True
    #: Two servers on one port would share its requests, and nobody could tell which answered.
    allow_reuse_port = False
    #: Crawlers open many connections at once.
    request_queue_size = 128

    def __init__(self, web: NewsWeb, clock: Clock, host: str, port: int) -> None:
        """Open the port; nothing is answered yet."""
        super().__init__((host, port), NewsHandler)
        self.web = web
        self.clock = clock
        self.counters = Counters()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def server_bind(self) -> None:
        """Take the port without asking a resolver for the name of the host, which may be slow or far away."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.port

    @property
    def port(self) -> int:
        """The port that was opened."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """The address under which every site lies by its name."""
        return f"http://{self.server_address[0]!s}:{self.port}"

    def by_path(self, site: Site) -> str:
        """Return a site's address that works everywhere, but shares its host with the others."""
        return f"{self.url}/{site.slug}/"

    def by_host(self, site: Site) -> str:
        """Return a site's address with a host of its own, where names under localhost are known."""
        return f"http://{site.slug}.localhost:{self.port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Count clients that went away before their answer; everything else is a mistake of ours and is shown."""
        error = sys.exception()
        if isinstance(error, OSError):
            self.counters.count("dropped", type(error).__name__)
        else:
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Answer no more and close the port."""
        self.shutdown()
        self._thread.join()
        self.server_close()


class NewsHandler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    server_version = "newsweb"
    sys_version = ""
    timeout = IDLE_SECONDS
    server: NewsServer

    def do_GET(self) -> None:
        """Answer with the page that the target names: a path of the host asked for, or, to a proxy, a whole URL."""
        target = self.path
        if target.startswith("/"):
            target = f"http://{self.headers.get('Host', '')}{target}"
        response = self.server.web.fetch(target, self.server.clock.now(), dict(self.headers.items()), self.command)
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)
        self.server.counters.count("requests", str(response.status))
        self.server.counters.count("bytes", by=len(response.body))

    do_HEAD = do_GET  # noqa: N815 - the base class names it so

    def date_time_string(self, timestamp: float | None = None) -> str:
        """Tell the time of the web and not of the machine, in the base class's own error pages too."""
        moment = self.server.clock.now() if timestamp is None else datetime.fromtimestamp(timestamp, UTC)
        return http_date(moment)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Write nothing: requests are counted."""


def serve(web: NewsWeb, clock: Clock, host: str = "127.0.0.1", port: int = 0) -> NewsServer:
    """Return a server for a `with` statement; port 0 takes any that is free."""
    return NewsServer(web, clock, host, port)
