"""When a browser is replaced and when it is ended, shown with drivers that have none."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.crawling.rendering import Renderer, RenderFailed, RenderLimits
from broadsheet.crawling.rendering._processes import with_command_line
from tests.crawling.standin import ANSWER, GONE, TOOK

Make = Callable[..., Renderer]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The file that says what each driver does, beginning with the first that is started."""
    return tmp_path / "script"


@pytest.fixture
def make(script: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Make a renderer whose drivers do what is said, one after the other."""
    monkeypatch.setattr("broadsheet.crawling.rendering._browser._DRIVER", "tests.crawling.standin")
    monkeypatch.setattr("broadsheet.crawling.rendering._renderer.find_browser", str)

    def renderer(*ways: str, pages_per_browser: int = 100) -> Renderer:
        script.write_text("\n".join(ways), encoding="utf-8")
        return Renderer(RenderLimits(max_seconds=30), executable=script, pages_per_browser=pages_per_browser)

    return renderer


def test_a_page_that_a_browser_never_took_up_is_given_to_the_next(make: Make, script: Path) -> None:
    with make(GONE, ANSWER) as renderer:
        assert renderer.render("<p>x").html == "<p>x"
        assert renderer.render("<p>y").html == "<p>y"

    assert script.read_text(encoding="utf-8") == ""


def test_a_long_page_that_was_not_read_to_its_end_is_given_to_the_next(make: Make) -> None:
    page = "<p>" + "x" * 5_000_000

    with make(GONE, ANSWER) as renderer:
        assert renderer.render(page).html == page


def test_a_page_is_tried_on_no_more_than_two_browsers(make: Make, script: Path) -> None:
    with make(GONE, GONE, ANSWER) as renderer:
        with pytest.raises(RenderFailed, match="exited before it received the page"):
            renderer.render("<p>x")
        assert script.read_text(encoding="utf-8") == ANSWER
        assert renderer.render("<p>next").html == "<p>next"


def test_a_page_that_crashed_its_browser_is_not_retried(make: Make, script: Path) -> None:
    with make(TOOK, ANSWER) as renderer:
        with pytest.raises(RenderFailed, match="exited while it was rendering the page"):
            renderer.render("<p>x")
        assert script.read_text(encoding="utf-8") == ANSWER
        assert renderer.render("<p>next").html == "<p>next"


def test_a_browser_is_replaced_after_its_share_of_pages(make: Make, script: Path) -> None:
    left = []
    with make(ANSWER, ANSWER, ANSWER, pages_per_browser=2) as renderer:
        for number in range(4):
            assert renderer.render(f"<p>{number}").html == f"<p>{number}"
            left.append(len(script.read_text(encoding="utf-8").splitlines()))

    assert left == [2, 2, 1, 1]


def test_a_forgotten_renderer_leaves_nothing(make: Make, script: Path) -> None:
    renderer = make(ANSWER)
    renderer.render("<p>x")
    assert len(with_command_line(str(script))) == 1

    del renderer

    assert with_command_line(str(script)) == []


PROGRAM = """
import sys
from broadsheet.crawling.rendering import _browser as browser, _renderer as renderer
browser._DRIVER, renderer.find_browser = "tests.crawling.standin", str
kept = renderer.Renderer(executable=sys.argv[1])
print(kept.render("<p>x").html)
"""


def test_a_program_that_never_closes_its_renderer_leaves_nothing(script: Path, short_path: Path) -> None:
    script.write_text(ANSWER, encoding="utf-8")

    ended = subprocess.run(  # noqa: S603 - a command of our own
        [sys.executable, "-c", PROGRAM, str(script)],
        env={**os.environ, "TMPDIR": str(short_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        timeout=600,
        check=False,
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"<p>x\n", b"")
    assert with_command_line(str(script)) == []
    assert list(short_path.iterdir()) == []
