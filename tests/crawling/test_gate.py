"""What a page may request, and what it may not."""

import asyncio

import pytest

from broadsheet.crawling.rendering._gate import Gate
from broadsheet.crawling.rendering._public_web import PublicWeb


def test_nothing_passes_a_closed_gate() -> None:
    gate = Gate(loopback=False, max_requests=9, max_received=1_000)

    assert not gate.admit("http://127.0.0.1/")
    assert asyncio.run(gate.destinations("127.0.0.1")) == ()
    assert gate.requests == 0
    assert gate.blocked == {"address": 1, "connection": 1}


@pytest.mark.parametrize(
    ("url", "objection"),
    [
        ("http://127.0.0.1:8000/a?b", None),
        ("https://localhost/", None),
        ("http://user@127.0.0.1/", None),
        ("http://127.0.0.1@elsewhere.example/", "address"),
        ("http://elsewhere.example/127.0.0.1", "address"),
        ("http://[::1", "address"),
        ("http:", "address"),
        ("file:///etc/passwd", "scheme"),
        ("ftp://127.0.0.1/", "scheme"),
        ("", "scheme"),
    ],
)
def test_only_http_to_the_loopback_passes_an_open_one(url: str, objection: str | None) -> None:
    gate = Gate(loopback=True, max_requests=9, max_received=1_000)

    assert gate.objection(url) == objection
    assert gate.admit(url) is (objection is None)
    assert gate.blocked == ({objection: 1} if objection else {})


def test_requests_and_connections_are_capped_each() -> None:
    gate = Gate(loopback=True, max_requests=2, max_received=1_000)

    assert [gate.admit("http://127.0.0.1/") for _ in range(3)] == [True, True, False]
    assert [bool(asyncio.run(gate.destinations("::1"))) for _ in range(3)] == [True, True, False]
    assert gate.requests == 2
    assert gate.blocked == {"too many requests": 1, "connection": 1}


@pytest.mark.parametrize(
    ("url", "kind", "objection"),
    [
        ("https://news.example/api?page=1", "fetch", None),
        ("https://cdn.example/script.js", "script", None),
        ("https://8.8.8.8/", "fetch", None),
        ("https://cdn.example/picture.jpg", "image", "not needed"),
        ("https://cdn.example/film.mp4", "media", "not needed"),
        ("https://cdn.example/letters.woff2", "font", "not needed"),
        ("http://127.0.0.1/", "fetch", "address"),
        ("http://localhost/", "fetch", "address"),
        ("http://a.localhost/", "fetch", "address"),
        ("http://[::1]/", "fetch", "address"),
        ("http://10.0.0.1/", "fetch", "address"),
        ("http://169.254.169.254/latest", "fetch", "address"),
        ("http://[::ffff:127.0.0.1]/", "fetch", "address"),
        ("file:///etc/passwd", "fetch", "scheme"),
    ],
)
def test_what_scripts_need_passes_a_gate_to_the_public_web(url: str, kind: str, objection: str | None) -> None:
    gate = Gate(loopback=False, max_requests=9, max_received=1_000, public=PublicWeb())

    assert gate.admit(url, kind) is (objection is None)
    assert gate.blocked == ({objection: 1} if objection else {})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.1.2.3", "::1", "no-such-host.invalid", "", "a..b"])
def test_a_connection_within_the_machine_or_to_nowhere_is_refused(host: str) -> None:
    gate = Gate(loopback=False, max_requests=9, max_received=1_000, public=PublicWeb())

    assert asyncio.run(gate.destinations(host)) == ()
    assert gate.blocked == {"connection": 1}


def test_a_name_that_also_leads_into_the_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolved(host: str, port: object, **_: object) -> list[tuple[object, ...]]:
        del host, port
        return [(0, 0, 0, "", ("93.184.216.34", 0)), (0, 0, 0, "", ("127.0.0.1", 0))]

    async def destinations() -> tuple[str, ...]:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolved, raising=False)
        return await Gate(loopback=False, max_requests=9, max_received=1, public=PublicWeb()).destinations("a.example")

    assert asyncio.run(destinations()) == ()


def test_networks_that_are_allowed_can_be_reached() -> None:
    gate = Gate(loopback=False, max_requests=9, max_received=1_000, public=PublicWeb(["127.0.0.0/8"]))

    assert gate.admit("http://127.0.0.1:8000/")
    assert asyncio.run(gate.destinations("127.0.0.1")) == ("127.0.0.1",)
    assert asyncio.run(gate.destinations("10.0.0.1")) == ()


def test_bytes_are_capped() -> None:
    gate = Gate(loopback=True, max_requests=9, max_received=1_000)

    assert [gate.receive(400) for _ in range(3)] == [True, True, False]
    assert gate.blocked == {"too many bytes": 1}
