"""Serves the simulated web over HTTP or HTTPS on the loopback address, with the same responses as in-process."""

import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from ssl import SSLContext
from types import TracebackType
from typing import Self

from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.newsweb.response import http_date
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb

#: Idle connections are closed after this time, so that no thread waits forever.
IDLE_SECONDS = 30


class NewsServer(ThreadingHTTPServer):
    """A context manager that serves a web; `counters` count requests, bytes and dropped connections."""

    daemon_threads = True
    #: Two servers on one port would share its requests, and it would be unclear which one answered.
    allow_reuse_port = False
    #: Crawlers open many connections at once.
    request_queue_size = 128

    def __init__(self, web: NewsWeb, clock: Clock, host: str, port: int, tls: SSLContext | None = None) -> None:
        """Open the port, without serving yet."""
        super().__init__((host, port), NewsHandler)
        self.scheme = "https" if tls else "http"
        if tls:
            # A client that does not finish its handshake must not keep others waiting: each does it in its own thread.
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.web = web
        self.clock = clock
        self.counters = Counters()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def server_bind(self) -> None:
        """Bind the port without the base class's lookup of the host name, which may be slow."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.port

    @property
    def port(self) -> int:
        """The port on which the server listens."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """The base URL, under which each site has a path with its name."""
        return f"{self.scheme}://{self.server_address[0]!s}:{self.port}"

    def by_path(self, site: Site) -> str:
        """Return a site's URL on the shared host, which works with every client."""
        return f"{self.url}/{site.slug}/"

    def by_host(self, site: Site) -> str:
        """Return a site's URL on a host of its own, for clients that resolve names under localhost."""
        return f"{self.scheme}://{site.slug}.localhost:{self.port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Count clients that disconnected early; report any other error, because it is a bug."""
        error = sys.exception()
        if isinstance(error, OSError):
            self.counters.count("dropped", type(error).__name__)
        else:
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        """Start serving."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving and close the port."""
        self.shutdown()
        self._thread.join()
        self.server_close()


class NewsHandler(BaseHTTPRequestHandler):
    """Handles one connection."""

    protocol_version = "HTTP/1.1"
    server_version = "newsweb"
    sys_version = ""
    timeout = IDLE_SECONDS
    server: NewsServer

    def do_GET(self) -> None:
        """Respond with the requested page; the target is a path or, for a proxy request, a complete URL."""
        target = self.path
        if target.startswith("/"):
            target = f"{self.server.scheme}://{self.headers.get('Host', '')}{target}"
        response = self.server.web.fetch(target, self.server.clock.now(), dict(self.headers.items()), self.command)
        if response.seconds:
            time.sleep(self.server.clock.real_seconds(timedelta(seconds=response.seconds)))
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)
        self.server.counters.count("requests", str(response.status))
        self.server.counters.count("bytes", by=len(response.body))

    do_HEAD = do_GET  # noqa: N815 - the base class names it so

    def date_time_string(self, timestamp: float | None = None) -> str:
        """Return the simulated time instead of the system time, for the base class's own error pages."""
        moment = self.server.clock.now() if timestamp is None else datetime.fromtimestamp(timestamp, UTC)
        return http_date(moment)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Log nothing: requests are counted instead."""


def serve(
    web: NewsWeb, clock: Clock, host: str = "127.0.0.1", port: int = 0, tls: SSLContext | None = None
) -> NewsServer:
    """Return a server to be used in a `with` statement; port 0 picks a free port, `tls` makes it serve HTTPS."""
    return NewsServer(web, clock, host, port, tls)
