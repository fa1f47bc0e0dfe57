import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.cli import exits
from broadsheet.cli.warc_bodies import decode_record_body, join_chunks
from broadsheet.cli.warcs import captured

Run = Callable[..., Any]

PAGE = b"<title>One</title><p>Text of the page"


def record(number: int, answer: bytes) -> bytes:
    """Return a response record with the given HTTP message."""
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{UUID(int=number)}>\r\n"
        f"WARC-Date: 2026-03-02T12:00:00Z\r\nWARC-Target-URI: http://a.example/{number}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def page(number: int, body: bytes = PAGE, headers: str = "") -> bytes:
    """Return a record of a page."""
    return record(number, f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n".encode() + body)


def written(path: Path, *records: bytes) -> Path:
    """Write a WARC file, compressed if its name says so."""
    compressed = path.suffix == ".gz"
    path.write_bytes(b"".join(gzip.compress(record) if compressed else record for record in records))
    return path


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_every_page_of_a_warc_file_is_read_and_other_responses_are_counted(run: Run, tmp_path: Path, name: str) -> None:
    path = written(
        tmp_path / name,
        page(1),
        record(2, b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n" + PAGE),
        record(3, b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG"),
        page(4, b"<title>Four</title>"),
    )

    outcome = run("parse", path)

    assert outcome.code == exits.DONE
    assert outcome.err == "broadsheet: skipped 2: not a page with status 200\n"
    assert [(row["page"], row["title"]) for row in outcome.rows] == [
        ("http://a.example/1", "One"),
        ("http://a.example/4", "Four"),
    ]


def test_a_folder_may_contain_warc_files_and_pages(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "b.warc.gz", page(1), page(2))
    (tmp_path / "a.html").write_bytes(PAGE)

    assert [row["page"] for row in run("parse", tmp_path).rows] == [
        f"{tmp_path}/a.html", "http://a.example/1", "http://a.example/2"
    ]  # fmt: skip


def test_relative_links_are_resolved_against_the_address_of_the_record(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", page(7, b'<a href="c">C</a>'))

    assert [row["url"] for row in run("parse", path, "--links").rows] == ["http://a.example/c"]


def test_a_bad_record_is_reported_and_the_others_continue(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", page(1, b"   "), page(2), record(3, b"HTTP/1.1 200 OK"), page(4))

    outcome = run("parse", path)

    assert outcome.code == exits.SOME_FAILED
    assert f"{path}: http://a.example/1: is empty" in outcome.err
    assert [row["page"] for row in outcome.rows] == ["http://a.example/2", "http://a.example/4"]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_damage_in_the_middle_loses_only_the_damaged_records(run: Run, tmp_path: Path, name: str) -> None:
    """Overwrite the start of a record, or the middle of its compressed data."""
    path = written(tmp_path / name, *(page(number, PAGE + b"x" * 200) for number in range(5)))
    records = [written(tmp_path / name, page(number, PAGE + b"x" * 200)).read_bytes() for number in range(5)]
    at = sum(map(len, records[:2])) + (0 if name == "a.warc" else len(records[2]) // 2)
    content = b"".join(records)
    path.write_bytes(content[:at] + b"\0" * 20 + content[at + 20 :])

    outcome = run("parse", path)

    assert outcome.code == exits.SOME_FAILED
    assert [row["page"][-1] for row in outcome.rows] == ["0", "1", "3", "4"]
    assert outcome.err.count("\n") == 1
    assert f"{path}: is damaged after byte {len(records[0]):,}: " in outcome.err
    assert f"; resuming at byte {sum(map(len, records[:3])):,}" in outcome.err


def test_a_truncated_response_is_not_a_page(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", page(1), page(2, PAGE * 50))
    path.write_bytes(path.read_bytes()[:-100])

    outcome = run("parse", path)

    assert outcome.err == f"broadsheet: {path}: http://a.example/2: is truncated\n"
    assert len(outcome.rows) == 1


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ("Content-Encoding: gzip\r\n", gzip.compress(PAGE, mtime=0)),
        ("Content-Encoding: deflate\r\n", zlib.compress(PAGE)),
        ("Content-Encoding: gzip\r\n", PAGE),
        ("Content-Encoding: br\r\n", PAGE),
        ("Content-Encoding: nonsense\r\n", PAGE),
        ("Transfer-Encoding: chunked\r\n", b"%x\r\n%b\r\n5\r\n of it\r\n0\r\n\r\n" % (len(PAGE), PAGE)),
        ("Transfer-Encoding: chunked\r\n", PAGE),
        ("Transfer-Encoding: chunked\r\n", b"ffff\r\n" + PAGE),
        (
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
            b"%x;name=value\r\n%b\r\n0\r\n\r\n" % (len(gzip.compress(PAGE, mtime=0)), gzip.compress(PAGE, mtime=0)),
        ),
    ],
)
def test_bodies_are_decoded_however_they_were_recorded(run: Run, tmp_path: Path, headers: str, body: bytes) -> None:
    outcome = run("parse", written(tmp_path / "a.warc.gz", page(1, body, headers), page(2)))

    assert outcome.code == exits.DONE
    assert [row["title"] for row in outcome.rows] == ["One", "One"]


def test_a_body_that_decompresses_beyond_the_limit_is_rejected(run: Run, tmp_path: Path) -> None:
    bomb = page(1, gzip.compress(b"<p>" + b" " * 100_000), "Content-Encoding: gzip\r\n")

    outcome = run("parse", written(tmp_path / "a.warc.gz", bomb, page(2)), "--set", "limits.max_bytes=50000")

    assert outcome.code == exits.SOME_FAILED
    assert "http://a.example/1: the page's length in bytes is 50,001 or more" in outcome.err
    assert len(outcome.rows) == 1


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=5))
def test_chunks_are_joined(chunks: list[bytes]) -> None:
    sent = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"

    assert join_chunks(sent) == b"".join(chunks)


@given(st.binary(max_size=300), st.sampled_from([None, "chunked"]), st.sampled_from([None, "gzip", "deflate", "br"]))
def test_any_body_is_decoded_or_rejected_with_an_input_error(
    body: bytes, transfer: str | None, content: str | None
) -> None:
    try:
        decoded = decode_record_body(body, transfer, content, 1000)
    except InputError:
        return
    assert len(decoded) <= 1000


@pytest.mark.parametrize("content", [b"", b"something else", b"\x1f\x8b\x08 not gzip"])
def test_a_file_that_is_not_a_warc_gets_one_clear_line(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(content)

    outcome = run("parse", path)

    assert outcome.code == exits.FAILED
    assert outcome.err.count("\n") == 1
    assert str(path) in outcome.err


AGO = b"""<html lang="en"><head><title>Bridge reopens after repairs</title></head><body><article>
<h1>Bridge reopens after repairs</h1><p class="byline">By Nora Pell, <time>3 hours ago</time></p>""" + (
    b"<p>The harbour bridge was opened to all traffic on Monday, three months later than planned.</p>" * 12
)


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_extract_reports_time_of_capture_and_offset(run: Run, tmp_path: Path, name: str) -> None:
    first, second = page(1, AGO), page(2, AGO).replace(b"2026-03-02T12:00:00Z", b"2026-03-02T13:30:00.5Z")
    path = written(tmp_path / name, first, second)
    length = len(gzip.compress(first)) if name.endswith(".gz") else len(first)

    one, other = run("extract", path).rows

    assert (one["file"], one["offset"], one["fetched_at"]) == (str(path), 0, "2026-03-02T12:00:00+00:00")
    assert (other["offset"], other["fetched_at"]) == (length, "2026-03-02T13:30:00.500000+00:00")


def test_a_relative_time_counts_from_the_capture(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", page(1, AGO))
    (tmp_path / "a.html").write_bytes(AGO)

    [recorded] = run("extract", path).rows
    [saved] = run("extract", tmp_path / "a.html").rows

    assert recorded["article"]["published"].startswith("2026-03-02T09:00")
    assert (saved["article"]["published"], saved["fetched_at"]) == (None, None)


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2026-03-02T12:00:00Z", "2026-03-02T12:00:00+00:00"),
        ("2026-03-02T12:00:00.123456789Z", "2026-03-02T12:00:00.123456+00:00"),
        ("2026-03-02T12:00:00", "2026-03-02T12:00:00+00:00"),
        ("2026-03-02T12:00:00+02:00", "2026-03-02T10:00:00+00:00"),
        ("0001-01-01T00:00:00+02:00", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_the_date_of_a_record_is_a_time_in_utc_or_none(date: str | None, moment: str | None) -> None:
    parsed = captured(date)

    assert (parsed and parsed.isoformat()) == moment


def test_a_record_without_an_address_is_named_by_its_offset(run: Run, tmp_path: Path) -> None:
    nameless = page(2, AGO).replace(b"WARC-Target-URI: http://a.example/2\r\n", b"")
    path = written(tmp_path / "a.warc", page(1), nameless)

    _, row = run("extract", path).rows

    assert (row["page"], row["offset"]) == (f"record at byte {len(page(1)):,}", len(page(1)))
