"""The benchmark of a large archive makes one that is like those that a crawl makes."""

from pathlib import Path

import pytest

from benchmarks import large_archive
from broadsheet.archive import Store
from broadsheet.base.keep_rules import KeepRule


def test_a_small_one_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_archive, "ROWS_PER_FILE", 1_000)
    options = large_archive._options(["--articles", "300", "--sources", "3", "--visits", "3000", "--words", "10"])

    large_archive.fill(tmp_path / "news", options)

    with Store.open(tmp_path / "news") as archive:
        assert len(list(archive.articles())) == 300
        assert archive.visits().count_rows() == 3000
        assert len(archive.plan_tidying(KeepRule.parse("fronts 7d")).responses) > 0
