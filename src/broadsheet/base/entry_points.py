"""What installed packages register under a name, such as filters and readers."""

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType


def registered(group: str) -> Mapping[str, EntryPoint]:
    """Return what packages register in a group, by name; nothing is loaded, since it may be code of anybody."""
    return _registered(group, tuple(sys.path))


@cache
def _registered(group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Look through all packages on a path once, because that reads a file of each."""
    del path
    return MappingProxyType({entry.name: entry for entry in entry_points(group=group)})
