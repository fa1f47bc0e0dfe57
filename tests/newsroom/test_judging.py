from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broadsheet.archive import PageRecord, SourceRecord, VerdictRecord
from broadsheet.base.records import Verdict
from broadsheet.document import parse
from broadsheet.newsroom.judging import (
    ADDRESS,
    CONTENT,
    LISTED_IN_FEED,
    combine,
    combined,
    judge_addresses,
    judge_content,
    probabilities_of,
    with_evidence,
)
from broadsheet.newsroom.target_judges import Target, judge_targets

NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)
POLITICS = "https://gazette.example/politics"

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


def reviewed(judged: VerdictRecord) -> VerdictRecord:
    """Return what a review without anything new makes of a page."""
    page = PageRecord(key="gazette.example/politics", url=POLITICS, first_seen=NOW, judged=judged)
    source = SourceRecord(key="gazette.example", url="https://gazette.example/", name="", added_at=NOW, every=3600.0)
    [record] = judge_targets(source, [Target(page, POLITICS, "Politics", 1)])
    return record


def by_address_and_content() -> VerdictRecord:
    """Return how a page was judged when it came."""
    evidence = {ADDRESS: probabilities_of(judge_addresses([POLITICS], ["Politics"]).verdict(0)), CONTENT: SECTION}
    own = Verdict("section", None, 0.9, SECTION, ("it lists links",), "model")
    return VerdictRecord(verdict=combined(own, evidence), at=NOW, evidence=evidence)


def test_a_review_without_new_evidence_keeps_the_verdict() -> None:
    before = by_address_and_content()

    assert reviewed(before) is before


def test_a_review_takes_a_feed_into_account_that_was_found_since() -> None:
    before = by_address_and_content()

    after = reviewed(with_evidence(before, LISTED_IN_FEED))

    assert after.verdict.probabilities["article"] > before.verdict.probabilities["article"]


def test_a_review_does_not_keep_what_another_judge_said_of_the_same_evidence() -> None:
    before = by_address_and_content()
    other = Verdict("other", None, 0.9, OTHER, ("another judge said so",), "opinion")

    assert reviewed(replace(before, verdict=other)).verdict.kind == before.verdict.kind
