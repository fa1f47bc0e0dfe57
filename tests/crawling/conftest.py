"""Browsers that tests share, and proof that none of them stays behind."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.crawling.rendering import Renderer, RenderLimits
from broadsheet.crawling.rendering._processes import with_command_line

PATIENT = RenderLimits(max_seconds=30, quiet_seconds=0.2)


@pytest.fixture
def short_path() -> Iterator[Path]:
    """An empty folder; those of pytest have names too long for the sockets that Chromium puts there."""
    with tempfile.TemporaryDirectory(prefix="test-") as folder:
        yield Path(folder)


@pytest.fixture(scope="package", autouse=True)
def browser_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which all browsers of these tests put theirs; no file and no process is left at the end."""
    # Otherwise pytest would choose its own folder later, inside this one.
    tmp_path_factory.getbasetemp()
    with tempfile.TemporaryDirectory(prefix="test-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert with_command_line(folder) == []
        assert list(Path(folder).iterdir()) == []


@pytest.fixture(scope="package")
def renderer() -> Iterator[Renderer]:
    """A renderer whose pages reach nothing."""
    with Renderer(PATIENT) as renderer:
        yield renderer


@pytest.fixture(scope="package")
def open_renderer() -> Iterator[Renderer]:
    """A renderer whose pages reach the loopback."""
    with Renderer(PATIENT, allow_loopback=True) as renderer:
        yield renderer


@pytest.fixture(scope="package")
def limited_renderer() -> Iterator[Renderer]:
    """A renderer whose pages reach the loopback ten times, and may be ten thousand bytes long."""
    limits = RenderLimits(max_seconds=30, max_requests=10, max_bytes=10_000, quiet_seconds=0.2)
    with Renderer(limits, allow_loopback=True) as renderer:
        yield renderer
