import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.crawling._address_guard import AddressGuard

PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:8.8.8.8", "64:ff9b::808:808"]
LOCAL = [
    "0.0.0.0",  # noqa: S104 - it must be refused
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.9.10",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.1.2.3",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001:0:5ef5:79fd:0:59d:80ff:fffe",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address: str) -> None:
    assert AddressGuard().allows(address)


@pytest.mark.parametrize("address", LOCAL)
def test_all_other_addresses_are_refused(address: str) -> None:
    assert not AddressGuard().allows(address)


@pytest.mark.parametrize("text", ["", "localhost", "2130706433", "127.1", "0x7f.1", "1.2.3.4.5", "[::1]"])
def test_what_is_no_address_is_refused(text: str) -> None:
    assert not AddressGuard().allows(text)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.255.0.9", "::ffff:127.0.0.1", "::1"])
def test_a_network_can_be_allowed_and_then_also_by_its_wrapped_addresses(address: str) -> None:
    assert AddressGuard(("127.0.0.0/8", "::1")).allows(address)


def test_one_allowed_network_allows_no_other() -> None:
    assert not AddressGuard(("127.0.0.0/8",)).allows("::1")
    assert not AddressGuard(("10.0.0.0/8",)).allows("127.0.0.1")


@given(st.ip_addresses(v=4))
def test_an_address_is_never_let_through_in_a_wrapping(address: ipaddress.IPv4Address) -> None:
    addresses = AddressGuard()
    number = int(address)
    wrapped = (
        ipaddress.IPv6Address((0xFFFF << 32) | number),
        ipaddress.IPv6Address((0x64_FF9B << 96) | number),
        ipaddress.IPv6Address((0x2002 << 112) | (number << 80)),
    )

    assert addresses.allows(str(address)) or not any(addresses.allows(str(each)) for each in wrapped)
