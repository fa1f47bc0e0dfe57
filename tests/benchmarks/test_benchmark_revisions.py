"""The benchmark of revisions: what counts, and how a policy is summarised."""

import json
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from benchmarks.revisions import Run, main, summarise

KINDS = (("headline", False), ("correction", True), ("correction", True), ("live", False))


def test_a_policy_is_summarised_by_what_it_catches_in_time_and_what_it_costs() -> None:
    run = Run("adaptive", 0.25, True, 150, 24, 1.0, delays=(0.5, 2.5, None, 1.5), kinds=KINDS)

    result = summarise(run, base=120)

    assert (result.in_time, result.caught, result.delay_hours) == (0.5, 0.75, 1.5)
    assert (result.extra, result.sitemaps, result.requests_each) == (0.25, 0.2, 10)
    assert result.in_time_by_kind == {"correction, silent": 0.0, "headline": 1.0, "live": 1.0}


def test_the_command_measures_a_small_web(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "revisions.json"

    main(["--days", "0.4", "--sites", "1", "--policies", "once", "--json", str(target)])

    never, once = json.loads(target.read_text())["policies"]
    assert (never["policy"], never["in_time"], never["extra"]) == ("never", 0.0, 0.0)
    assert once["policy"] == "once"
    assert once["extra"] > 0
    assert "show nowhere but in the article" in capsys.readouterr().out
