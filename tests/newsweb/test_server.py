import http.client
import socket
import struct
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.base.clock import ManualClock
from broadsheet.newsweb.server import NewsServer, serve
from broadsheet.newsweb.web import NewsWeb
from tests.newsweb.certificates import make_contexts
from tests.newsweb.parsing import NOON, hrefs, tree_of

WEB = NewsWeb(seed=3, sites=3)
SITE = WEB.sites[0]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def server(clock: ManualClock) -> Iterator[NewsServer]:
    with serve(WEB, clock) as running:
        yield running


@pytest.fixture
def connection(server: NewsServer) -> Iterator[http.client.HTTPConnection]:
    opened = http.client.HTTPConnection("127.0.0.1", server.port, timeout=100)
    yield opened
    opened.close()


def download(url: str) -> tuple[http.client.HTTPMessage, bytes]:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=100) as response:
        return response.headers, response.read()


def exchange(
    connection: http.client.HTTPConnection, target: str, method: str = "GET", **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection.request(method, target, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    return response.status, response.headers, response.read()


def test_a_site_is_served_under_its_name_on_the_loopback_address(server: NewsServer) -> None:
    headers, body = download(server.by_path(SITE))

    assert body == WEB.fetch(server.by_path(SITE), NOON).body
    assert headers["Date"] == "Wed, 04 Mar 2026 12:00:00 GMT"


def test_a_site_is_served_on_its_own_host(server: NewsServer, connection: http.client.HTTPConnection) -> None:
    status, _, body = exchange(connection, "/", Host=f"{SITE.slug}.localhost:{server.port}")

    assert (status, body) == (200, WEB.fetch(server.by_host(SITE), NOON).body)


def test_the_server_works_as_a_proxy(server: NewsServer) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": server.url}))
    for site in WEB.sites:
        with opener.open(WEB.home(site), timeout=100) as response:
            assert response.read() == WEB.fetch(WEB.home(site), NOON).body


def test_responses_over_http_are_those_of_fetch(server: NewsServer, connection: http.client.HTTPConnection) -> None:
    for path in ("", "robots.txt", "nowhere", SITE.paths.feed[1:]):
        url = f"{server.by_path(SITE)}{path}"

        status, headers, body = exchange(connection, f"/{SITE.slug}/{path}")

        expected = WEB.fetch(url, NOON)
        assert (status, dict(headers.items()), body) == (expected.status, dict(expected.headers), expected.body)


def test_one_connection_serves_many_requests(connection: http.client.HTTPConnection) -> None:
    target = f"/{SITE.slug}/"
    _, headers, whole = exchange(connection, target)

    unchanged = exchange(connection, target, If_None_Match=headers["ETag"])
    head = exchange(connection, target, method="HEAD")
    again = exchange(connection, target)

    assert (unchanged[0], unchanged[2]) == (304, b"")
    assert (head[0], head[1]["Content-Length"], head[2]) == (200, str(len(whole)), b"")
    assert again[2] == whole


def test_time_is_that_of_the_clock(clock: ManualClock, connection: http.client.HTTPConnection) -> None:
    target = f"/{SITE.slug}/"
    before, same = exchange(connection, target), exchange(connection, target)
    clock.advance(timedelta(hours=8))
    after = exchange(connection, target)

    assert before[2] == same[2] != after[2]
    assert after[1]["Date"] == "Wed, 04 Mar 2026 20:00:00 GMT"


def test_error_pages_have_the_time_of_the_clock(connection: http.client.HTTPConnection) -> None:
    status, headers, _ = exchange(connection, "/", method="DELETE")

    assert (status, headers["Date"]) == (501, "Wed, 04 Mar 2026 12:00:00 GMT")


@pytest.mark.parametrize(("host", "expected"), [("", 400), ("[", 400), ("elsewhere.example", 404)])
def test_unknown_hosts(connection: http.client.HTTPConnection, host: str, expected: int) -> None:
    status, _, _ = exchange(connection, "/", Host=host)

    assert status == expected


def test_the_root_page_links_to_every_site(server: NewsServer) -> None:
    response = WEB.fetch(f"{server.url}/", NOON)

    assert hrefs(tree_of(response), server.url) == [server.by_path(site) for site in WEB.sites]


def test_concurrent_requests_get_complete_pages(server: NewsServer) -> None:
    urls = [link.url for site in WEB.sites if (page := WEB.truth(server.by_path(site), NOON)) for link in page.links]

    with ThreadPoolExecutor(8) as pool:
        bodies = [body for _, body in pool.map(download, urls)]

    fresh = NewsWeb(seed=3, sites=3)
    assert bodies == [fresh.fetch(url, NOON).body for url in urls]
    assert server.counters.total("requests") == len(urls)
    assert server.counters.total("bytes") == sum(map(len, bodies))


def test_a_disconnecting_client_is_counted_and_does_not_affect_others(
    server: NewsServer, connection: http.client.HTTPConnection, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as impatient:
        # Closing with a linger time of zero resets the connection, like a killed process.
        impatient.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        impatient.sendall(b"GET / HT")
    for _ in range(6000):
        if server.counters.total("dropped"):
            break
        time.sleep(0.01)

    assert exchange(connection, "/")[0] == 200
    assert server.counters.total("dropped") == 1
    assert capfd.readouterr().err == ""


def test_leaving_the_context_closes_the_port(clock: ManualClock) -> None:
    with serve(WEB, clock) as server:
        url = server.by_path(SITE)

    # Refused, or reset if the kernel had already accepted the connection.
    with pytest.raises((urllib.error.URLError, ConnectionResetError)):
        download(url)


class TestHttps:
    def test_pages_and_their_links_are_those_of_https(self, clock: ManualClock, tmp_path: Path) -> None:
        own, trusting = make_contexts(tmp_path)
        with serve(WEB, clock, tls=own) as server:
            home = server.by_path(SITE)
            with urllib.request.urlopen(home, timeout=100, context=trusting) as response:  # noqa: S310 - our own server
                body = response.read()

            assert home.startswith("https://127.0.0.1:")
            assert body == WEB.fetch(home, NOON).body
            links = [link.url for link in (WEB.truth(home, NOON) or pytest.fail("no page")).links]
            assert all(url.startswith(server.url) for url in links)

    def test_a_client_that_does_not_trust_it_refuses(self, clock: ManualClock, tmp_path: Path) -> None:
        own, _ = make_contexts(tmp_path)
        with serve(WEB, clock, tls=own) as server, pytest.raises(urllib.error.URLError, match="CERTIFICATE"):
            download(server.by_path(SITE))

    def test_a_client_that_is_silent_keeps_nobody_waiting(self, clock: ManualClock, tmp_path: Path) -> None:
        own, trusting = make_contexts(tmp_path)
        with serve(WEB, clock, tls=own) as server, socket.create_connection(("127.0.0.1", server.port)):
            connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=100, context=trusting)
            assert exchange(connection, f"/{SITE.slug}/")[0] == 200
            connection.close()
