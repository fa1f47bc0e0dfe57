"""How well the pages of a source are told apart, measured with labels and without."""

from collections.abc import Mapping

import pytest

from broadsheet.base.errors import ConfigError
from broadsheet.base.records import Kind
from broadsheet.sources.source_links import SourceLinks
from broadsheet.sources.switch_evaluators import (
    EVALUATORS,
    MIN_LABELS,
    Evaluation,
    JudgedSnapshot,
    build_evaluator,
)
from tests.sources.visits import visit

ARTICLES = [f"a{number}" for number in range(40)]
SECTIONS = [f"s{number}" for number in range(8)]


def links(*, is_lively: bool) -> SourceLinks:
    """Return a source on whose home page articles come and go, or all links stay where they are."""
    found = SourceLinks()
    for snapshot in range(12):
        shown = ARTICLES[snapshot * 2 : snapshot * 2 + 12] if is_lively else ARTICLES[:12]
        seen = visit("home", snapshot, {0: SECTIONS, 1: shown})
        assert seen.targets is not None
        texts = [""] * len(seen.targets)
        found.add(seen, seen.targets, texts, texts)
    return found


def judged(source: SourceLinks, probability: float = 0.95, labels: Mapping[str, Kind] | None = None) -> JudgedSnapshot:
    kinds: dict[str, Kind] = {key: "article" if key.startswith("a") else "section" for key in source.urls}
    return JudgedSnapshot(
        kinds=kinds,
        articles={key: probability if kind == "article" else 1 - probability for key, kind in kinds.items()},
        counts=lambda keys: source.table(keys).counts,
        labels=labels or {},
    )


def evaluate(name: str, snapshot: JudgedSnapshot) -> Evaluation:
    return build_evaluator(name).evaluate(snapshot)


def test_the_expected_quality_follows_the_probabilities() -> None:
    source = links(is_lively=True)

    assert evaluate("quality", judged(source, 0.95)).is_enough
    assert not evaluate("quality", judged(source, 0.6)).is_enough


def test_labels_decide_where_there_are_enough() -> None:
    source = links(is_lively=True)
    right: dict[str, Kind] = dict.fromkeys(ARTICLES[:MIN_LABELS], "article")
    wrong: dict[str, Kind] = dict.fromkeys(ARTICLES[:MIN_LABELS], "other")

    assert evaluate("supervised", judged(source, labels=right)).value == 1.0
    assert not evaluate("supervised", judged(source, labels=wrong)).is_enough
    assert evaluate("supervised", judged(source, labels=dict(list(wrong.items())[1:]))).measure.startswith("expected")


def test_two_ways_to_behave_are_told_apart_without_labels() -> None:
    lively = judged(links(is_lively=True))

    assert evaluate("silhouette", lively).is_enough
    assert evaluate("entropy", lively).value < 2.0


@pytest.mark.parametrize("name", ["silhouette", "entropy"])
def test_links_that_all_stay_where_they_are_say_nothing(name: str) -> None:
    assert not evaluate(name, judged(links(is_lively=False))).is_enough


def test_an_unknown_evaluator_is_refused() -> None:
    with pytest.raises(ConfigError, match="the installed ones are quality, supervised, silhouette, entropy"):
        build_evaluator("guess")
    assert all(build_evaluator(name).name == name for name in EVALUATORS)
