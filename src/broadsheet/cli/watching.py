"""Show the progress of a crawl; Ctrl-C once finishes the pages in flight, twice stops at once."""

import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console as RichConsole
from rich.console import ConsoleOptions, Group, RenderableType
from rich.live import Live
from rich.segment import Segment
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from broadsheet.base import counter_names
from broadsheet.base.safe_text import escaped
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import clean
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import Pulse
from broadsheet.newsroom.progress import Progress

#: Without a terminal, a line is logged this often.
SECONDS_BETWEEN_LINES = 60.0
LATEST_SHOWN = 5


class Screen(RichConsole):
    """A rich console that escapes control sequences in text from pages."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments to show; all but rich's own control segments are escaped."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escaped(segment.text))


class InterruptHandler:
    """The signal handler of a crawl; `times` counts the signals received."""

    def __init__(self, crawl: Crawl, console: Console) -> None:
        """Set the crawl to stop and the console for messages."""
        self._crawl = crawl
        self._console = console
        self.times = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Finish the pages in flight the first time, stop the second, and kill the process the third."""
        del number, frame
        self.times += 1
        if self.times == 1:
            self._crawl.finish()
            self._console.warning("finishing the pages in flight; press Ctrl-C again to stop now")
        else:
            self._crawl.now()


@contextmanager
def interruptible(crawl: Crawl, console: Console) -> Iterator[InterruptHandler]:
    """Let SIGINT and SIGTERM stop the crawl gracefully inside the `with` block."""
    handler = InterruptHandler(crawl, console)
    previous = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield handler
    finally:
        for number, original in previous.items():
            signal.signal(number, original)


def watch(crawl: Crawl, console: Console) -> Progress:
    """Show the progress of a crawl until it ends, and return its final progress."""
    if console.screen is None:
        return _log(crawl, console)
    progress, pulse, latest = Progress(), Pulse(), deque[str](maxlen=LATEST_SHOWN)
    screen = Screen(
        file=console.screen.stream,
        width=console.width,
        highlight=False,
        color_system="auto" if console.colours else None,
    )
    with Live(_panel(progress, pulse, latest), console=screen, transient=True, refresh_per_second=4) as live:
        for report in crawl.reports():
            if isinstance(report, Pulse):
                pulse = report
            else:
                progress = report
            if progress.latest and (not latest or latest[-1] != progress.latest):
                latest.append(progress.latest)
            live.update(_panel(progress, pulse, latest))
    return progress


def _log(crawl: Crawl, console: Console) -> Progress:
    progress, pulse, last = Progress(), Pulse(), console.clock.monotonic()
    for report in crawl.reports():
        if isinstance(report, Pulse):
            pulse = report
        else:
            progress = report
        if console.clock.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = console.clock.monotonic()
            numbers = ", ".join(f"{value} {name}" for name, value in _numbers(progress, pulse))
            console.message(f"{progress.now[:19]}: {numbers}" if progress.now else numbers)
    return progress


def _panel(progress: Progress, pulse: Pulse, latest: deque[str]) -> RenderableType:
    moment = progress.now[:16].replace("T", " ")
    table = Table.grid(padding=(0, 2))
    numbers = list(_numbers(progress, pulse))
    for _ in numbers:
        table.add_column(justify="right")
    table.add_row(*(Text(value, style="bold") for _, value in numbers))
    table.add_row(*(Text(name, style="dim") for name, _ in numbers))
    failing = (_line(f"{incident.url}: {incident.detail}", "red") for incident in progress.failing.values())
    headlines = (_line(title, "dim") for title in latest)
    return Group(Spinner("dots", Text(f" following the news {moment}")), table, *failing, *headlines)


def _line(text: str, style: str) -> Text:
    return Text(f"  {clean(text)}", style=style, overflow="ellipsis", no_wrap=True)


def _numbers(progress: Progress, pulse: Pulse) -> Iterator[tuple[str, str]]:
    """Yield the numbers as of the last commit, and those in flight: before the first commit, the only sign of life."""
    yield counter_names.SNAPSHOTS, f"{progress.snapshots:,}"
    yield counter_names.SECTIONS, f"{progress.sections:,}"
    yield counter_names.ARTICLES, f"{progress.articles:,}"
    yield counter_names.REQUESTS, f"{progress.requests:,}"
    yield counter_names.IN_FLIGHT, f"{pulse.in_flight:,}"
    yield counter_names.UNCHANGED, f"{progress.unchanged:,}"
    yield f"mega{counter_names.BYTES}", f"{progress.bytes / 1e6:,.1f}"
    yield counter_names.FAILED, f"{sum(progress.failures.values()):,}"
    yield counter_names.SKIPPED, f"{sum(progress.skips.values()):,}"
