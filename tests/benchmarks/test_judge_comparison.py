"""The judges of the newsroom are compared on targets whose kind is known."""

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.judge_comparison import JUDGES, MIN_ARTICLES, main, score

from broadsheet.models.model_files import save
from broadsheet.pages.url_verdicts import url_model
from broadsheet.sources.site_model import save_site_model, site_model
from tests.benchmarks.replay_folder import label, write_corpus
from tests.experiments.test_source_study import write_site

SITE = "one.example"


def test_scores_count_what_is_known_alone() -> None:
    truth = np.array([0] * MIN_ARTICLES + [1, 2, -1])
    probabilities = np.tile([0.8, 0.1, 0.1], (len(truth), 1))

    found = score(SITE, "any", truth, probabilities)

    assert (found.targets, found.articles_recognised, found.sections_recognised) == (MIN_ARTICLES + 2, 1.0, 0.0)
    assert found.wrong_among_articles == pytest.approx(2 / (MIN_ARTICLES + 2))
    assert found.log_loss == pytest.approx(-np.log([0.8] * MIN_ARTICLES + [0.1, 0.1]).mean())


def test_a_site_with_few_articles_says_nothing_of_them() -> None:
    found = score(SITE, "any", np.array([0, 1]), np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))

    assert (found.articles_recognised, found.wrong_among_articles, found.sections_recognised) == (None, None, 1.0)


def test_all_judges_judge_all_sites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    snapshots, pages, models = tmp_path / "snapshots", tmp_path / "pages", tmp_path / "models"
    for folder in (snapshots, pages):
        folder.mkdir()
    write_site(snapshots, SITE)
    write_corpus(
        pages / "made.tar.xz",
        [label(kind, n, split="dev") for n in range(2) for kind in ("article", "section", "other")],
    )
    save_site_model(site_model(), models / SITE)
    save(url_model(), models / SITE / "addresses.npz")
    figures = tmp_path / "figures.json"

    options = ["--snapshots", snapshots, "--pages", pages, "--held-out", models, "--json", figures]
    code = main(list(map(str, options)))

    assert code == 0
    assert [row["judge"] for row in json.loads(figures.read_text())] == list(JUDGES)
    assert all(name in capsys.readouterr().out for name in JUDGES[:1])
    assert {row["targets"] for row in json.loads(figures.read_text())} != {0}


def test_a_folder_without_snapshots_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--snapshots", str(tmp_path), "--pages", str(tmp_path), "--held-out", str(tmp_path)])

    assert code == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
