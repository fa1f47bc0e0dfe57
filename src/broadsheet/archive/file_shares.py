"""Files of which keep rules remove something."""

from collections.abc import Mapping
from typing import NamedTuple

from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.prunings import Pruning, PruningKey


class FileShare(NamedTuple):
    """A file of which something is to go: how much of it, and what that is."""

    file: FileRow
    #: The share of the file that goes now, and the share of what the rules will remove from it in time; 0 to 1.
    share: float
    ripeness: float
    removed: Mapping[PruningKey, Pruning]
