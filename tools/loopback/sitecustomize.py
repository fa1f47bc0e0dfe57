"""Keeps every Python program that has this folder on its path from connecting to any machine but this one.

Python imports this module when it starts. Recipes and notebooks are run so: one that asked for a real site by mistake
would fail here instead of disturbing that site.
"""

import ipaddress
import sys


def _is_here(host: object) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse the two ways to another machine with the errors that a machine without a network gives."""
    if event == "socket.getaddrinfo" and arguments[0] and not _is_here(arguments[0]):
        import socket  # noqa: PLC0415 - whoever gets here has loaded it

        raise socket.gaierror(socket.EAI_NONAME, f"{arguments[0]!r} is another machine, which may not be asked for")
    if event == "socket.connect" and isinstance(arguments[1], tuple) and not _is_here(arguments[1][0]):
        raise ConnectionRefusedError(f"{arguments[1]!r} is another machine, which may not be connected to")


sys.addaudithook(_watch)
