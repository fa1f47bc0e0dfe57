"""An archive to keep things in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.archive import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "news", create=True) as opened:
        yield opened
