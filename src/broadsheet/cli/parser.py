"""The command line's grammar: what all commands share, and each command's own part."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from broadsheet._version import __version__
from broadsheet.cli import exits
from broadsheet.cli.command import Listed
from broadsheet.cli.invocation import PROGRAM

_DESCRIPTION = "Archives the news: finds sections, follows them, identifies pages and reads articles."
_EXAMPLES = """\
examples:
  broadsheet demo                           see what Broadsheet does, on pages it makes itself
  broadsheet parse page.html                one row about a page
  broadsheet parse saved/ --links           every link of every page in a folder
  curl -s URL | broadsheet parse - --url URL --metadata
  broadsheet parse saved/ | jq .title       JSON lines when piped

exit codes:
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that says where help is, and which lets pages stand after options.

    `declare` may add arguments when they are first needed, so that only the command that is run has to be loaded.
    """

    declare: Callable[[], None] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - the base class's own
        """Write help without the colours of newer versions of Python, which would be escaped on a terminal."""
        super().__init__(*args, **options)
        self.color = False

    def parse_known_args(  # type: ignore[override]  # the base class has overloads for any namespace
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Take arguments that follow an option for more of those that may be many, as people expect."""
        if self.declare:
            declare, self.declare = self.declare, None
            declare()
        found, rest = super().parse_known_args(args, namespace)
        many = [action for action in self._get_positional_actions() if action.nargs in ("*", "+")]
        if many and rest and all(argument == "-" or not argument.startswith("-") for argument in rest):
            setattr(found, many[-1].dest, [*getattr(found, many[-1].dest), *rest])
            return found, []
        return found, rest

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments and leave."""
        self.exit(exits.USAGE, f"{PROGRAM}: {message} (see: {self.prog} --help)\n")


def build(commands: Iterable[Listed]) -> Parser:
    """Return the whole grammar; the options that all share may stand before or after the command's name."""
    parser = Parser(
        prog=PROGRAM,
        description=_DESCRIPTION,
        epilog=_EXAMPLES + "".join(f"  {code:<3}  {meaning}\n" for code, meaning in exits.MEANINGS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    share(parser, "assignments_before")
    parser.set_defaults(command=None, config=None, debug=False, assignments_before=[], assignments=[])
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for command in commands:
        subparser = subparsers.add_parser(
            command.name,
            help=command.help,
            description=f"{command.help[0].upper()}{command.help[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        subparser.declare = partial(_declare, command, subparser)
    return parser


def _declare(listed: Listed, parser: Parser) -> None:
    command = listed.load()
    parser.set_defaults(command=command)
    command.configure(parser)
    share(parser, "assignments")


def share(parser: argparse.ArgumentParser, assignments: str) -> None:
    """Declare the options that every command takes; `assignments` names where those of `--set` go."""
    group = parser.add_argument_group("options of every command")
    # Without defaults of its own a command's parser leaves what stood before its name as it is; only a list
    # would be begun anew, so each of the two places has its own.
    suppress = argparse.SUPPRESS
    group.add_argument("--config", metavar="FILE", type=Path, default=suppress, help="take settings from a TOML file")
    group.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest=assignments,
        action="append",
        default=suppress,
        help="change one setting, for example limits.max_bytes=5000000; may be repeated",
    )
    group.add_argument("--debug", action="store_true", default=suppress, help="show the traceback of an error")
