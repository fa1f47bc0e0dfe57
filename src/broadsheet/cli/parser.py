"""The argument parser: options that all commands share, and one subparser per command."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Self

from broadsheet._version import __version__
from broadsheet.base.near_names import suggestion
from broadsheet.cli import exits
from broadsheet.cli.command import CommandEntry
from broadsheet.cli.invocation import PROGRAM

_DESCRIPTION = (
    "Broadsheet archives the news: it finds the sections of news sites, follows them, and extracts every article."
)
_EXAMPLES = """\
examples:
  broadsheet demo                                       watch a crawl of a simulated news site (about a minute)
  broadsheet extract https://news.example/story         fetch a page and show its article
  broadsheet extract saved/ -o articles.csv             extract the articles from a folder of pages
  broadsheet crawl news https://news.example/           archive a site into the folder news, every hour until Ctrl-C
  broadsheet articles news --since yesterday            list what has been archived
  broadsheet articles news | jq -r .title               results are JSON lines when piped

`broadsheet COMMAND --help` explains a command, with examples.

exit codes:
"""
#: How alike a name has to be to what was typed, to be what was meant.
_NEAR = 0.75


class Parser(argparse.ArgumentParser):
    """A parser with one-line errors that point to the help, and which accepts positional arguments after options.

    `declare` adds the arguments when they are first needed, so that only the command that runs is imported.
    """

    declare: Callable[[], None] | None = None
    #: Whether this is the parser of a command, which takes all arguments after its name.
    is_of_command = False

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - the base class's own
        """Turn off the coloured help of Python 3.14 and later: the terminal guard would escape it."""
        super().__init__(*args, **options)
        self.color = False

    def parse_known_args(  # type: ignore[override]  # the base class has overloads for any namespace
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Add positional arguments that follow an option to those before it."""
        self.declared()
        parsed, rest = super().parse_known_args(args, namespace)
        many = [action for action in self._get_positional_actions() if action.nargs in ("*", "+")]
        if many and rest and all(argument == "-" or not argument.startswith("-") for argument in rest):
            setattr(parsed, many[-1].dest, [*getattr(parsed, many[-1].dest), *rest])
            return parsed, []
        if rest and self.is_of_command:
            self.error(f"unrecognized arguments: {' '.join(rest)}{_hint(rest[0].partition('=')[0], self.options)}")
        return parsed, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401 - as in the base class
        """Refuse a command that there is not without listing all that there are."""
        if isinstance(action.choices, dict) and value not in action.choices:
            self.error(f"there is no command {value!r}{_hint(value, action.choices)}")
        super()._check_value(action, value)

    def declared(self) -> Self:
        """Declare the arguments, if that has not been done yet, and return the parser."""
        if self.declare:
            declare, self.declare = self.declare, None
            declare()
        return self

    @property
    def options(self) -> Mapping[str, argparse.Action]:
        """The options by name; one with several names appears under each."""
        return self._option_string_actions

    @property
    def positionals(self) -> Sequence[argparse.Action]:
        """The positional arguments, in order."""
        return self._get_positional_actions()

    def error(self, message: str) -> NoReturn:
        """Exit with a message about the arguments."""
        self.exit(exits.USAGE, f"{PROGRAM}: {message} (see: {self.prog} --help)\n")


def _hint(name: str, known: Iterable[str]) -> str:
    meant = suggestion(name, known, similarity=_NEAR, written=str)
    return f"; {meant}" if meant else ""


def build(commands: Iterable[CommandEntry]) -> Parser:
    """Return the parser for all commands; shared options may come before or after the name of the command."""
    parser = Parser(
        prog=PROGRAM,
        description=_DESCRIPTION,
        epilog=_EXAMPLES + "".join(f"  {code:<3}  {meaning}\n" for code, meaning in exits.MEANINGS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    add_shared_options(parser, "assignments_before")
    parser.set_defaults(
        command=None, config=None, debug=False, quiet=False, no_color=False, assignments_before=[], assignments=[]
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for command in commands:
        subparser = subparsers.add_parser(
            command.name,
            help=command.help,
            description=f"{command.help[0].upper()}{command.help[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        subparser.is_of_command = True
        subparser.declare = partial(_declare, command, subparser)
    return parser


def _declare(entry: CommandEntry, parser: Parser) -> None:
    command = entry.load()
    parser.set_defaults(command=command)
    command.configure(parser)
    add_shared_options(parser, "assignments")


def add_shared_options(parser: argparse.ArgumentParser, assignments: str) -> None:
    """Declare the options that every command takes; `assignments` names where those of `--set` go."""
    group = parser.add_argument_group("options for every command")
    # Without defaults, a subparser keeps the values of options given before the name of the command. Lists would be
    # replaced all the same, so the options before and after the name are collected separately.
    suppress = argparse.SUPPRESS
    group.add_argument("--config", metavar="FILE", type=Path, default=suppress, help="read settings from a TOML file")
    group.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest=assignments,
        action="append",
        default=suppress,
        help="override a setting, e.g. limits.max_bytes=5000000 (repeatable)",
    )
    group.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        default=suppress,
        help="print warnings and errors only: no progress, no messages",
    )
    group.add_argument(
        "--no-color", "--no-colour", action="store_true", default=suppress, help="turn colours off, as NO_COLOR=1 does"
    )
    group.add_argument("--debug", action="store_true", default=suppress, help="show the full traceback of an error")
