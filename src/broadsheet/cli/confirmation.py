"""A question that must be answered before something is done that cannot be undone."""

from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console

_YES = frozenset({"y", "yes"})


def confirm(console: Console, question: str) -> bool:
    """Ask on a terminal, and return whether the answer is yes; without a terminal nobody can answer."""
    if not (console.stdin.isatty() and console.asks):
        raise UsageError("this cannot be undone and needs a confirmation: give --yes")
    console.ask(f"{question} [y/N] ")
    return console.stdin.readline().decode("utf-8", "replace").strip().lower() in _YES
