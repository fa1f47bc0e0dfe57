"""Output of a command: results on standard output, everything else on standard error."""

import json
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import BinaryIO, TextIO, TypeVar

from broadsheet.base.clock import Clock
from broadsheet.cli import terminal_colours
from broadsheet.cli.invocation import PROGRAM
from broadsheet.cli.meters import ERASE_LINE, SECONDS_BETWEEN_UPDATES, Meter
from broadsheet.cli.terminal import Terminal, guard
from broadsheet.cli.terminal_colours import Colour
from broadsheet.cli.text_table import Row, clean, clip, render, strip_controls, wrap

#: More rows than this are written as several tables.
MAX_TABLE_ROWS = 5_000

T = TypeVar("T")


class Console:
    """Tables on a terminal, JSON lines when piped; messages and progress on standard error."""

    def __init__(self, stdin: BinaryIO, stdout: TextIO, stderr: TextIO, clock: Clock, width: int) -> None:
        """Wrap the three streams; those that are terminals are written to differently."""
        self.stdin = stdin
        self.width = width
        self.debug = False
        #: Whether to leave out messages that are neither warnings nor errors.
        self.quiet = False
        #: Whether to use colours on a terminal.
        self.colours = False
        #: The command that runs the program, for use in suggestions.
        self.called = PROGRAM
        self.is_terminal = stdout.isatty()
        #: Whether somebody sees a question: standard error is a terminal, whatever is drawn there.
        self.asks = stderr.isatty()
        #: Whether a person may be watching, on either stream.
        self.has_terminal = stdout.isatty() or stderr.isatty()
        #: For documents that are neither tables nor JSON lines.
        self.stdout = guard(stdout)
        self.stderr = guard(stderr)
        #: Where progress is drawn; None if standard error is not a terminal.
        self.screen = Terminal(stderr) if stderr.isatty() else None
        self._progress_shown = False
        self._meter: Meter | None = None
        self.clock = clock

    def rows(
        self,
        rows: Iterable[Row],
        columns: Sequence[str] | None = None,
        *,
        spare: Sequence[str] = (),
        if_none: str = "",
    ) -> None:
        """Write results: a table of selected columns on a terminal, otherwise one full JSON object per line.

        If there are none, a terminal shows a message instead. A narrow one shows no `spare` columns.
        """
        if self.is_terminal:
            source = iter(rows)
            first = list(islice(source, 1))
            if if_none and not first:
                self.message(if_none)
            source = chain(first, source)
            # Column widths depend on all rows of a table, so a long result is split to bound memory.
            while table := list(islice(source, MAX_TABLE_ROWS)):
                header, rule, *lines = render(table, self.width, columns, spare)
                self._erase_progress()
                self._write(self.stdout, f"{header}\n", Colour.HEADING)
                self._write(self.stdout, f"{rule}\n", Colour.FAINT)
                self.stdout.writelines(line + "\n" for line in lines)
            return
        for row in rows:
            self.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")

    def text(self, line: str = "") -> None:
        """Write a line for people, on several if it is too long; nothing if the output is piped."""
        if self.is_terminal:
            self._erase_progress()
            for part in wrap(strip_controls(line), self.width):
                self.stdout.write(clip(part, self.width) + "\n")

    def heading(self, line: str) -> None:
        """Write a heading for people; nothing if the output is piped."""
        if self.is_terminal:
            self._erase_progress()
            self._write(self.stdout, clip(strip_controls(line), self.width) + "\n", Colour.HEADING)

    def marked(self, text: str, colour: Colour) -> None:
        """Write a part of a line to standard output, in a colour if colours are used."""
        self._erase_progress()
        self._write(self.stdout, text, colour)

    def message(self, text: str) -> None:
        """Write an informational line to standard error, unless the console is quiet."""
        if not self.quiet:
            self._write_message(text, Colour.FAINT)

    def warning(self, text: str) -> None:
        """Write a warning to standard error."""
        self._write_message(text, Colour.WARNING)

    def ask(self, question: str) -> None:
        """Write a question to standard error, on which an answer can follow."""
        self._erase_progress()
        self.stderr.write(clean(question).rstrip() + " ")
        self.stderr.flush()

    def failure(self, error: Exception, text: str) -> None:
        """Write an error in one line, preceded by its traceback if debugging."""
        self.report_error(text, "".join(traceback.format_exception(error)))

    def report_error(self, text: str, trace: str) -> None:
        """Write an error in one line, preceded by an already formatted traceback if debugging."""
        if self.debug:
            self._erase_progress()
            self.stderr.write(trace)
        self._write_message(text, Colour.ERROR)

    @contextmanager
    def meter(self, total: int) -> Iterator[Meter]:
        """Show a progress bar inside the `with` block; other output erases it first."""
        self._meter = Meter(self.screen, total, self.clock, self.width)
        try:
            yield self._meter
        finally:
            self._meter.erase()
            self._meter = None

    def track(self, items: Sequence[T]) -> Iterator[T]:
        """Yield the items and show how many are done, if standard error is a terminal."""
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
        """Flush standard output, so that a write error is raised here and not at exit."""
        self.stdout.flush()

    def _write_message(self, text: str, colour: Colour) -> None:
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
