import http.client
import socket
import struct
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from broadsheet.base.clock import ManualClock
from broadsheet.newsweb.server import NewsServer, serve
from broadsheet.newsweb.web import NewsWeb
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


def test_a_site_lies_under_its_name_on_the_loopback_address(server: NewsServer) -> None:
    headers, body = download(server.by_path(SITE))

    assert body == WEB.fetch(server.by_path(SITE), NOON).body
    assert headers["Date"] == "Wed, 04 Mar 2026 12:00:00 GMT"


def test_a_site_lies_at_a_host_of_its_own(server: NewsServer, connection: http.client.HTTPConnection) -> None:
    status, _, body = exchange(connection, "/", Host=f"{SITE.slug}.localhost:{server.port}")

    assert (status, body) == (200, WEB.fetch(server.by_host(SITE), NOON).body)


def test_to_a_client_with_a_proxy_the_whole_web_is_there(server: NewsServer) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": server.url}))
    for site in WEB.sites:
        with opener.open(WEB.home(site), timeout=100) as response:
            assert response.read() == WEB.fetch(WEB.home(site), NOON).body


def test_sockets_add_nothing_to_the_answer(server: NewsServer, connection: http.client.HTTPConnection) -> None:
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


def test_time_goes_by_on_the_clock_alone(clock: ManualClock, connection: http.client.HTTPConnection) -> None:
    target = f"/{SITE.slug}/"
    before, same = exchange(connection, target), exchange(connection, target)
    clock.advance(timedelta(hours=8))
    after = exchange(connection, target)

    assert before[2] == same[2] != after[2]
    assert after[1]["Date"] == "Wed, 04 Mar 2026 20:00:00 GMT"


def test_other_methods_are_refused_at_the_time_of_the_clock(connection: http.client.HTTPConnection) -> None:
    status, headers, _ = exchange(connection, "/", method="DELETE")

    assert (status, headers["Date"]) == (501, "Wed, 04 Mar 2026 12:00:00 GMT")


@pytest.mark.parametrize(("host", "expected"), [("", 400), ("[", 400), ("elsewhere.example", 404)])
def test_hosts_that_are_none_of_ours(connection: http.client.HTTPConnection, host: str, expected: int) -> None:
    status, _, _ = exchange(connection, "/", Host=host)

    assert status == expected


def test_the_way_in_leads_to_every_site(server: NewsServer) -> None:
    response = WEB.fetch(f"{server.url}/", NOON)

    assert hrefs(tree_of(response), server.url) == [server.by_path(site) for site in WEB.sites]


def test_many_ask_at_once_and_each_gets_the_whole_page(server: NewsServer) -> None:
    urls = [link.url for site in WEB.sites if (page := WEB.truth(server.by_path(site), NOON)) for link in page.links]

    with ThreadPoolExecutor(8) as pool:
        bodies = [body for _, body in pool.map(download, urls)]

    fresh = NewsWeb(seed=3, sites=3)
    assert bodies == [fresh.fetch(url, NOON).body for url in urls]
    assert server.counters.total("requests") == len(urls)
    assert server.counters.total("bytes") == sum(map(len, bodies))


def test_a_client_that_goes_away_is_counted_and_disturbs_nobody(
    server: NewsServer, connection: http.client.HTTPConnection, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as impatient:
        # Closing with a linger of nought resets the connection, as a process that is killed does.
        impatient.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        impatient.sendall(b"GET / HT")
    for _ in range(6000):
        if server.counters.total("dropped"):
            break
        time.sleep(0.01)

    assert exchange(connection, "/")[0] == 200
    assert server.counters.total("dropped") == 1
    assert capfd.readouterr().err == ""


def test_after_the_end_the_port_is_closed(clock: ManualClock) -> None:
    with serve(WEB, clock) as server:
        url = server.by_path(SITE)

    # Refused, or reset where the kernel had taken the connection already.
    with pytest.raises((urllib.error.URLError, ConnectionResetError)):
        download(url)
