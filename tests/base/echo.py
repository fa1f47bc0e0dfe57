"""A program that sends back what it is sent, and prints what nobody should take for an answer."""

import sys

from broadsheet.base.companion import connect_to_parent
from broadsheet.base.wire import Packet


def main() -> None:
    wire = connect_to_parent()
    print("{}", flush=True)
    while (packet := wire.receive()) is not None:
        wire.send(Packet({**packet.head, "arguments": sys.argv[2:]}, packet.bodies))
