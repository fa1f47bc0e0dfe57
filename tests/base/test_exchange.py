from datetime import UTC, datetime, timedelta, timezone

import pytest

from broadsheet.base.exchange import Exchange

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_header_names_are_case_insensitive_and_the_first_value_counts() -> None:
    exchange = Exchange("http://a.example/", NOON, 200, (("ETag", '"1"'), ("etag", '"2"')), b"")

    assert exchange.header("etag") == '"1"'
    assert exchange.header("Age") is None


def test_an_exchange_must_have_a_time_in_utc() -> None:
    elsewhere = NOON.astimezone(timezone(timedelta(hours=2)))

    with pytest.raises(ValueError, match="in UTC"):
        Exchange("http://a.example/", elsewhere, 200, (), b"")
