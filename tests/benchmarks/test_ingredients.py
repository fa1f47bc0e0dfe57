"""What each ingredient of the judge adds on kinds of sites of the news web."""

import json
from pathlib import Path

import pytest
from benchmarks.ingredients import INGREDIENTS, main


def test_all_ingredients_are_scored_on_the_kinds_that_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scores.json"

    assert main(["--seed", "7", "--sites", "1", "--snapshots", "1", "--kinds", "local", "--json", str(file)]) == 0

    scores = json.loads(file.read_text("utf-8"))
    assert [each["ingredients"] for each in scores] == list(INGREDIENTS)
    assert all(0 < each["article"] <= 1 for each in scores)
    assert capsys.readouterr().out.splitlines()[-1].startswith("| local")


@pytest.mark.parametrize("option", [["--sites", "0"], ["--kinds", "unheard-of"]])
def test_bad_options_are_refused(option: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(option)
