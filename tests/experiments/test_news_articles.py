from pathlib import Path

import numpy as np
import pytest

import broadsheet
from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.corpora.labelled_page import Gold, PageLabels
from broadsheet.experiments import news_articles
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.news_articles._factors import READERS, TARGETS, Factors
from broadsheet.experiments.news_articles._page_selection import MAX_OF_A_SITE, balanced
from broadsheet.experiments.news_articles._trials import FOLDS, PageCases, assign_folds, scores

WORKED = (
    "<body>Note:<p>A paragraph<a href=/x>with a link</a>in it</p><div><span>some<em>emphatic words</em>here.</span>"
    "<span>More words</span></div></body>"
)


def labels(name: str, site: str, kind: str) -> PageLabels:
    return PageLabels(
        name=name, corpus="c", site=site, split=None, language=None, kind=kind, url=None, gold=Gold()
    )  # fmt: skip


def cases(pages: int = 60) -> PageCases:
    """Pages of which only MSS distinguishes articles from others."""
    truth = np.arange(pages) % 2 == 0
    names = (*TARGETS, *READERS)
    tags = {"CoreEx tag": "div", "CoreEx set tag": "p"}
    factors: list[dict[str, float | str]] = [{name: tags.get(name, 1.0) for name in names} for _ in range(pages)]
    for page, article in zip(factors, truth.tolist(), strict=True):
        page["MSS"] = 5000.0 if article else 10.0
    return PageCases(factors, truth, np.array([f"site-{page // 4}" for page in range(pages)]))


def test_the_factors_of_the_worked_example() -> None:
    factors = Factors.measure(broadsheet.parse(WORKED)).values

    assert factors["MSS"] == 65
    assert factors["CoreEx tag"] == "body"
    assert factors["CoreEx score"] == pytest.approx(0.9958, abs=5e-5)


def test_half_of_the_pages_are_articles_and_no_site_dominates_a_kind() -> None:
    known = [labels(f"a{n}", f"site-{n % 50}", "article") for n in range(200)]
    known += [labels(f"s{n}", "one-site", "section") for n in range(50)]

    chosen = balanced(known, None)

    assert len(chosen) == 2 * MAX_OF_A_SITE
    assert sum(page.kind == "article" for page in chosen) == MAX_OF_A_SITE
    assert len(balanced(known, 10)) == 10


def test_folds_by_site_keep_sites_together_and_are_of_similar_size() -> None:
    pages = cases()

    for folds in assign_folds(pages, "site", 3):
        assert all(len(set(folds[pages.sites == site].tolist())) == 1 for site in set(pages.sites.tolist()))
        assert len(set(folds.tolist())) == FOLDS


def test_every_trial_has_different_folds() -> None:
    first, second = assign_folds(cases(), "page", 2)

    assert not np.array_equal(first, second)
    assert np.bincount(first).tolist() == [6] * FOLDS


def test_informative_factors_are_learned() -> None:
    assert np.mean(scores(cases(), READERS, "site", trials=1)) == 1


def test_it_runs_on_generated_pages_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.experiments.news_articles._news_articles_run.TRIALS", 1)
    said: list[str] = []
    context = Context(
        folder=tmp_path, clock=SystemClock(), counters=Counters(), sample=60, say=said.append
    )  # fmt: skip

    first = news_articles.run(context)
    measured = (tmp_path / "pages.jsonl").read_bytes()
    second = news_articles.run(context)

    assert "no --pages" in said[0]
    assert first == second
    assert (tmp_path / "pages.jsonl").read_bytes() == measured
    assert {plot.name for plot in first.plots} >= {"news-articles-f1", "news-articles-tree-all"}
    assert "60 pages" in first.remarks[0]
