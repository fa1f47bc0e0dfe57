"""A crawl with a person at the terminal: live progress, and Ctrl-C once to finish, twice to stop."""

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

from broadsheet.base import events
from broadsheet.base.safe_text import escaped
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import clean
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import Pulse
from broadsheet.newsroom.progress import Progress

#: Where nobody watches, one line now and then says that the crawl is alive.
SECONDS_BETWEEN_LINES = 60.0
LATEST_SHOWN = 5


class Screen(RichConsole):
    """A console of rich's, which writes colours and moves of its own to the terminal and lets pages write none."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Give the segments of whatever is shown; only those that rich made to control the terminal may."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escaped(segment.text))


class Interruption:
    """What Ctrl-C means to a crawl; `times` says how often it was meant."""

    def __init__(self, crawl: Crawl, console: Console) -> None:
        """Take the crawl to stop and the console to say so on."""
        self._crawl = crawl
        self._console = console
        self.times = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Finish the pages in flight the first time, stop the second, and kill what does not listen the third."""
        del number, frame
        self.times += 1
        if self.times == 1:
            self._crawl.finish()
            self._console.warning("finishing the pages in flight; Ctrl-C again stops now")
        else:
            self._crawl.now()


@contextmanager
def interruptible(crawl: Crawl, console: Console) -> Iterator[Interruption]:
    """Let Ctrl-C and a request to terminate stop the crawl in order, while inside."""
    interruption = Interruption(crawl, console)
    before = {number: signal.signal(number, interruption) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def watch(crawl: Crawl, console: Console) -> Progress:
    """Show how a crawl goes until it ends, and return what it did."""
    if console.screen is None:
        return _log(crawl, console)
    progress, pulse, latest = Progress(), Pulse(), deque[str](maxlen=LATEST_SHOWN)
    screen = Screen(
        file=console.screen.stream,
        width=console.width,
        highlight=False,
        color_system="auto" if console.colours else None,
    )
    with Live(_picture(progress, pulse, latest), console=screen, transient=True, refresh_per_second=4) as live:
        for report in crawl.reports():
            if isinstance(report, Pulse):
                pulse = report
            else:
                progress = report
            if progress.latest and (not latest or latest[-1] != progress.latest):
                latest.append(progress.latest)
            live.update(_picture(progress, pulse, latest))
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


def _picture(progress: Progress, pulse: Pulse, latest: deque[str]) -> RenderableType:
    moment = progress.now[:16].replace("T", " ")
    table = Table.grid(padding=(0, 2))
    numbers = list(_numbers(progress, pulse))
    for _ in numbers:
        table.add_column(justify="right")
    table.add_row(*(Text(value, style="bold") for _, value in numbers))
    table.add_row(*(Text(name, style="dim") for name, _ in numbers))
    failing = (_line(f"{each.url}: {each.detail}", "red") for each in progress.failing.values())
    headlines = (_line(title, "dim") for title in latest)
    return Group(Spinner("dots", Text(f" following the news {moment}")), table, *failing, *headlines)


def _line(text: str, style: str) -> Text:
    return Text(f"  {clean(text)}", style=style, overflow="ellipsis", no_wrap=True)


def _numbers(progress: Progress, pulse: Pulse) -> Iterator[tuple[str, str]]:
    """Give what was made durable, and what is in flight: before the first commit that is all there is to see."""
    yield events.ROUNDS, f"{progress.rounds:,}"
    yield events.SECTIONS, f"{progress.sections:,}"
    yield events.ARTICLES, f"{progress.articles:,}"
    yield events.REQUESTS, f"{progress.requests:,}"
    yield events.IN_FLIGHT, f"{pulse.in_flight:,}"
    yield events.UNCHANGED, f"{progress.unchanged:,}"
    yield f"mega{events.BYTES}", f"{progress.bytes / 1e6:,.1f}"
    yield events.FAILED, f"{sum(progress.failures.values()):,}"
    yield events.SKIPPED, f"{sum(progress.skips.values()):,}"
