"""A site on the loopback that answers as no server should, to the byte."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

LONG = 15_000
#: Headers of an answer 200 (301 where they redirect), each as it goes over the wire.
ODD_HEADERS = {
    "high-bytes": b"X-\xff\xfe: \xe9\x80\xff",
    "nul": b"X-Nul: a\x00b\x00",
    "controls": b"X-Bell: \x07\x1b[2J\x7f",
    "no-colon": b"nothing of the sort",
    "no-name": b": value",
    "long": b"X-Long: " + b"x" * LONG,
    "folded": b"X-Folded: a\r\n\tb\r\n c",
    "charset-unknown": b"Content-Type: text/html; charset=\xff\x00-klingon",
    "charset-empty": b"Content-Type: text/html; charset=",
    "charset-long": b"Content-Type: text/html; charset=" + b"x" * LONG,
    "charset-blank": b"Content-Type: text/html; charset=" + b" \t" * (LONG // 2) + b";",
    "type-odd": b"Content-Type: \x00/\xff; \xe9=;;;=",
    "disposition": b'Content-Disposition: attachment; filename="\xff\x00/../\xe9"',
    "length-twice": b"Content-Length: 5\r\nContent-Length: 7",
    "length-negative": b"Content-Length: -5",
    "length-odd": b"Content-Length: five",
    "transfer-odd": b"Transfer-Encoding: \xff",
    "encoding-unknown": b"Content-Encoding: foo",
    "encoding-odd": b"Content-Encoding: \xff\x00, gzip",
    "encoding-long": b"Content-Encoding: " + b"x" * LONG,
    "encoding-many": b"Content-Encoding: " + b"gzip," * 2000,
    "retry-odd": b"Retry-After: \xff\x00",
    "etag-odd": b'ETag: "\xff\x00\xe9',
    "location-nul": b"Location: /a\x00b",
    "location-bytes": b"Location: /\xff\xfe\xe9",
    "location-bracket": b"Location: http://[::1/",
    "location-brackets": b"Location: http://[]/",
    "location-port": b"Location: http://news.example:99999/",
    "location-port-odd": b"Location: http://news.example:\xff/",
    "location-host": b"Location: http://\xe2\x84\x80.example/",
    "location-host-odd": b"Location: http://a\x00b c/",
    "location-host-long": b"Location: http://" + b"a" * 300 + b".example/",
    "location-dots": b"Location: http://a..b../",
    "location-label": b"Location: http://" + b"a" * 64 + b".example/",
    "location-user": b"Location: http://@:@/",
    "location-percent": b"Location: http://%/%zz%",
    "location-long": b"Location: /page?" + b"x" * LONG,
    "location-surrogate": b"Location: http://\xed\xa0\x80/",
}


def odd_answer(path: str) -> bytes:
    """Return what goes over the wire for a path; what is not odd is a small page."""
    kind = path.strip("/")
    if kind.startswith("status"):
        return b"HTTP/1.1 %s Odd\r\nContent-Length: 2\r\n\r\nno" % kind.removeprefix("status").encode()
    header = ODD_HEADERS.get(kind, b"X-Odd: no")
    status = b"301 Moved" if kind.startswith("location") else b"503 Odd" if kind.startswith("retry") else b"200 OK"
    end = b"" if b"Length" in header or b"Transfer" in header else b"\r\nContent-Length: 4"
    return b"HTTP/1.1 " + status + b"\r\n" + header + end + b"\r\nConnection: close\r\n\r\npage"


class _Odd(socketserver.StreamRequestHandler):
    server: "OddSite"

    def handle(self) -> None:
        path = self.rfile.readline().split(b" ")[1].decode("latin-1")
        while line := self.rfile.readline().strip():
            self.server.asked.append(line)
        self.wfile.write(odd_answer(path))


class OddSite(socketserver.ThreadingTCPServer):
    """Answers oddly; the header lines of all requests are kept as they came."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Odd)
        self.asked: list[bytes] = []
        self.base = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors of clients that hang up, which is what the tests do."""


@contextmanager
def odd_site() -> Iterator[OddSite]:
    """Serve odd answers on the loopback."""
    with OddSite() as site:
        thread = Thread(target=site.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()
