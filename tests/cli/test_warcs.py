import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from broadsheet.cli import exits

Run = Callable[..., Any]

PAGE = b"<title>One</title><p>Text of the page"


def written(path: Path, *answers: tuple[str, str, str, bytes], compressed: bool = True) -> Path:
    """Write a WARC file of answers: address, status line, content type and body."""
    records = []
    for number, (url, status, kind, body) in enumerate(answers):
        block = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body
        head = (
            f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{UUID(int=number)}>\r\n"
            f"WARC-Date: 2026-03-02T12:00:00Z\r\nWARC-Target-URI: {url}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        record = head.encode() + block + b"\r\n\r\n"
        records.append(gzip.compress(record) if compressed else record)
    path.write_bytes(b"".join(records))
    return path


@pytest.mark.parametrize(("name", "compressed"), [("a.warc", False), ("a.warc.gz", True)])
def test_every_page_of_a_warc_file_is_a_page(run: Run, tmp_path: Path, name: str, compressed: bool) -> None:
    path = written(
        tmp_path / name,
        ("http://a.example/1", "200 OK", "text/html; charset=utf-8", PAGE),
        ("http://a.example/2", "404 Not Found", "text/html", PAGE),
        ("http://a.example/3", "200 OK", "image/png", b"\x89PNG"),
        ("http://a.example/4", "200 OK", "text/html", b"<title>Four</title>"),
        compressed=compressed,
    )

    outcome = run("parse", path)

    assert outcome.code == exits.DONE
    assert [(row["page"], row["title"]) for row in outcome.rows] == [
        ("http://a.example/1", "One"),
        ("http://a.example/4", "Four"),
    ]


def test_relative_links_start_from_the_address_of_the_record(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", ("http://a.example/b/", "200 OK", "text/html", b'<a href="c">C</a>'))

    assert [row["url"] for row in run("parse", path, "--links").rows] == ["http://a.example/b/c"]


def test_a_bad_record_is_named_and_the_others_go_on(run: Run, tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.warc.gz",
        ("http://a.example/1", "200 OK", "text/html", b"   "),
        ("http://a.example/2", "200 OK", "text/html", PAGE),
    )

    outcome = run("parse", path)

    assert outcome.code == exits.SOME_FAILED
    assert "http://a.example/1: is empty" in outcome.err
    assert [row["page"] for row in outcome.rows] == ["http://a.example/2"]


@pytest.mark.parametrize("content", [b"", b"something else", b"\x1f\x8b\x08 not gzip"])
def test_a_file_that_is_no_warc_gets_one_clear_line(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(content)

    outcome = run("parse", path)

    assert outcome.code == exits.FAILED
    assert outcome.err.count("\n") == 1
    assert str(path) in outcome.err
