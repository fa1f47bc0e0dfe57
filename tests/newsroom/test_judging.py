import pytest

from broadsheet.base.records import Verdict
from broadsheet.document import parse
from broadsheet.newsroom.judging import ADDRESS, CONTENT, combine, combined, judge_content

ARTICLE = {"article": 0.9, "section": 0.05, "other": 0.05}
SECTION = {"article": 0.05, "section": 0.9, "other": 0.05}
OTHER = {"article": 0.05, "section": 0.05, "other": 0.9}
UNSURE = {"article": 1 / 3, "section": 1 / 3, "other": 1 / 3}


@pytest.mark.parametrize("name", [ADDRESS, CONTENT])
@pytest.mark.parametrize("alone", [ARTICLE, SECTION, OTHER])
def test_a_single_kind_of_evidence_is_taken_as_it_is(name: str, alone: dict[str, float]) -> None:
    assert combine({name: alone}) == alone


@pytest.mark.parametrize(("agreed", "kind"), [(ARTICLE, "article"), (SECTION, "section"), (OTHER, "other")])
def test_evidence_that_agrees_gives_its_kind(agreed: dict[str, float], kind: str) -> None:
    probabilities = combine({ADDRESS: agreed, CONTENT: agreed})

    assert max(probabilities, key=probabilities.__getitem__) == kind
    assert sum(probabilities.values()) == pytest.approx(1)


@pytest.mark.parametrize(("address", "content"), [(ARTICLE, SECTION), (SECTION, ARTICLE)])
def test_an_article_needs_more_than_half_of_the_evidence(address: dict[str, float], content: dict[str, float]) -> None:
    probabilities = combine({ADDRESS: address, CONTENT: content})

    assert probabilities["section"] > probabilities["article"]


def test_an_address_that_is_hardly_that_of_an_article_does_not_outweigh_everything() -> None:
    never = {"article": 0.0, "section": 0.5, "other": 0.5}

    assert combine({ADDRESS: never, CONTENT: ARTICLE})["article"] > 0


def test_a_page_that_shows_little_is_judged_by_its_address() -> None:
    sure = {"article": 0.98, "section": 0.01, "other": 0.01}

    probabilities = combine({ADDRESS: sure, CONTENT: UNSURE})

    assert max(probabilities, key=probabilities.__getitem__) == "article"


def test_a_verdict_that_the_address_overrules_says_so() -> None:
    own = Verdict("article", "video", 0.6, {"article": 0.6, "section": 0.3, "other": 0.1}, ("long text",), "page-2")

    verdict = combined(own, {ADDRESS: SECTION, CONTENT: own.probabilities})

    assert (verdict.kind, verdict.subtype) == ("section", None)
    assert verdict.reasons == ("its address outweighs its content, which looks like an article",)


def test_a_page_whose_address_says_nothing_is_judged_by_its_content_alone() -> None:
    document = parse("<html><title>A storm</title><p>It came from the west.</p></html>", "https://example.org/storm")

    verdict, evidence = judge_content(document, {})

    assert evidence == {CONTENT: verdict.probabilities}
