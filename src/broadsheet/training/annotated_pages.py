"""How many annotated pages a reader needs before it can be adapted to them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError

Say = Callable[[str], None]

#: With fewer pages, held-out ones cannot tell what helps: adapted to two pages, some sites were read far worse.
MIN_PAGES = 5


def require_pages(pages: int, folders: Sequence[Path], counters: Counters, say: Say) -> None:
    """Say what was left out of the folders and why, and raise if the pages that are left are too few."""
    for counted, number in counters:
        say(f"{counted.name}: {number:,}: {counted.reason}")
    if pages < MIN_PAGES:
        raise InputError(
            f"{pages} annotated pages with a body are too few: annotate at least {MIN_PAGES}, better twenty, with"
            f" `broadsheet annotate {folders[0]}`"
        )
