"""The protocol between our processes: packets of one line of JSON, followed by binary bodies of the sizes it lists."""

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: The key that lists the sizes of a packet's bodies.
_SIZES = "sizes"
#: Bytes that are received at once: about what the system's own buffer of a socket holds.
_CHUNK = 1 << 17


@dataclass(frozen=True, slots=True)
class Packet:
    """One message: a JSON object, and binary bodies such as pages."""

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
        """Decode a packet without bodies from its line."""
        return cls(json.loads(line))


class Inbox:
    """A buffer that splits received bytes into packets."""

    def __init__(self) -> None:
        """Start empty."""
        self._buffer = bytearray()
        self._searched = 0
        self._head: dict[str, Any] | None = None

    def put(self, chunk: bytes) -> None:
        """Add received bytes."""
        self._buffer += chunk

    def take(self) -> Packet | None:
        """Return the next packet if it is complete."""
        if self._head is None:
            end = self._buffer.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._buffer)
                return None
            self._head = json.loads(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
        sizes = self._head.get(_SIZES, ())
        if len(self._buffer) < sum(sizes):
            return None
        bodies, at = [], 0
        with memoryview(self._buffer) as received:
            for size in sizes:
                bodies.append(bytes(received[at : at + size]))
                at += size
        del self._buffer[:at]
        head, self._head = self._head, None
        head.pop(_SIZES, None)
        return Packet(head, tuple(bodies))


class Wire:
    """One end of a connection between two processes; one thread may send while another receives."""

    def __init__(self, end: socket.socket) -> None:
        """Use one end of a socket pair."""
        self.socket = end
        self._inbox = Inbox()

    def send(self, packet: Packet, wait: float | None = None) -> None:
        """Send a packet; raises TimeoutError if the other end does not accept it within `wait` seconds."""
        self.socket.settimeout(wait)
        # One by one: to put large bodies together would copy them.
        for part in (packet.line(), *packet.bodies):
            self.socket.sendall(part)

    def receive(self) -> Packet | None:
        """Wait for the next packet; None if the other end is closed, even in the middle of one."""
        try:
            while (packet := self.arrived()) is None:
                if not self.listen():
                    return None
        except ConnectionError:
            # The other process ended before it had read everything sent to it.
            return None
        return packet

    def listen(self, wait: float | None = None) -> bool:
        """Wait at most `wait` seconds for more bytes; return False if the other end is closed."""
        self.socket.settimeout(wait)
        chunk = self.socket.recv(_CHUNK)
        self._inbox.put(chunk)
        return bool(chunk)

    def arrived(self) -> Packet | None:
        """Return the next packet if it is complete."""
        return self._inbox.take()

    def close(self) -> None:
        """Close this end, which the other notices."""
        self.socket.close()
