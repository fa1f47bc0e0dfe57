"""The interface of a command, and its entry in the list of commands."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from broadsheet.base.errors import BroadsheetError

if TYPE_CHECKING:
    from broadsheet.base.config import Settings
    from broadsheet.cli.console import Console


class UsageError(BroadsheetError):
    """Arguments that are valid on their own but not together."""


def settings(args: Namespace) -> "Settings":
    """Return the settings in effect, which `main` adds to the parsed arguments."""
    configured: Settings = args.configuration.settings
    return configured


class Command(Protocol):
    """The functions that the module of a command defines."""

    def configure(self, parser: ArgumentParser) -> None:
        """Declare the command's arguments, and set the examples as its epilog."""
        ...

    def execute(self, args: Namespace, console: "Console") -> int:
        """Run the command and return its exit code."""
        ...


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command in the help: its name and one line that describes it.

    Its module is imported only when the command runs, because most imports take longer than printing the help.
    """

    name: str
    help: str

    def load(self) -> Command:
        """Import the command's module."""
        module: Any = import_module(f"broadsheet.cli.commands.{self.name}_command")
        command: Command = module
        return command
