"""The proxy, spoken to byte by byte."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broadsheet.crawling.rendering._gate import Gate
from broadsheet.crawling.rendering._guard import Guard

GREETING = b"\x05\x01\x00"


def connect_to(host: str, port: int) -> bytes:
    return b"\x05\x01\x00\x03" + bytes([len(host)]) + host.encode() + port.to_bytes(2, "big")


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"echo " + await reader.readline())
    writer.close()


async def _exchange(gate: Gate, request: Callable[[int], bytes]) -> bytes:
    guard = Guard()
    guard.gate = gate
    async with await guard.listen() as proxy, await asyncio.start_server(_echo, "127.0.0.1", 0) as echo:
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(proxy))
        writer.write(request(_port(echo)))
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        # The servers' ends close in the next rounds of the loop.
        await asyncio.sleep(0.05)
        return answer


def _port(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])


def exchange(gate: Gate, request: Callable[[int], bytes]) -> bytes:
    async def limited() -> bytes:
        answer: Awaitable[bytes] = _exchange(gate, request)
        return await asyncio.wait_for(answer, 10)

    return asyncio.run(limited())


@pytest.mark.parametrize(
    "address",
    [b"\x03\x09localhost", b"\x03\x09127.0.0.1", b"\x01\x7f\x00\x00\x01"],
    ids=["name", "address as a name", "address"],
)
def test_bytes_are_relayed_both_ways(address: bytes) -> None:
    def request(port: int) -> bytes:
        return GREETING + b"\x05\x01\x00" + address + port.to_bytes(2, "big") + b"hello\n"

    answer = exchange(Gate(loopback=True, max_requests=1, max_received=1_000), request)

    assert answer == b"\x05\x00" + b"\x05\x00\x00\x01" + bytes(6) + b"echo hello\n"


def test_a_connection_is_cut_that_brings_too_much() -> None:
    gate = Gate(loopback=True, max_requests=1, max_received=9)

    answer = exchange(gate, lambda port: GREETING + connect_to("localhost", port) + b"hello\n")

    assert answer == b"\x05\x00" + b"\x05\x00\x00\x01" + bytes(6)
    assert gate.blocked == {"too many bytes": 1}


@pytest.mark.parametrize("host", ["elsewhere.example", "169.254.169.254", "::ffff:127.0.0.1", ""])
def test_other_addresses_are_forbidden(host: str) -> None:
    gate = Gate(loopback=True, max_requests=1, max_received=1_000)

    assert exchange(gate, lambda port: GREETING + connect_to(host, port))[2:4] == b"\x05\x02"
    assert gate.blocked == {"connection": 1}


def test_an_unreachable_port_is_reported() -> None:
    gate = Gate(loopback=True, max_requests=1, max_received=1_000)

    assert exchange(gate, lambda _: GREETING + connect_to("127.0.0.1", 0))[2:4] == b"\x05\x04"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x04\x01\x00\x50\x7f\x00\x00\x01\x00",
        GREETING + b"\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50",
        GREETING + b"\x05\x01\x00\x07",
        GREETING + b"\x05\x01\x00\x03\x04\xff\xff\xff\xff\x00\x50",
    ],
    ids=["nothing", "HTTP", "SOCKS4", "bind", "unknown kind", "a name that is none"],
)
def test_other_protocols_are_disconnected(request_bytes: bytes) -> None:
    gate = Gate(loopback=True, max_requests=1, max_received=1_000)

    assert exchange(gate, lambda _: request_bytes) in {b"", b"\x05\x00"}
    assert not gate.blocked
