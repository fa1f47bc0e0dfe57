"""Runs a command: from arguments to an exit code, with one line for every error."""

import io
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
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
from broadsheet.cli.signals import Terminated, graceful_termination
from broadsheet.cli.suggestions import COMPLETION_VARIABLE, suggest


def run() -> None:
    """Run the program with the arguments and streams of this process, and exit with its code."""
    # A stream that was closed before the program started is None, although its type does not allow it.
    stdin = getattr(sys.stdin, "buffer", None) or io.BytesIO()
    stdout, stderr = (_escape_unencodable(stream or io.StringIO()) for stream in (sys.stdout, sys.stderr))
    called = invocation(sys.argv[0], sys.orig_argv)
    with graceful_termination():
        code = main(sys.argv[1:], stdin, stdout, stderr, os.environ, called=called)
    try:
        stdout.flush()
    except OSError:
        # The error has been reported; without this, the interpreter would fail on the same bytes again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
    sys.exit(code)


def main(  # noqa: PLR0913 - everything that a process provides, so that tests can replace it
    argv: Sequence[str],
    stdin: BinaryIO,
    stdout: TextIO,
    stderr: TextIO,
    environment: Mapping[str, str],
    *,
    called: str = PROGRAM,
) -> int:
    """Run one command with the given streams and return its exit code; `called` is how a user runs the program."""
    console = Console(stdin, stdout, stderr, SystemClock(), shutil.get_terminal_size((100, 24)).columns)
    console.called = called
    # The parser and libraries write here too, and their output must be escaped as well.
    with redirect_stdout(console.stdout), redirect_stderr(console.stderr):
        parser = build(COMMANDS)
        if COMPLETION_VARIABLE in environment:
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
        console.colours = terminal_colours.are_enabled(environment) and not args.no_color
        if args.quiet or environment.get("TERM") == "dumb":
            # Progress is redrawn in place, which needs a terminal that can erase a line.
            console.screen = None
        return _execute(args, console, environment)


def _execute(args: Namespace, console: Console, environment: Mapping[str, str]) -> int:
    # Imported late, because only commands need settings and help should appear at once.
    from broadsheet.base import config  # noqa: PLC0415

    try:
        assigned = [*args.assignments_before, *args.assignments]
        # A crawl reads it again when it is told to.
        args.read_configuration = partial(config.load, environment, Path.cwd(), args.config, assigned)
        args.configuration = args.read_configuration()
        code: int = args.command.execute(args, console)
        console.flush()
    except BrokenPipeError:
        # The reader closed the pipe early, as `head` does.
        return exits.DONE
    except KeyboardInterrupt:
        console.warning("interrupted")
        return exits.INTERRUPTED
    except Terminated as terminated:
        console.warning(f"terminated by {terminated.signal}")
        raise
    except Exception as error:  # noqa: BLE001 - the last resort: one line for people, the traceback with --debug
        console.failure(error, _describe(error, console.debug))
        return exits.USAGE if isinstance(error, UsageError) else exits.FAILED
    return code


def _describe(error: Exception, debug: bool) -> str:
    if isinstance(error, BroadsheetError):
        return str(error)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}"
    hint = "" if debug else " (run it again with --debug for the traceback)"
    return f"unexpected {type(error).__name__}: {error}{hint}"


def _escape_unencodable(stream: TextIO) -> TextIO:
    """Escape characters that the encoding lacks instead of failing, and use UTF-8 unless writing to a terminal."""
    if isinstance(stream, io.TextIOWrapper):
        # UTF-8 lacks the surrogates that stand for undecodable bytes in file names; they are escaped as in JSON.
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    return stream
