from datetime import UTC, datetime, timedelta, timezone

import pytest

from broadsheet.base.exchange import Exchange

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_a_header_is_found_whatever_its_case_and_the_first_counts() -> None:
    exchange = Exchange("http://a.example/", NOON, 200, (("ETag", '"1"'), ("etag", '"2"')), b"")

    assert exchange.header("etag") == '"1"'
    assert exchange.header("Age") is None


def test_an_exchange_without_utc_is_refused() -> None:
    elsewhere = NOON.astimezone(timezone(timedelta(hours=2)))

    with pytest.raises(ValueError, match="in UTC"):
        Exchange("http://a.example/", elsewhere, 200, (), b"")
