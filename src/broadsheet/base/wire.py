"""What our processes say to each other: packets, each a line of JSON and then the bytes whose sizes that names."""

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: The key of a packet's line that names the sizes of its bodies.
_SIZES = "sizes"
#: Bytes that are received at once: about what the system's own buffer of a socket holds.
_CHUNK = 1 << 17


@dataclass(frozen=True, slots=True)
class Packet:
    """One message: whatever JSON can hold, and bytes beside it, such as pages, which are not written as JSON."""

    head: Mapping[str, Any]
    bodies: tuple[bytes, ...] = ()

    def encode(self) -> bytes:
        """Return the packet as it is sent."""
        return b"".join((self.line(), *self.bodies))

    def line(self) -> bytes:
        """Return what is sent before the bodies; in ASCII, so that even halves of characters arrive as they are."""
        head = {**self.head, _SIZES: [len(body) for body in self.bodies]} if self.bodies else self.head
        return json.dumps(head).encode("ascii") + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "Packet":
        """Return the packet of a line that came alone."""
        return cls(json.loads(line))


class Inbox:
    """Bytes as they come in, cut into packets."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._came = bytearray()
        self._searched = 0
        self._head: dict[str, Any] | None = None

    def put(self, chunk: bytes) -> None:
        """Add what has come."""
        self._came += chunk

    def take(self) -> Packet | None:
        """Return the next packet if all of it has come."""
        if self._head is None:
            end = self._came.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._came)
                return None
            self._head = json.loads(self._came[:end])
            del self._came[: end + 1]
            self._searched = 0
        sizes = self._head.get(_SIZES, ())
        if len(self._came) < sum(sizes):
            return None
        bodies, at = [], 0
        with memoryview(self._came) as came:
            for size in sizes:
                bodies.append(bytes(came[at : at + size]))
                at += size
        del self._came[:at]
        head, self._head = self._head, None
        head.pop(_SIZES, None)
        return Packet(head, tuple(bodies))


class Wire:
    """One end of a connection between two processes; one thread may send while another receives."""

    def __init__(self, end: socket.socket) -> None:
        """Take the connection."""
        self.socket = end
        self._inbox = Inbox()

    def send(self, packet: Packet, wait: float | None = None) -> None:
        """Send a packet; TimeoutError means that the other end did not take it within so many seconds."""
        self.socket.settimeout(wait)
        # One by one: to put large bodies together would copy them.
        for part in (packet.line(), *packet.bodies):
            self.socket.sendall(part)

    def receive(self) -> Packet | None:
        """Wait for the next packet and return it; None where the other end is closed, be it in the middle of one."""
        try:
            while (packet := self.arrived()) is None:
                if not self.listen():
                    return None
        except ConnectionError:
            # The other process ended before it had read all that was sent to it.
            return None
        return packet

    def listen(self, wait: float | None = None) -> bool:
        """Wait for more bytes, so many seconds at most, and tell whether any came before the other end was closed."""
        self.socket.settimeout(wait)
        chunk = self.socket.recv(_CHUNK)
        self._inbox.put(chunk)
        return bool(chunk)

    def arrived(self) -> Packet | None:
        """Return the next packet if all of it has come."""
        return self._inbox.take()

    def close(self) -> None:
        """Close this end, which the other notices."""
        self.socket.close()
