"""A progress bar for work on many pages."""

from broadsheet.base.clock import Clock
from broadsheet.cli.terminal import Terminal
from broadsheet.cli.text_table import clip

#: Short work needs no progress bar, and faster updates would be unreadable.
SECONDS_BETWEEN_UPDATES = 0.25

BAR_WIDTH = 24

ERASE_LINE = "\r\x1b[K"


class Meter:
    """One line redrawn in place: a bar, pages done and failed, pages per second and the time left."""

    def __init__(self, screen: Terminal | None, total: int, clock: Clock, width: int) -> None:
        """Start at zero of `total` inputs; nothing is drawn without a screen."""
        self._screen = screen
        self._total = max(total, 1)
        self._clock = clock
        self._width = width
        self._started = self._last = clock.monotonic()
        self._reached = 0.0
        self._is_drawn = False

    def reach(self, inputs: float) -> None:
        """Set how many inputs have been read; a fraction if one contains many pages."""
        self._reached = inputs

    def count(self, done: int, failed: int) -> None:
        """Redraw the line with the numbers of pages done and failed, unless that was just done."""
        now = self._clock.monotonic()
        if self._screen and now - self._last >= SECONDS_BETWEEN_UPDATES:
            self._last = now
            line = clip(self._line(done, failed, now - self._started), self._width - 1)
            self._screen.control(ERASE_LINE)
            self._screen.write(line)
            self._screen.flush()
            self._is_drawn = True

    def erase(self) -> None:
        """Erase the line before other output."""
        if self._screen and self._is_drawn:
            self._screen.control(ERASE_LINE)
            self._screen.flush()
            self._is_drawn = False

    def _line(self, done: int, failed: int, seconds: float) -> str:
        share = min(self._reached / self._total, 1.0)
        filled = round(share * BAR_WIDTH)
        parts = [
            f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {share:.0%}",
            f"{done:,} {'page' if done == 1 else 'pages'}",
            f"{done / seconds:,.0f}/s",
        ]
        if failed:
            parts.append(f"{failed:,} failed")
        if share:
            left = round(seconds / share - seconds)
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        return "  ".join(parts)
