import pytest

from broadsheet.crawling.rendering._gate import Gate


def test_nothing_passes_a_closed_gate() -> None:
    gate = Gate(loopback=False, max_requests=9)

    assert not gate.admit("http://127.0.0.1/")
    assert gate.destinations("127.0.0.1") == ()
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
    gate = Gate(loopback=True, max_requests=9)

    assert gate.objection(url) == objection
    assert gate.admit(url) is (objection is None)
    assert gate.blocked == ({objection: 1} if objection else {})


def test_requests_and_connections_are_capped_each() -> None:
    gate = Gate(loopback=True, max_requests=2)

    assert [gate.admit("http://127.0.0.1/") for _ in range(3)] == [True, True, False]
    assert [bool(gate.destinations("::1")) for _ in range(3)] == [True, True, False]
    assert gate.requests == 2
    assert gate.blocked == {"too many requests": 1, "connection": 1}
