import gzip
from datetime import UTC, datetime, timedelta

import pytest

from broadsheet.newsweb.response import ServedContent, answer, etag, failure, http_date
from tests.newsweb.parsing import NOON, WEB, get

CHANGED = datetime(2026, 3, 4, 9, 30, 15, tzinfo=UTC)
BODY = b"<p>" + b"news " * 100
CONTENT = ServedContent("text/html; charset=utf-8", BODY, CHANGED, 60)
PLAIN, GZIP = etag(BODY), etag(BODY, "gzip")
EARLIER, LATER = (http_date(CHANGED + timedelta(seconds=step)) for step in (-1, 1))


def test_a_response_has_content_headers_and_validators() -> None:
    response = answer(CONTENT, NOON, {})

    assert (response.status, response.body) == (200, BODY)
    assert response.headers == {
        "Date": "Wed, 04 Mar 2026 12:00:00 GMT",
        "Cache-Control": "max-age=60",
        "ETag": PLAIN,
        "Last-Modified": "Wed, 04 Mar 2026 09:30:15 GMT",
        "Vary": "Accept-Encoding",
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": str(len(BODY)),
    }


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"If-None-Match": PLAIN}, 304),
        ({"if-none-match": PLAIN}, 304),
        ({"If-None-Match": f"W/{PLAIN}"}, 304),
        ({"If-None-Match": f'"other", {PLAIN}'}, 304),
        ({"If-None-Match": "*"}, 304),
        ({"If-None-Match": '"other"'}, 200),
        ({"If-None-Match": PLAIN.strip('"')}, 200),
        ({"If-None-Match": ""}, 200),
        ({"If-Modified-Since": http_date(CHANGED)}, 304),
        ({"If-Modified-Since": LATER}, 304),
        ({"If-Modified-Since": EARLIER}, 200),
        ({"If-Modified-Since": "Wednesday, 04-Mar-26 09:30:15 GMT"}, 304),
        ({"If-Modified-Since": "Wed Mar  4 09:30:15 2026"}, 304),
        ({"If-Modified-Since": "yesterday"}, 200),
        ({"If-Modified-Since": ""}, 200),
        ({"If-None-Match": PLAIN, "If-Modified-Since": EARLIER}, 304),
        ({"If-None-Match": '"other"', "If-Modified-Since": LATER}, 200),
        ({"If-None-Match": "", "If-Modified-Since": LATER}, 200),
        ({"If-None-Match": GZIP}, 200),
        ({"If-None-Match": GZIP, "Accept-Encoding": "gzip"}, 304),
        ({"If-None-Match": PLAIN, "Accept-Encoding": "gzip"}, 200),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_conditions(headers: dict[str, str], status: int, method: str) -> None:
    response = answer(CONTENT, NOON, headers, method)

    assert response.status == status
    assert {"Date", "ETag", "Last-Modified", "Cache-Control", "Vary"} <= response.headers.keys()
    if status == 304:
        assert response.body == b""
        assert not response.headers.keys() & {"Content-Length", "Content-Type", "Content-Encoding"}


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("br, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip;q=0.0, *", False),
        ("*", True),
        ("*;q=0", False),
        ("br, deflate", False),
        ("identity", False),
    ],
)
def test_compression_is_negotiated(accepted: str, compressed: bool) -> None:
    response = answer(CONTENT, NOON, {"Accept-Encoding": accepted})

    assert response.headers.get("Content-Encoding") == ("gzip" if compressed else None)
    assert response.headers["Content-Length"] == str(len(response.body))
    assert (gzip.decompress(response.body) if compressed else response.body) == BODY
    assert (response.headers["ETag"] == GZIP) is compressed
    assert response.headers["Vary"] == "Accept-Encoding"


def test_short_and_binary_content_is_not_compressed() -> None:
    for content in (ServedContent("text/plain", b"short", CHANGED, 1), ServedContent("image/png", BODY, CHANGED, 1)):
        assert "Content-Encoding" not in answer(content, NOON, {"Accept-Encoding": "gzip"}).headers


def test_head_has_the_headers_of_get() -> None:
    for headers in ({}, {"Accept-Encoding": "gzip"}):
        head, whole = (answer(CONTENT, NOON, headers, method) for method in ("HEAD", "GET"))

        assert head.headers == whole.headers
        assert (head.status, head.body) == (200, b"")


def test_a_failure_has_no_validators() -> None:
    response = failure(404, b"no", NOON)

    assert not response.headers.keys() & {"ETag", "Last-Modified"}
    assert response.headers["Cache-Control"] == "no-store"


def test_other_methods_are_refused() -> None:
    response = WEB.fetch(WEB.home(WEB.sites[0]), NOON, method="POST")

    assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")


def test_a_crawler_that_polls_gets_each_version_once() -> None:
    site = WEB.sites[0]
    tag, whole, versions = "", 0, set()
    for step in range(144):
        at = NOON + timedelta(minutes=10 * step)
        response = get(WEB.home(site), at, If_None_Match=tag)
        versions.add(get(WEB.home(site), at).body)
        if response.status == 200:
            whole += 1
            tag = response.headers["ETag"]

    assert whole == len(versions) < 100


def test_the_maximum_age_depends_on_the_kind_of_page() -> None:
    site = WEB.sites[0]
    article = WEB.articles(NOON - timedelta(days=1), NOON, site=site)[0].url
    urls = [WEB.home(site), article, f"http://{site.host}/robots.txt"]

    assert [get(url).headers["Cache-Control"] for url in urls] == ["max-age=60", "max-age=300", "max-age=86400"]
