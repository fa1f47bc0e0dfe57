"""The benchmark of a large archive makes one that is like those that a crawl makes."""

from pathlib import Path

from benchmarks import large_archive
from broadsheet.archive import Store
from broadsheet.base.keep_rules import KeepRule


def test_a_small_one_can_be_asked(tmp_path: Path) -> None:
    options = large_archive._options(["--articles", "300", "--sources", "3", "--visits", "3000", "--words", "10"])

    large_archive.fill(tmp_path / "news", options)

    with Store.open(tmp_path / "news") as archive:
        assert len(list(archive.articles())) == 300
        assert archive.visits().count_rows() >= 3000
        assert archive.plan_tidying(KeepRule.parse("fronts 7d")).removed
