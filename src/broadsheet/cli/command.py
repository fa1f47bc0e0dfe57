"""What every command is made of."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from broadsheet.base.errors import BroadsheetError

if TYPE_CHECKING:
    from broadsheet.base.config import Settings
    from broadsheet.cli.console import Console


class UsageError(BroadsheetError):
    """Arguments that are each right do not go together."""


def settings(args: Namespace) -> "Settings":
    """Return the settings in force, which the program puts beside a command's own arguments."""
    found: Settings = args.configuration.settings
    return found


class Command(Protocol):
    """A module with these functions is a command."""

    def configure(self, parser: ArgumentParser) -> None:
        """Declare the command's arguments, and examples as its epilog."""
        ...

    def execute(self, args: Namespace, console: "Console") -> int:
        """Do the work and return the exit code."""
        ...


@dataclass(frozen=True, slots=True)
class Listed:
    """A command as the help lists it: what a person types, and one line that says what it does.

    Its module, with all that the command needs, is loaded when it is asked for: most take longer to load than to list.
    """

    name: str
    help: str

    def load(self) -> Command:
        """Return the command itself."""
        module: Any = import_module(f"broadsheet.cli.commands.{self.name}_command")
        command: Command = module
        return command
