"""`status --check`: name the sources that are late, failing or silent, for a monitor to see."""

from typing import TYPE_CHECKING

from broadsheet.cli import exits
from broadsheet.cli.console import Console

if TYPE_CHECKING:
    from broadsheet.archive import Store

_COLUMNS = ("source", "problem", "detail")


def check_health(archive: "Store", console: Console) -> int:
    """Write one row per problem, and return an exit code that says whether there is any."""
    found = archive.ailments(console.clock.now())
    console.rows(({"source": one.source, "problem": one.problem, "detail": one.detail} for one in found), _COLUMNS)
    if not found:
        console.message("every active source is visited in time, answers, and brings articles")
        return exits.DONE
    return exits.FAILED
