"""What every command is made of."""

from argparse import ArgumentParser, Namespace
from typing import Protocol

from broadsheet.base.config import Settings
from broadsheet.base.errors import BroadsheetError
from broadsheet.cli.console import Console


class UsageError(BroadsheetError):
    """Arguments that are each right do not go together."""


def settings(args: Namespace) -> Settings:
    """Return the settings in force, which the program puts beside a command's own arguments."""
    found: Settings = args.configuration.settings
    return found


class Command(Protocol):
    """A module with these names is a command."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """What a person types."""
        ...

    @property
    def HELP(self) -> str:  # noqa: N802 - a module's constant
        """One line that says what the command does."""
        ...

    def configure(self, parser: ArgumentParser) -> None:
        """Declare the command's arguments, and examples as its epilog."""
        ...

    def execute(self, args: Namespace, console: Console) -> int:
        """Do the work and return the exit code."""
        ...
