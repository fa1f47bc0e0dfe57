import json
import pickle
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from broadsheet.base.moments import Precision
from broadsheet.base.records import Article, Block, Image, Label, Reading, Verdict

VERDICT = Verdict(
    kind="article",
    subtype="news",
    probability=0.9,
    probabilities={"article": 0.9, "section": 0.07, "other": 0.03},
    reasons=("long text",),
    model="pages-1",
)
ATHENS = timezone(timedelta(hours=2))
ARTICLE = Article(
    url="https://news.example/a",
    title="Ψηφοφορία",
    authors=("A. Writer",),
    published=datetime(2026, 3, 2, 0, 30, tzinfo=ATHENS),
    published_precision="minute",
    body="One.\n\nTwo.",
    blocks=(Block(Label.BODY, "One.", "/html/body/p[1]"),),
    images=(Image("https://news.example/a.jpg", caption="A ferry"),),
    verdict=VERDICT,
    evidence={"title": "og:title"},
)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="one of article, section, other, not 'video'"):
        replace(VERDICT, kind="video")  # type: ignore[arg-type]


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_a_probability_must_be_between_0_and_1(probability: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        replace(VERDICT, probability=probability)
    with pytest.raises(ValueError, match="between 0 and 1"):
        replace(VERDICT, probabilities={"article": probability})


def test_records_are_frozen_hashable_and_can_be_sent() -> None:
    for record in (VERDICT, ARTICLE):
        assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301 - our own bytes
        assert hash(record) == hash(replace(record))
    with pytest.raises(FrozenInstanceError):
        VERDICT.kind = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        VERDICT.probabilities["article"] = 1.0  # type: ignore[index]


def test_a_reading_has_a_label_and_a_score_per_piece() -> None:
    reading = Reading(np.array([0, 1, 5]), np.array([0.1, 0.9, 0.8]), "default")

    assert (reading.labels.dtype.name, reading.scores.dtype.name) == ("int8", "float32")
    assert [Label(label) for label in reading.labels] == [Label.GARBAGE, Label.TITLE, Label.BODY]


def test_a_reading_may_be_of_an_empty_page() -> None:
    assert Reading(np.array([]), np.array([]), "default").labels.size == 0


def test_a_reading_is_read_only() -> None:
    labels = np.array([0, 1], dtype=np.int8)
    reading = Reading(labels, np.zeros(2, dtype=np.float32), "default")

    labels[0] = 5

    assert reading.labels[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        reading.labels[0] = 1


@pytest.mark.parametrize(
    ("labels", "scores"),
    [([0, 1], [0.5]), ([[0]], [[0.5]]), ([6], [0.5]), ([-1], [0.5])],
)
def test_a_reading_of_the_wrong_shape_or_with_unknown_labels_is_refused(labels: list[int], scores: list[float]) -> None:
    with pytest.raises(ValueError, match="labels"):
        Reading(np.array(labels), np.array(scores), "default")


def test_an_article_is_empty_by_default() -> None:
    article = Article()

    assert (article.title, article.authors, article.body, dict(article.evidence)) == (None, (), "", {})


def test_a_date_keeps_the_day_that_the_page_states() -> None:
    assert ARTICLE.published is not None
    assert ARTICLE.published.date().isoformat() == "2026-03-02"
    assert ARTICLE.to_dict()["published"] == "2026-03-02T00:30:00+02:00"


@pytest.mark.parametrize(
    ("time", "precision", "written"),
    [
        (datetime(2026, 3, 2), "day", "2026-03-02"),
        (datetime(2026, 3, 2), "minute", "2026-03-02T00:00:00"),
        (datetime(2026, 3, 2, 7, 15), "minute", "2026-03-02T07:15:00"),
        (datetime(2026, 3, 2, 7, 15, tzinfo=UTC), "minute", "2026-03-02T07:15:00+00:00"),
    ],
)
def test_a_time_is_written_as_it_is_stated(time: datetime, precision: Precision, written: str) -> None:
    article = replace(ARTICLE, published=time, published_precision=precision, modified=time)
    article = replace(article, modified_precision=precision)

    assert (article.to_dict()["published"], article.to_dict()["modified"]) == (written, written)
    assert article.to_schema_org()["datePublished"] == written
    assert f", {written}*" in article.to_markdown()


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(ValueError, match=r"published_precision must be one of .*, not 'week'"):
        replace(ARTICLE, published_precision="week")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"modified_precision must be one of .*, not 'week'"):
        replace(ARTICLE, modified_precision="week")  # type: ignore[arg-type]


def test_evidence_for_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fields: headline"):
        replace(ARTICLE, evidence={"headline": "h1"})


def test_the_dict_of_an_article_has_only_json_compatible_types() -> None:
    plain = ARTICLE.to_dict()

    assert plain["blocks"] == [{"label": "body", "text": "One.", "path": "/html/body/p[1]"}]
    assert plain["images"] == [{"url": "https://news.example/a.jpg", "caption": "A ferry", "credit": None}]
    assert plain["verdict"] == VERDICT.to_dict()
    assert plain["evidence"] == {"title": "og:title"}
    assert plain["authors"] == ["A. Writer"]


def test_json_does_not_escape_non_ascii_characters() -> None:
    text = ARTICLE.to_json()

    assert "Ψηφοφορία" in text
    assert json.loads(text) == ARTICLE.to_dict()
    assert "\n" not in text
    assert "\n" in ARTICLE.to_json(indent=2)


def test_an_article_is_shown_on_a_line() -> None:
    assert repr(ARTICLE) == "Article('Ψηφοφορία', 2026-03-02, 2 words, 'https://news.example/a')"
    assert repr(Article(body="one")) == "Article(no title, no date, 1 word)"


def test_the_repr_of_an_article_is_one_line_whatever_its_text() -> None:
    shown = repr(replace(ARTICLE, title="'Storm'\n\x1b[31m" * 1_000, url="https://news.example/" + "a" * 1_000))

    assert len(shown) < 200
    assert shown.isprintable()
