"""The command line's grammar: what all commands share, and each command's own part."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Self

from broadsheet._version import __version__
from broadsheet.cli import exits
from broadsheet.cli.command import Listed
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
        self.declared()
        found, rest = super().parse_known_args(args, namespace)
        many = [action for action in self._get_positional_actions() if action.nargs in ("*", "+")]
        if many and rest and all(argument == "-" or not argument.startswith("-") for argument in rest):
            setattr(found, many[-1].dest, [*getattr(found, many[-1].dest), *rest])
            return found, []
        return found, rest

    def declared(self) -> Self:
        """Return the parser with all its arguments."""
        if self.declare:
            declare, self.declare = self.declare, None
            declare()
        return self

    @property
    def options(self) -> Mapping[str, argparse.Action]:
        """The options, by each of their names."""
        return self._option_string_actions

    @property
    def positionals(self) -> Sequence[argparse.Action]:
        """The other arguments, in their order."""
        return self._get_positional_actions()

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
        subparser.declare = partial(_declare, command, subparser)
    return parser


def _declare(listed: Listed, parser: Parser) -> None:
    command = listed.load()
    parser.set_defaults(command=command)
    command.configure(parser)
    share(parser, "assignments")


def share(parser: argparse.ArgumentParser, assignments: str) -> None:
    """Declare the options that every command takes; `assignments` names where those of `--set` go."""
    group = parser.add_argument_group("options for every command")
    # Without defaults of its own a command's parser leaves what stood before its name as it is; only a list
    # would be begun anew, so each of the two places has its own.
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
