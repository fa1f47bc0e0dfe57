from datetime import UTC, datetime

from broadsheet.archive.article_json import from_json, to_json
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
