"""A program that echoes packets, and prints text that must not be mistaken for one."""

import sys

from broadsheet.base.companion import connect_to_parent
from broadsheet.base.wire import Packet


def main() -> None:
    wire = connect_to_parent()
    print("{}", flush=True)
    while (packet := wire.receive()) is not None:
        wire.send(Packet({**packet.head, "arguments": sys.argv[2:]}, packet.bodies))
