import importlib.util
from pathlib import Path

import pytest

from broadsheet.base.errors import ConfigError, InputError
from broadsheet.crawling.rendering import BrowserFailed, BrowserMissing, Renderer, RenderLimits
from broadsheet.crawling.rendering._executable import find_browser
from tests.crawling.browsers import requires_browser


@pytest.fixture
def _playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)


def test_a_missing_playwright_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(BrowserMissing, match=r"pip install 'broadsheet\[render\]'"):
        Renderer()


@pytest.mark.usefixtures("_playwright")
def test_a_missing_browser_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BrowserMissing, match="apt-get install chromium"):
        Renderer()
    with pytest.raises(BrowserMissing, match="no/such/browser is not an executable"):
        Renderer(executable="no/such/browser")
    # Where the browser is missing, all pages fail alike: nothing is gained by trying the next one.
    assert not issubclass(BrowserMissing, InputError)


@pytest.mark.usefixtures("_playwright")
def test_the_first_known_name_on_the_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("google-chrome", "chromium"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert find_browser() == str(tmp_path / "chromium")
    assert find_browser("google-chrome") == str(tmp_path / "google-chrome")
    assert find_browser(tmp_path / "google-chrome") == str(tmp_path / "google-chrome")


@requires_browser
def test_a_browser_that_does_not_start_says_so(tmp_path: Path) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho '[1:1:0101/000000.0:FATAL:x.cc:1] No usable sandbox!' >&2\nexit 1\n")
    program.chmod(0o755)

    with Renderer(executable=program) as renderer, pytest.raises(BrowserFailed, match="start: No usable sandbox!"):
        renderer.render("<p>x")


@requires_browser
def test_a_driver_that_does_not_start_leaves_nothing(browser_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(browser_folder.iterdir())
    monkeypatch.setattr("sys.executable", "/no/such/python")

    with Renderer() as renderer, pytest.raises(BrowserFailed, match="driver of the browser could not be started"):
        renderer.render("<p>x")
    assert list(browser_folder.iterdir()) == before


@pytest.mark.parametrize("name", ["max_seconds", "max_bytes", "max_requests", "max_memory", "quiet_seconds"])
def test_limits_must_allow_something(name: str) -> None:
    for value in (0, -1, float("nan")):
        with pytest.raises(ConfigError, match=f"{name} must be greater than 0"):
            RenderLimits(**{name: value})  # type: ignore[arg-type]  # floats where whole numbers belong
