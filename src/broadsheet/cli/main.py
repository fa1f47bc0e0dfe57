"""The program: from arguments to an exit code, with one clear line for whatever goes wrong."""

import io
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import BinaryIO, TextIO

from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import BroadsheetError
from broadsheet.cli import exits, terminal_colours
from broadsheet.cli.command import UsageError
from broadsheet.cli.commands import COMMANDS
from broadsheet.cli.console import Console
from broadsheet.cli.invocation import PROGRAM, invocation
from broadsheet.cli.parser import build
from broadsheet.cli.signals import Ended, orderly_end
from broadsheet.cli.suggestions import ASKING, suggest


def run() -> None:
    """Run the program on the process's own arguments and streams, and leave with its exit code."""
    # A stream that was closed before we began is None here, whatever its type says.
    stdin = getattr(sys.stdin, "buffer", None) or io.BytesIO()
    stdout, stderr = (_lenient(stream or io.StringIO()) for stream in (sys.stdout, sys.stderr))
    called = invocation(sys.argv[0], sys.orig_argv)
    with orderly_end():
        code = main(sys.argv[1:], stdin, stdout, stderr, os.environ, called=called)
    try:
        stdout.flush()
    except OSError:
        # It was reported already; the interpreter must not stumble over the same bytes again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
    sys.exit(code)


def main(  # noqa: PLR0913 - all that a process has, so that a test can give it
    argv: Sequence[str],
    stdin: BinaryIO,
    stdout: TextIO,
    stderr: TextIO,
    environment: Mapping[str, str],
    *,
    called: str = PROGRAM,
) -> int:
    """Run one command on the given streams and return its exit code; `called` is what calls the program again."""
    console = Console(stdin, stdout, stderr, SystemClock(), shutil.get_terminal_size((100, 24)).columns)
    console.called = called
    # What the parser and libraries write has to pass the guard too.
    with redirect_stdout(console.stdout), redirect_stderr(console.stderr):
        parser = build(COMMANDS)
        if ASKING in environment:
            stdout.writelines(f"{suggestion}\n" for suggestion in suggest(parser, argv))
            return exits.DONE
        try:
            args = parser.parse_args(argv)
        except SystemExit as leaving:
            return int(leaving.code or exits.DONE)
        if args.command is None:
            parser.print_help(console.stderr)
            return exits.USAGE
        console.debug, console.quiet = args.debug, args.quiet
        console.colours = terminal_colours.are_wanted(environment) and not args.no_color
        if args.quiet or environment.get("TERM") == "dumb":
            # A line that is drawn again and again needs a terminal that can erase.
            console.screen = None
        return _execute(args, console, environment)


def _execute(args: Namespace, console: Console, environment: Mapping[str, str]) -> int:
    # Only a command needs settings, and help should not wait for what they are made of.
    from broadsheet.base import config  # noqa: PLC0415

    try:
        args.configuration = config.load(
            environment, Path.cwd(), args.config, [*args.assignments_before, *args.assignments]
        )
        code: int = args.command.execute(args, console)
        console.flush()
    except BrokenPipeError:
        # Whoever reads our output has seen enough, as `head` does.
        return exits.DONE
    except KeyboardInterrupt:
        console.warning("interrupted")
        return exits.INTERRUPTED
    except Ended as ended:
        console.warning(f"ended by {ended.signal}")
        raise
    except Exception as error:  # noqa: BLE001 - the last resort: a person gets one line, --debug the traceback
        console.failure(error, _describe(error, console.debug))
        return exits.USAGE if isinstance(error, UsageError) else exits.FAILED
    return code


def _describe(error: Exception, debug: bool) -> str:
    if isinstance(error, BroadsheetError):
        return str(error)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}"
    hint = "" if debug else " (run it again with --debug to see where)"
    return f"unexpected {type(error).__name__}: {error}{hint}"


def _lenient(stream: TextIO) -> TextIO:
    """Let no character that the terminal lacks end the program, and write JSON in UTF-8 wherever it goes."""
    if isinstance(stream, io.TextIOWrapper):
        # What UTF-8 cannot hold, parts of file names that are not text, is escaped as JSON does it.
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    return stream
