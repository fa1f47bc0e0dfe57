"""Answers that cost a server nothing and a crawler much: many tiny chunks, many tiny header lines."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

pytest.importorskip("scrapy")

from broadsheet.base.manners import Manners
from broadsheet.crawling import _handler
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Request
from tests.crawling.crawler import live

MANNERS = Manners(delay=0.0, retries=0, robots=False, timeout=20.0, allow_networks="127.0.0.0/8")


def chunked(sizes: list[int]) -> bytes:
    body = b"".join(b"%x\r\n%s\r\n" % (size, b"x" * size) for size in sizes)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"


ANSWERS = {
    "/tiny-chunks": chunked([1] * 500_000),
    "/many-chunks": chunked([20] * (_handler.MAX_CHUNKS + 1)),
    "/tiny-headers": b"HTTP/1.1 200 OK\r\n" + b"a:b\r\n" * 40_000 + b"Content-Length: 0\r\n\r\n",
    "/few-tiny-chunks": chunked([1] * 1_500),
    "/lines-as-chunks": chunked([40] * 20_000),
    "/usual-headers": b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100 + b"Content-Length: 4\r\n\r\npage",
}


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        path = self.rfile.readline().split(b" ")[1].decode("latin-1")
        while self.rfile.readline().strip():
            pass
        self.wfile.write(ANSWERS[path.partition("?")[0]])


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are what is tested."""


@contextmanager
def serving() -> Iterator[str]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_answers_in_too_many_pieces_are_cut_and_others_are_read() -> None:
    with serving() as base:
        crawled = live([Request(base + path, tag=path) for path in ANSWERS], MANNERS)

    failed = {each.request.tag: each.reason for each in crawled.outcomes if isinstance(each, Failure)}
    lengths = {each.request.tag: len(each.content) for each in crawled.outcomes if isinstance(each, FetchAnswer)}
    assert failed == dict.fromkeys(("/tiny-chunks", "/many-chunks", "/tiny-headers"), "too large")
    assert lengths == {"/few-tiny-chunks": 1_500, "/lines-as-chunks": 800_000, "/usual-headers": 4}
    assert (crawled.report["error"], crawled.err) == (None, "")


@pytest.mark.parametrize("path", ["/tiny-chunks", "/tiny-headers"])
def test_a_cheap_answer_takes_little_processor_time(path: str) -> None:
    number = 30
    with serving() as base:
        cheap = live([Request(f"{base}{path}?{each}") for each in range(number)], MANNERS)
        usual = live([Request(f"{base}/usual-headers?{each}") for each in range(number)], MANNERS)

    each_costs = (cheap.report["cpu"] - usual.report["cpu"]) / number
    # Reading a page takes about ten milliseconds; half a million chunks took ten seconds.
    assert each_costs < 0.1
