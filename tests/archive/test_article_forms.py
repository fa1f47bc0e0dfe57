from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broadsheet.archive.article_json import fingerprint, from_json, to_json
from broadsheet.base.moments import Precision
from broadsheet.base.records import Article, Entry

ARTICLE = Article(
    title="Storm at sea",
    entries=(
        Entry(datetime(2026, 3, 2, 11, 40, tzinfo=UTC), "Ferry leaves", "At last."),
        Entry(None, None, "x", "9:15"),
    ),
    page_number=2,
    next_page="https://courier.example/storm/3",
    previous_page="https://courier.example/storm",
    amp_url="https://courier.example/amp/storm",
    is_amp=True,
)


def test_entries_and_pages_are_kept_as_they_are() -> None:
    assert from_json(to_json(ARTICLE)) == ARTICLE


def test_an_article_from_before_there_were_entries_has_none() -> None:
    old = to_json(Article(title="Storm")).replace('"entries": [], ', "").replace('"is_amp": false, ', "")
    assert "entries" not in old

    assert from_json(old) == Article(title="Storm")


@pytest.mark.parametrize("precision", ["day", "minute"])
def test_a_time_without_an_offset_is_kept_as_it_is(precision: Precision) -> None:
    day = datetime(2026, 3, 2)
    article = replace(ARTICLE, published=day, published_precision=precision, modified=day, modified_precision=precision)

    assert from_json(to_json(article)) == article


def test_an_article_from_before_such_times_were_kept_has_lost_its_false_offset_and_not_changed() -> None:
    evidence = {"published": "text below, without an offset; also time below"}
    old = Article(published=datetime(2026, 3, 2, tzinfo=UTC), published_precision="day", evidence=evidence)
    new = replace(old, published=datetime(2026, 3, 2))

    assert from_json(to_json(old)) == new
    assert fingerprint(old) == fingerprint(new)
