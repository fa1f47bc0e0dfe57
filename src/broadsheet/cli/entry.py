"""Where the program starts: a Ctrl-C that comes while it is still being loaded must not end in a traceback."""

import sys

from broadsheet.cli import exits


def start() -> None:
    """Load the program and run it on the process's own arguments and streams."""
    try:
        # Loading takes longer than most commands, so it has to happen under the same guard as they do.
        from broadsheet.cli.main import run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        if sys.stderr:
            sys.stderr.write("broadsheet: interrupted\n")
        sys.exit(exits.INTERRUPTED)
