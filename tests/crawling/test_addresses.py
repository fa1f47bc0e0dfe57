import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.crawling.rendering._loopback import loopback_addresses


@pytest.mark.parametrize(
    ("host", "addresses"),
    [
        ("127.0.0.1", ("127.0.0.1",)),
        ("127.255.0.9", ("127.255.0.9",)),
        ("[::1]", ("::1",)),
        ("0:0:0:0:0:0:0:1", ("::1",)),
        ("localhost", ("127.0.0.1", "::1")),
        ("LOCALHOST.", ("127.0.0.1", "::1")),
        ("a.b.localhost", ("127.0.0.1", "::1")),
    ],
)
def test_hosts_of_this_machine(host: str, addresses: tuple[str, ...]) -> None:
    assert loopback_addresses(host) == addresses


@pytest.mark.parametrize(
    "host",
    [
        "",
        "0.0.0.0",  # noqa: S104 - it must be refused
        "0",
        "2130706433",
        "0x7f.0.0.1",
        "127.1",
        "0177.0.0.1",
        "128.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::",
        "[::ffff:127.0.0.1]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::7f00:1]",
        "[::1%25lo]",
        "fe80::1",
        "localhost.example",
        "notlocalhost",
        "127.0.0.1.nip.example",
        "１２７.0.0.1",
    ],
)
def test_other_hosts_and_disguises(host: str) -> None:
    assert loopback_addresses(host) == ()


@given(st.text(max_size=40))
def test_any_text_is_answered(host: str) -> None:
    for address in loopback_addresses(host):
        assert address == "::1" or address.startswith("127.")
