"""What the content of pages says: for themselves, and for others of their site."""

import numpy as np
import pytest

from broadsheet.base.records import KINDS
from broadsheet.sources.page_evidence import page_scores, with_page
from broadsheet.sources.site_model import site_model
from broadsheet.sources.source_judge import SourceJudge
from broadsheet.sources.source_links import SourceLinks
from tests.sources.visits import visit

#: Addresses and link texts that say little.
ODD = [f"https://news.example/x/{number}" for number in range(8)]
SECTION = {"content": {"article": 0.02, "section": 0.96, "other": 0.02}}
ARTICLE = {"content": {"article": 0.96, "section": 0.02, "other": 0.02}}


def odd_links() -> SourceLinks:
    links = SourceLinks()
    for snapshot in range(3):
        links.add(visit("home", snapshot, {1: ODD}), ODD, ["More"] * len(ODD), ["/html/body/main/a"] * len(ODD))
    return links


def test_nothing_known_changes_nothing() -> None:
    assert page_scores([{}, {"address": {"article": 1.0}}]).tolist() == [[0, 0], [0, 0]]
    links = {"article": 0.7, "section": 0.2, "other": 0.1}
    assert with_page(links, {}) == pytest.approx(links)


def test_no_content_is_so_sure_that_nothing_else_counts() -> None:
    scores = page_scores([{"content": {"article": 1.0, "section": 0.0, "other": 0.0}}])

    assert np.isfinite(scores).all()
    assert scores[0, 0] < 10


def test_content_and_feeds_speak_for_a_page() -> None:
    links = {"article": 0.3, "section": 0.6, "other": 0.1}

    assert with_page(links, ARTICLE)["article"] > 0.8
    assert with_page(links, SECTION)["section"] > 0.95
    assert with_page(links, {"feed": {"article": 0.96, "section": 0.01, "other": 0.03}})["article"] > 0.8


@pytest.mark.parametrize(("content", "kind"), [(ARTICLE, "article"), (SECTION, "section")])
def test_what_was_fetched_speaks_for_others_of_its_folder(content: dict[str, dict[str, float]], kind: str) -> None:
    judge, fetched = SourceJudge(lambda _: odd_links()), dict.fromkeys(ODD[:7], content)

    before, after = (judge.weigh("news", ODD, known)[7] for known in ({}, fetched))

    assert before is not None
    assert after is not None
    assert after.verdict.probabilities[kind] > before.verdict.probabilities[kind]


def test_what_links_say_and_what_is_known_make_the_verdict() -> None:
    known = {ODD[0]: ARTICLE, ODD[1]: SECTION}

    found = SourceJudge(lambda _: odd_links()).weigh("news", ODD, known)

    for url, each in zip(ODD, found, strict=True):
        assert each is not None
        assert with_page(each.links, known.get(url, {})) == pytest.approx(dict(each.verdict.probabilities), abs=1e-3)


def test_targets_that_nobody_asks_for_are_evidence_all_the_same() -> None:
    judge, known = SourceJudge(lambda _: odd_links()), {ODD[0]: ARTICLE, ODD[5]: SECTION}
    all_of_them = judge.weigh("news", ODD, known)

    asked = judge.weigh("news", ODD[:3], known, others=ODD[3:])

    assert len(asked) == 3
    for each, expected in zip(asked, all_of_them, strict=False):
        assert each is not None
        assert expected is not None
        assert each.verdict.reasons == expected.verdict.reasons
        assert each.verdict.probabilities == pytest.approx(dict(expected.verdict.probabilities))
        assert each.links == pytest.approx(dict(expected.links))


def test_without_known_pages_the_model_is_the_same() -> None:
    table = odd_links().table(ODD)

    plain, known = site_model().probabilities(table), site_model().probabilities(table, page_scores([{}] * len(ODD)))

    np.testing.assert_allclose(plain, known)
    assert plain.shape == (len(ODD), len(KINDS))
