"""A line that says how far work on many pages is, where somebody watches."""

from broadsheet.base.clock import Clock
from broadsheet.cli.terminal import Terminal
from broadsheet.cli.text_table import clip

#: Short work needs no progress, and a line that changes more often cannot be read.
SECONDS_BETWEEN_UPDATES = 0.25

BAR = 24

ERASE_LINE = "\r\x1b[K"


class Meter:
    """Draws one line again and again: a bar, what was done and failed, how fast, and how long it will still take."""

    def __init__(self, screen: Terminal | None, total: int, clock: Clock, width: int) -> None:
        """Take how many inputs there are; without a screen nothing is drawn."""
        self._screen = screen
        self._total = max(total, 1)
        self._clock = clock
        self._width = width
        self._begin = self._last = clock.monotonic()
        self._reached = 0.0
        self._shown = False

    def reach(self, inputs: float) -> None:
        """Say how many inputs were taken up; part of one, where it holds many pages."""
        self._reached = inputs

    def count(self, done: int, failed: int) -> None:
        """Say how many pages were done, and how many failed."""
        now = self._clock.monotonic()
        if self._screen and now - self._last >= SECONDS_BETWEEN_UPDATES:
            self._last = now
            line = clip(self._line(done, failed, now - self._begin), self._width - 1)
            self._screen.control(ERASE_LINE)
            self._screen.write(line)
            self._screen.flush()
            self._shown = True

    def erase(self) -> None:
        """Make room for another line."""
        if self._screen and self._shown:
            self._screen.control(ERASE_LINE)
            self._screen.flush()
            self._shown = False

    def _line(self, done: int, failed: int, seconds: float) -> str:
        share = min(self._reached / self._total, 1.0)
        filled = round(share * BAR)
        parts = [f"[{'#' * filled}{'.' * (BAR - filled)}] {share:.0%}", f"{done:,} pages", f"{done / seconds:,.0f}/s"]
        if failed:
            parts.append(f"{failed:,} failed")
        if share:
            left = round(seconds / share - seconds)
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        return "  ".join(parts)
