"""The browser's only way to the network: a SOCKS5 proxy that checks every connection with the gate.

Intercepting requests is not enough: redirects, web sockets, some workers, preconnects and the browser's own traffic
bypass it. Here the address that is checked is the one that is connected to.
"""

import asyncio
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address

from broadsheet.crawling.rendering._gate import Gate

_VERSION = 5
_CONNECT = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_GRANTED, _FORBIDDEN, _UNREACHABLE = 0, 2, 4
_CHUNK = 65_536


class _NotSocksError(Exception):
    """A client speaks another protocol, or asks for more than connections."""


class Guard:
    """Relay the connections that the gate of the current page allows."""

    def __init__(self) -> None:
        """Refuse everything until a page sets its gate."""
        self.gate = Gate(loopback=False, max_requests=1, max_received=0)

    async def listen(self) -> asyncio.Server:
        """Listen on a free port of the loopback."""
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            host, port = await _handshake(reader, writer)
            await self._relay(host, port, reader, writer)
        except (asyncio.IncompleteReadError, OSError, _NotSocksError):
            # A client that does not speak SOCKS5, or hangs up, is only disconnected.
            pass
        finally:
            writer.close()

    async def _relay(self, host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gate = self.gate
        addresses = await gate.destinations(host)
        if not addresses:
            writer.write(_reply(_FORBIDDEN))
            return
        for address in addresses:
            try:
                remote_reader, remote_writer = await asyncio.open_connection(address, port)
            except OSError:
                continue
            try:
                writer.write(_reply(_GRANTED))
                await asyncio.gather(_copy(reader, remote_writer), _copy(remote_reader, writer, gate.receive))
            finally:
                remote_writer.close()
            return
        writer.write(_reply(_UNREACHABLE))


async def _handshake(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    """Perform the handshake of RFC 1928 and return the requested host and port."""
    version, methods = await reader.readexactly(2)
    await reader.readexactly(methods)
    if version != _VERSION:
        raise _NotSocksError("not SOCKS5")
    writer.write(bytes([_VERSION, 0]))
    _, command, _, kind = await reader.readexactly(4)
    if command != _CONNECT:
        raise _NotSocksError("only connections are relayed")
    if kind == _IPV4:
        host = str(IPv4Address(await reader.readexactly(4)))
    elif kind == _IPV6:
        host = str(IPv6Address(await reader.readexactly(16)))
    elif kind == _NAME:
        name = await reader.readexactly((await reader.readexactly(1))[0])
        if not name.isascii():
            raise _NotSocksError("the name of a host is not ASCII")
        host = name.decode("ascii")
    else:
        raise _NotSocksError("unknown kind of address")
    return host, int.from_bytes(await reader.readexactly(2), "big")


def _reply(code: int) -> bytes:
    return bytes([_VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0])


def _anything(size: int) -> bool:
    del size
    return True


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, may_pass: Callable[[int], bool] = _anything
) -> None:
    while (chunk := await reader.read(_CHUNK)) and may_pass(len(chunk)):
        writer.write(chunk)
        await writer.drain()
    # Close this direction only: the other may still be sending.
    writer.write_eof()
