"""A program that sends back what it is sent, and prints what nobody should take for an answer."""

import sys

from broadsheet.base.companion import attend
from broadsheet.base.wire import Packet


def main() -> None:
    wire = attend()
    print("{}", flush=True)
    while (packet := wire.receive()) is not None:
        wire.send(Packet({**packet.head, "arguments": sys.argv[2:]}, packet.bodies))
