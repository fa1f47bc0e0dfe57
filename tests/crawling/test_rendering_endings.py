"""Pages that never end and programs that do: time and memory stay capped, and no browser is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from broadsheet.crawling.rendering import (
    Renderer,
    RenderError,
    RenderFailed,
    RenderLimits,
    RenderTimeout,
    RenderTooLarge,
    RenderTooMuchMemory,
)
from broadsheet.crawling.rendering._processes import descendants, with_command_line
from tests.crawling.browsers import Reply, requires_browser, serving

pytestmark = [requires_browser, pytest.mark.long]

SHORT = RenderLimits(max_seconds=10, max_memory=1_000_000_000, quiet_seconds=0.2)
PATIENT = RenderLimits(max_seconds=30, quiet_seconds=0.2)
DRIVER = "broadsheet.crawling.rendering.driver"
#: Of Chromium's processes only the first is told this.
CHROMIUM = "--remote-debugging-pipe"
HANGING = "<p>x<script>for (;;);</script>"
ENDLESS = "setInterval(() => document.body.append(document.createElement('hr')), 20)"


@pytest.fixture(scope="module")
def short_renderer() -> Iterator[Renderer]:
    """A renderer with little patience, which all pages here try."""
    with Renderer(SHORT) as renderer:
        yield renderer


def seconds_of(action: Callable[[], object]) -> float:
    start = time.monotonic()
    action()
    return time.monotonic() - start


def wait_until(condition: Callable[[], object], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def browsers(folder: Path) -> list[int]:
    return with_command_line(f"{folder}{os.sep}")


def process(folder: Path, mark: str) -> int:
    """The one process of a browser that has a mark; their numbers tell nothing, as these begin anew now and then."""
    # A process that it is just starting looks like itself for a moment.
    end = time.monotonic() + 200
    while len(found := {*browsers(folder)} & {*with_command_line(mark)}) != 1 and time.monotonic() < end:
        time.sleep(0.05)
    [pid] = found
    return pid


@pytest.mark.parametrize(
    "page",
    [
        HANGING,
        pytest.param("<script>for (;;) document.write('<p>')</script>", marks=pytest.mark.soak),
        pytest.param("<script>for (;;) alert()</script>", marks=pytest.mark.soak),
    ],
    ids=["loop", "document.write", "alert"],
)
def test_a_page_that_hangs_is_ended_and_the_next_one_is_rendered(short_renderer: Renderer, page: str) -> None:
    def attempt() -> None:
        with pytest.raises((RenderTimeout, RenderTooLarge, RenderTooMuchMemory)):
            short_renderer.render(page)

    short_renderer.render("<p>the browser runs")

    assert seconds_of(attempt) < SHORT.max_seconds + 5
    assert "<p>next</p>" in short_renderer.render("<p>next").html


def test_a_page_that_never_settles_is_taken_as_it_is(short_renderer: Renderer) -> None:
    rendered = short_renderer.render(f"<body><script>{ENDLESS}</script>")

    assert not rendered.settled
    assert rendered.html.count("<hr>") > 10
    assert SHORT.settle_seconds <= rendered.elapsed < SHORT.max_seconds


def test_a_clock_in_the_page_does_not_keep_it_from_resting(short_renderer: Renderer) -> None:
    page = "<p id=a>12:00:00</p><script>setInterval(() => a.textContent = '12:00:01', 50)</script>"

    assert short_renderer.render(page).settled


def test_memory_is_capped() -> None:
    page = """<script>
      const kept = [];
      setInterval(() => {
        kept.push(new Uint8Array(50_000_000).fill(1));
        document.documentElement.append('more');
      }, 10);
    </script>"""

    # On a busy machine the browser may need long to take so much.
    capped = Renderer(replace(SHORT, max_seconds=120))
    with capped as renderer, pytest.raises(RenderTooMuchMemory, match="1,000,000,000 is allowed"):
        renderer.render(page)


def test_closing_leaves_nothing_and_twice_does_no_harm(browser_folder: Path) -> None:
    before = browsers(browser_folder)
    renderer = Renderer(PATIENT)

    def fail() -> None:
        with renderer:
            renderer.render("<p>x")
            assert len(browsers(browser_folder)) > len(before)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    renderer.close()

    assert browsers(browser_folder) == before
    with pytest.raises(RenderError, match="closed"):
        renderer.render("<p>x")


def test_a_browser_that_was_killed_is_replaced(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(short_path))
    with Renderer(PATIENT, allow_loopback=True) as renderer, serving({"/begun": Reply()}) as site:
        renderer.render("<p>x")
        driver = process(short_path, DRIVER)
        os.kill(process(short_path, CHROMIUM), signal.SIGKILL)
        wait_until(lambda: driver not in browsers(short_path))
        assert "<p>next</p>" in renderer.render("<p>next").html

        # Killing the driver itself while it works: its browser must not be left either.
        def kill() -> None:
            wait_until(lambda: site.hits["/begun"])
            os.kill(process(short_path, DRIVER), signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(RenderFailed, match="exited while it was rendering the page"):
            renderer.render(f"<body><script>fetch('/begun'); {ENDLESS}</script>", site.url)
        killer.join()
        assert browsers(short_path) == []

    assert browsers(short_path) == []
    assert list(short_path.iterdir()) == []


def test_two_renderers_and_two_threads_do_not_meet(renderer: Renderer, short_renderer: Renderer) -> None:
    found: dict[str, bool] = {}

    def work(name: str, renderer: Renderer) -> None:
        html = renderer.render(f"<script>setTimeout(() => document.body.append('{name}'), 100)</script>").html
        found[name] = f"<body>{name}</body>" in html

    threads = [
        threading.Thread(target=work, args=(f"{letter}{number}", one))
        for letter, one in (("a", renderer), ("b", short_renderer))
        for number in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == dict.fromkeys(("a0", "a1", "b0", "b1"), True)


PROGRAM = """
from broadsheet.crawling.rendering import Renderer
renderer = Renderer()
renderer.render("<p>x")
print("ready", flush=True)
renderer.render("<script>for (;;);</script>")
"""


def run_program(folder: Path) -> subprocess.Popen[str]:
    path = os.pathsep.join(sys.path)
    process = subprocess.Popen(  # noqa: S603 - a command of our own
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)]
)
def test_a_program_that_is_ended_while_a_page_hangs_leaves_nothing(short_path: Path, number: signal.Signals) -> None:
    with run_program(short_path) as process:
        time.sleep(0.5)
        assert len(descendants(process.pid)) > 2
        process.send_signal(number)
        _, errors = process.communicate(timeout=200)

    assert process.returncode == -number
    assert ("KeyboardInterrupt" in errors) is (number is signal.SIGINT)
    wait_until(lambda: not browsers(short_path) and not list(short_path.iterdir()))
