"""What the replayed site answers."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from benchmarks.replay.measuring import Conditions, Replay, prepare
from benchmarks.replay.snapshots import Folder
from benchmarks.replay.standins import unpack

from broadsheet.newsweb.response import Response, http_date
from tests.benchmarks.replay_folder import (
    ABOUT,
    CULTURE,
    FRONTS,
    HOME,
    HOME_TIMES,
    IMPRINT,
    NEW,
    ODD,
    OLD,
    POLITICS,
    SITE,
    START,
    write_data,
)

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    data = write_data(tmp_path / "data")
    for name in ("standins", "html"):
        (tmp_path / name).mkdir()
    pages = unpack(data, None, tmp_path / "standins")
    return prepare(SITE, Conditions(Folder.find(data), pages), tmp_path / "html")


def get(replay: Replay, url: str, now: datetime = START, headers: Mapping[str, str] | None = None) -> Response:
    return replay.served.fetch(url, now, headers or {})


def test_a_saved_page_is_served_as_it_was_at_each_moment(replay: Replay) -> None:
    bodies = FRONTS["index"][2]

    assert get(replay, HOME, START - HOUR).body == bodies[0]
    assert get(replay, HOME, HOME_TIMES[0]).body == bodies[0]
    assert get(replay, HOME, HOME_TIMES[1] - SECOND).body == bodies[0]
    assert get(replay, HOME, HOME_TIMES[1]).body == bodies[1]
    assert get(replay, HOME, HOME_TIMES[2] + HOUR).body == bodies[2]


def test_a_saved_page_declares_its_own_charset(replay: Replay) -> None:
    assert get(replay, HOME).headers["Content-Type"] == "text/html"
    assert "für".encode("latin-1") in get(replay, HOME).body


def test_bodies_are_not_compressed(replay: Replay) -> None:
    response = get(replay, HOME, headers={"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in response.headers
    assert response.body == FRONTS["index"][2][0]


def test_a_page_that_has_not_changed_is_answered_with_304(replay: Replay) -> None:
    first = get(replay, HOME)
    validators = {"If-None-Match": first.headers["ETag"]}

    unchanged = get(replay, HOME, HOME_TIMES[1] - SECOND, validators)
    changed = get(replay, HOME, HOME_TIMES[1], validators)

    assert (unchanged.status, unchanged.body) == (304, b"")
    assert changed.status == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_content_keeps_the_date_of_the_snapshot_in_which_it_appeared(replay: Replay) -> None:
    _, times, _ = FRONTS["politics"]

    response = get(replay, POLITICS, times[2])

    assert response.headers["Last-Modified"] == http_date(times[1])
    assert get(replay, POLITICS, times[2], {"If-Modified-Since": http_date(times[1])}).status == 304
    assert get(replay, POLITICS, times[2], {"If-Modified-Since": http_date(times[0])}).status == 200


def test_a_saved_page_has_the_status_of_the_manifest(replay: Replay) -> None:
    assert get(replay, IMPRINT).status == 404
    assert get(replay, POLITICS).status == 200


def test_targets_are_stood_in_for_by_pages_of_their_kind(replay: Replay) -> None:
    kinds = {
        url: (replay.unsaved.name(url.removeprefix("https://www.").rstrip("/")) or "").partition("-")[0]
        for url in (OLD, NEW, CULTURE, ABOUT, ODD)
    }

    assert kinds == {
        OLD: "papers/article",
        NEW: "papers/article",
        CULTURE: "papers/section",
        ABOUT: "papers/other",
        ODD: "papers/other",
    }
    assert get(replay, NEW).headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"<title>A storm closes the harbour road for three days</title>" in get(replay, NEW).body


def test_two_articles_are_two_pages(replay: Replay) -> None:
    assert get(replay, OLD).body.count(b"<p>") == get(replay, NEW).body.count(b"<p>")
    assert replay.unsaved.name(OLD.removeprefix("https://www.")) != replay.unsaved.name(
        NEW.removeprefix("https://www.")
    )


def test_variants_of_an_address_are_the_same_page(replay: Replay) -> None:
    assert get(replay, f"{NEW}?utm_source=mail").body == get(replay, NEW).body
    assert get(replay, f"{NEW}?partner=17").body == get(replay, NEW).body
    assert get(replay, f"{POLITICS}?partner=17").body == get(replay, POLITICS).body


@pytest.mark.parametrize("path", ["robots.txt", "feed.xml", "2026/03/02/nothing-that-anybody-labelled-7"])
def test_what_has_no_label_is_not_there(replay: Replay, path: str) -> None:
    assert get(replay, HOME + path).status == 404


def test_requests_are_counted_by_golden_class(replay: Replay) -> None:
    tag = get(replay, HOME).headers["ETag"]
    get(replay, HOME, START, {"If-None-Match": tag})
    get(replay, HOME, HOME_TIMES[1], {"If-None-Match": tag})
    article = get(replay, NEW)
    get(replay, CULTURE)
    get(replay, ODD)
    get(replay, HOME + "robots.txt")

    tallies = {name: tally.to_dict() for name, tally in replay.served.tallies.items()}

    size = sum(map(len, FRONTS["index"][2][:2]))
    assert tallies["saved"] == {"requests": 3, "first": 1, "repeats": 2, "not_modified": 1, "bytes": size}
    assert tallies["article"] == {
        "requests": 1,
        "first": 1,
        "repeats": 0,
        "not_modified": 0,
        "bytes": len(article.body),
    }
    assert {name: tally["requests"] for name, tally in tallies.items()} == {
        "saved": 3,
        "article": 1,
        "section": 1,
        "other": 0,
        "unknown": 1,
        "unlabelled": 1,
    }
