"""Where a command's words go: results to standard output, everything else to standard error."""

import json
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO, TextIO, TypeVar

from broadsheet.base.clock import Clock
from broadsheet.cli import terminal_colours
from broadsheet.cli.invocation import PROGRAM
from broadsheet.cli.meters import ERASE_LINE, SECONDS_BETWEEN_UPDATES, Meter
from broadsheet.cli.terminal import Terminal, guarded
from broadsheet.cli.terminal_colours import Colour
from broadsheet.cli.text_table import Row, clean, clip, harmless, render

#: A table is not longer than this.
ROWS_A_TABLE = 5_000

T = TypeVar("T")


class Console:
    """Tables on a terminal, JSON lines when piped; messages and progress on standard error."""

    def __init__(self, stdin: BinaryIO, stdout: TextIO, stderr: TextIO, clock: Clock, width: int) -> None:
        """Take the three streams; whether one is a terminal decides how it is written to."""
        self.stdin = stdin
        self.width = width
        self.debug = False
        #: Whether messages that report nothing wrong are left out.
        self.quiet = False
        #: Whether what goes to a terminal may have colours.
        self.colours = False
        #: What a person types to call the program, for advice.
        self.called = PROGRAM
        self.is_terminal = stdout.isatty()
        #: For documents that are neither tables nor JSON lines.
        self.stdout = guarded(stdout)
        self.stderr = guarded(stderr)
        #: Where progress is drawn; None where nobody watches.
        self.screen = Terminal(stderr) if stderr.isatty() else None
        self._progress_shown = False
        self._meter: Meter | None = None
        self.clock = clock

    def rows(self, rows: Iterable[Row], columns: Sequence[str] | None = None) -> None:
        """Write results: all as a table of some columns, or each whole as a line of JSON, at once."""
        if self.is_terminal:
            source = iter(rows)
            # Very many rows are several tables: they need not all be held to know how wide the columns are.
            while table := list(islice(source, ROWS_A_TABLE)):
                header, rule, *lines = render(table, self.width, columns)
                self._erase_progress()
                self._write(self.stdout, f"{header}\n", Colour.HEADING)
                self._write(self.stdout, f"{rule}\n", Colour.FAINT)
                self.stdout.writelines(line + "\n" for line in lines)
            return
        for row in rows:
            self.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")

    def text(self, line: str = "") -> None:
        """Write a line for people, who alone want it: nothing where the output is piped."""
        if self.is_terminal:
            self._erase_progress()
            self.stdout.write(clip(harmless(line), self.width) + "\n")

    def heading(self, line: str) -> None:
        """Write a line that stands above others, for people."""
        if self.is_terminal:
            self._erase_progress()
            self._write(self.stdout, clip(harmless(line), self.width) + "\n", Colour.HEADING)

    def message(self, text: str) -> None:
        """Say in one line on standard error how things go, unless nobody wants to know."""
        if not self.quiet:
            self._say(text, Colour.FAINT)

    def warning(self, text: str) -> None:
        """Say in one line on standard error what may be wrong, and does not end the work."""
        self._say(text, Colour.WARNING)

    def failure(self, error: Exception, text: str) -> None:
        """Write what went wrong in one line, after the traceback if that was asked for."""
        self.refusal(text, "".join(traceback.format_exception(error)))

    def refusal(self, text: str, trace: str) -> None:
        """Write what went wrong in one line, after a traceback that was written elsewhere if that was asked for."""
        if self.debug:
            self._erase_progress()
            self.stderr.write(trace)
        self._say(text, Colour.ERROR)

    @contextmanager
    def meter(self, total: int) -> Iterator[Meter]:
        """Show how far work on so many things is, in a way that other lines do not disturb, while inside."""
        self._meter = Meter(self.screen, total, self.clock, self.width)
        try:
            yield self._meter
        finally:
            self._meter.erase()
            self._meter = None

    def track(self, items: Sequence[T]) -> Iterator[T]:
        """Give the items one by one and show how far the work is, where a person watches and waits."""
        last = self.clock.monotonic()
        try:
            for done, item in enumerate(items):
                now = self.clock.monotonic()
                if self.screen and len(items) > 1 and now - last >= SECONDS_BETWEEN_UPDATES:
                    self.screen.control(ERASE_LINE)
                    self.screen.write(f"{done:,} of {len(items):,}")
                    self.screen.flush()
                    self._progress_shown = True
                    last = now
                yield item
        finally:
            self._erase_progress()

    def flush(self) -> None:
        """Hand everything written to the operating system, so that a failure shows here and not later."""
        self.stdout.flush()

    def _say(self, text: str, colour: Colour) -> None:
        self._erase_progress()
        self._write(self.stderr, f"{PROGRAM}:", colour)
        self.stderr.write(f" {clean(text)}\n")

    def _write(self, stream: TextIO, text: str, colour: Colour) -> None:
        if self.colours:
            terminal_colours.write(stream, text, colour)
        else:
            stream.write(text)

    def _erase_progress(self) -> None:
        if self._meter:
            self._meter.erase()
        if self.screen and self._progress_shown:
            self.screen.control(ERASE_LINE)
            self.screen.flush()
            self._progress_shown = False
