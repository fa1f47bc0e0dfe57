"""What installed packages register under a name, such as filters and readers."""

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from types import MappingProxyType


def registered(group: str) -> Mapping[str, EntryPoint]:
    """Return what packages register in a group, by name; nothing is loaded, since it may be code of anybody."""
    return _registered(group, tuple(sys.path))


@cache
def _registered(group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    return MappingProxyType({entry.name: entry for entry in _all(path).select(group=group)})


@cache
def _all(path: tuple[str, ...]) -> EntryPoints:
    """Return the entry points of all packages on a path; finding them reads a file of every package."""
    del path
    return entry_points()
