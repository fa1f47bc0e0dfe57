"""The entry point, which handles Ctrl-C during imports without a traceback."""

import sys

from broadsheet.cli import exits


def start() -> None:
    """Import the program and run it with the arguments and streams of this process."""
    try:
        # Imports take longer than most commands, so Ctrl-C is most likely to arrive here.
        from broadsheet.cli.main import run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        if sys.stderr:
            sys.stderr.write("broadsheet: interrupted\n")
        sys.exit(exits.INTERRUPTED)
