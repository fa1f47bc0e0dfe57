"""A small site that answers the same over sockets and without them, and one that misbehaves on purpose."""

import gzip
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import urlsplit

from broadsheet.crawling import encodings

TEXT = "<title>Ὕδωρ</title><p>" + "water " * 200
ROBOTS = "User-agent: Broadsheet\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n"
BOMB_BYTES = 3_000_000


@dataclass(frozen=True)
class Answered:
    status: int
    headers: Mapping[str, str]
    body: bytes = b""


def page(body: bytes = TEXT.encode(), **headers: str) -> Answered:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answered(200, {"Content-Type": 'text/html; charset="UTF-8"', **named}, body)


def redirect(target: str, status: int = 302) -> Answered:
    return Answered(status, {"Location": target}, b"elsewhere")


def compressed(name: str, body: bytes) -> bytes:
    match name:
        case "gzip":
            return gzip.compress(body, mtime=0)
        case "deflate":
            return zlib.compress(body)
        case "br":
            found: bytes = encodings.brotli.compress(body)
            return found
        case _:
            made: bytes = encodings.zstd.compress(body)
            return made


@dataclass
class Site:
    """Answers by path; what it was asked is kept."""

    robots: str = ROBOTS
    robots_status: int = 200
    hits: Counter[str] = field(default_factory=Counter)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Answered:
        del at
        return self.answer(urlsplit(url).path, headers)

    def answer(self, path: str, headers: Mapping[str, str]) -> Answered:
        with self.lock:
            self.hits[path] += 1
            self.asked.append((path, {name.lower(): value for name, value in headers.items()}))
            hits = self.hits[path]
        kind, _, rest = path[1:].partition("/")
        if kind == "robots.txt":
            return Answered(self.robots_status, {"Content-Type": "text/plain"}, self.robots.encode())
        if kind in MOVING:
            return MOVING[kind](rest)
        if kind in STANDING:
            return STANDING[kind](rest)
        if kind == "validated":
            return Answered(304, {"ETag": '"v1"'}) if _asks(headers, "if-none-match") else page(ETag='"v1"')
        if kind == "flaky" and hits == 1:
            return Answered(503, {}, b"try again")
        return page()


MOVING: dict[str, Callable[[str], Answered]] = {
    "moved": lambda _: redirect("/page?from=moved", 301),
    "circle": lambda rest: redirect("/circle/" + ("b" if rest == "a" else "a")),
    "far": lambda rest: redirect(f"/far/{int(rest) - 1}") if int(rest) else page(),
    "to": lambda rest: redirect({"ftp": "ftp://news.example/", "script": "javascript:1", "odd": "http://"}[rest]),
    "moved-validated": lambda _: redirect("/validated"),
}
STANDING: dict[str, Callable[[str], Answered]] = {
    "plain": lambda rest: page(compressed(rest, TEXT.encode()), Content_Encoding=rest),
    "bomb": lambda rest: page(compressed(rest, bytes(BOMB_BYTES)), Content_Encoding=rest),
    "corrupt": lambda _: page(gzip.compress(b"", mtime=0)[:10] + b"\x07" * 60, Content_Encoding="gzip"),
    "down": lambda _: Answered(503, {}, b"closed"),
    "missing": lambda _: Answered(404, {"Content-Type": "text/html"}, b"<p>nothing here"),
    "large": lambda _: page(bytes(400_000)),
}


def _asks(headers: Mapping[str, str], name: str) -> bool:
    return any(given.lower() == name for given in headers)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site
    timeout = 20

    def do_GET(self) -> None:
        misbehaviour = getattr(self, "_" + self.path[1:].replace("-", "_"), None)
        if misbehaviour is not None:
            self.close_connection = True
            misbehaviour()
            return
        answered = self.site.answer(urlsplit(self.path).path, dict(self.headers.items()))
        self.send_response_only(answered.status)
        for name, value in answered.headers.items():
            self.send_header(name, value)
        if answered.status != 304:
            self.send_header("Content-Length", str(len(answered.body)))
        self.end_headers()
        self.wfile.write(answered.body)

    def _endless_body(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.wfile.write(b"10000\r\n" + bytes(65_536) + b"\r\n")

    def _dripping_body(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            self.wfile.write(b".")
            time.sleep(0.1)

    def _endless_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.wfile.write(b"X-Filler: " + b"x" * 1000 + b"\r\n")

    def _one_long_header(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Filler: ")
        while True:
            self.wfile.write(b"x" * 65_536)

    def _huge_length(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nand so on")

    def _cut_short(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nthe end is miss")

    def _silence(self) -> None:
        time.sleep(8)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors of clients that hang up, which is what the tests do."""


@contextmanager
def serving(site: Site, host: str = "127.0.0.1") -> Iterator[str]:
    """Serve a site and give its address."""
    handler = type("Handler", (_Handler,), {"site": site})
    server = _Server((host, 0), handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
