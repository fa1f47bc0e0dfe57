"""An archive to keep things in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.archive import Store


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "news", create=True) as opened:
        yield opened
