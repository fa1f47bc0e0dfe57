import errno
import gzip
import io
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from broadsheet.base.errors import InputError, TooManyBytes
from broadsheet.cli import exits
from broadsheet.cli.inputs import Source, find, read

Run = Callable[..., Any]

PAGE = b"<title>News</title>"


def write(path: Path, content: bytes = PAGE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def read_one(argument: object, stdin: bytes = b"", max_bytes: int = 1000) -> bytes:
    [source] = find([str(argument)])
    return read(source, io.BytesIO(stdin), max_bytes)


def test_a_file_is_read_regardless_of_its_name(tmp_path: Path) -> None:
    assert read_one(write(tmp_path / "page.aspx")) == PAGE


def test_a_dash_is_standard_input() -> None:
    assert read_one("-", stdin=PAGE) == PAGE


def test_a_folder_expands_to_its_pages_in_order(tmp_path: Path) -> None:
    for name in ("b.html", "a.HTM", "c.xhtml", "picture.png", "sub/a.html", "sub/sub/x.html", "early/z.html"):
        write(tmp_path / name)

    names = [os.path.relpath(source.name, tmp_path) for source in find([str(tmp_path)])]

    assert names == ["a.HTM", "b.html", "c.xhtml", "early/z.html", "sub/a.html", "sub/sub/x.html"]


def test_cyclic_links_are_followed_once(tmp_path: Path) -> None:
    write(tmp_path / "news" / "a.html")
    (tmp_path / "news" / "again").symlink_to(tmp_path / "news")
    write(tmp_path / "elsewhere" / "b.html")
    (tmp_path / "news" / "other").symlink_to(tmp_path / "elsewhere")

    names = [os.path.relpath(source.name, tmp_path) for source in find([str(tmp_path / "news")])]

    assert names == ["news/a.html", "news/other/b.html"]


def test_arguments_keep_their_order(tmp_path: Path) -> None:
    first, second = write(tmp_path / "z.html"), write(tmp_path / "folder" / "a.html")

    sources = find([str(first), "-", str(tmp_path / "folder")])

    assert sources == [Source(str(first), first), Source("-"), Source(str(second), second)]


@pytest.mark.parametrize("content", [b"", b" \r\n\t "])
def test_an_empty_page_is_rejected(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="is empty"):
        read_one(write(tmp_path / "a.html", content))
    with pytest.raises(InputError, match="is empty"):
        read_one("-", stdin=content)


def test_an_empty_argument_is_not_the_current_folder() -> None:
    [source] = find([""])

    with pytest.raises(InputError, match="names no page; give a file"):
        read(source, io.BytesIO(), 1_000)


def test_a_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        read_one(tmp_path / "nowhere.html")


@pytest.mark.parametrize("name", ["news.example", "www.news.example/a/story.html?page=2", "127.0.0.example:8000/"])
def test_an_address_without_its_scheme_is_rejected_with_a_hint(name: str) -> None:
    with pytest.raises(
        InputError, match=re.escape(f"No such file or directory; if it is an address, write https://{name}")
    ):
        read_one(name)


@pytest.mark.parametrize("name", ["page.html", "crawl.warc.gz", "saved/notes.txt", "a b.txt"])
def test_a_missing_file_is_not_taken_for_an_address(name: str) -> None:
    with pytest.raises(InputError, match=r"No such file or directory$"):
        read_one(name)


def test_a_name_that_is_too_long_is_rejected() -> None:
    with pytest.raises(InputError, match="cannot be read: File name too long"):
        read_one("x" * 5000)


def test_a_folder_without_pages_is_rejected(tmp_path: Path) -> None:
    write(tmp_path / "notes.txt")

    with pytest.raises(InputError, match=r"contains no pages \(\.htm, \.html, \.xhtml, \.warc, "):
        read_one(tmp_path)


def test_an_unreadable_file_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "a.html")

    def refuse(*_: object, **__: object) -> None:
        # The administrator, whom containers run tests as, may read everything; so the system's answer is acted.
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_one(file)


def test_a_broken_link_in_a_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.html").symlink_to(tmp_path / "gone.html")

    with pytest.raises(InputError, match="No such file"):
        read_one(tmp_path)


@pytest.mark.parametrize("url", ["https://news.example/", "HTTP://news.example"])
def test_a_url_is_a_page_to_fetch(url: str) -> None:
    (source,) = find([url])

    assert (source.url, source.path, source.error) == (url, None, None)


@pytest.mark.parametrize("url", ["ftp://news.example/a.html", "file:///etc/passwd"])
def test_a_url_with_another_scheme_is_rejected(url: str) -> None:
    with pytest.raises(InputError, match="only http and https addresses can be fetched"):
        read_one(url)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7 ...", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "an image"),
        (b"\xff\xd8\xff\xe0", "an image"),
        (b"GIF89a", "an image"),
        (b"PK\x03\x04", "a zip file"),
        (gzip.compress(PAGE, mtime=0), "a gzip file; unpack it first"),
        (b"WARC/1.1\r\n", "a WARC file; rename it to end in .warc"),
        (b"\x00\x00\x00\x18ftypmp42", "a video"),
        (bytes(range(256)) * 4 + bytes(100), "a binary file"),
        (Random(1).randbytes(5000), "a binary file"),
        (bytes(range(1, 256)) * 4, "a binary file"),
    ],
)
def test_a_file_in_another_format_is_rejected_by_name(tmp_path: Path, content: bytes, kind: str) -> None:
    with pytest.raises(InputError, match=f"is not a page but {kind}"):
        read_one(write(tmp_path / "a.html", content), max_bytes=10_000)


@pytest.mark.parametrize(
    "content",
    [
        PAGE.decode().encode("utf-16"),
        b"\xfe\xff" + PAGE.decode().encode("utf-16-be"),
        PAGE.decode().encode("utf-16-le"),
        b"\xef\xbb\xbf" + PAGE,
        PAGE.decode().encode("utf-32"),
        b"\x00\x00\xfe\xff" + PAGE.decode().encode("utf-32-be"),
        PAGE * 10 + b"\x00\x0b\x7f",
        PAGE + b"\x1a",
        b"\t\r\n\f" * 10 + PAGE,
        "新聞".encode("shift_jis"),
        *("<p>今日の新聞。".encode(name) * 20 for name in ("iso-2022-jp", "euc-jp", "shift_jis", "gb18030")),
        "<p>오늘의 신문".encode("iso-2022-kr") * 20,
        "<p>Новости дня".encode("koi8-r") * 20,
    ],
)
def test_pages_in_any_encoding_are_pages(tmp_path: Path, content: bytes) -> None:
    assert read_one(write(tmp_path / "a.html", content)) == content


def test_a_file_that_is_too_long_is_rejected_without_reading_it(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    with file.open("wb") as huge:
        huge.truncate(10**13)

    with pytest.raises(TooManyBytes, match="10,000,000,000,000 or more; at most 1,000"):
        read_one(file)


def test_a_stream_that_is_too_long_is_not_read_beyond_the_limit() -> None:
    stdin = io.BytesIO(b"x" * 5000)

    with pytest.raises(TooManyBytes):
        read(Source("-"), stdin, 1000)

    assert stdin.tell() == 1001


def test_a_pipe_is_read_like_a_file() -> None:
    reader, writer = os.pipe()
    os.write(writer, PAGE)
    os.close(writer)
    try:
        assert read_one(f"/dev/fd/{reader}") == PAGE
    finally:
        os.close(reader)


def test_an_endless_device_is_rejected() -> None:
    with pytest.raises(TooManyBytes):
        read_one("/dev/zero")


def test_special_files_in_a_folder_are_skipped_with_a_warning(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>One</title>")
    os.mkfifo(tmp_path / "pipe.html")
    os.mkfifo(tmp_path / "pipe.warc.gz")
    (tmp_path / "zero.html").symlink_to("/dev/zero")
    (tmp_path / "lost.html").symlink_to(tmp_path / "missing")

    outcome = run("parse", tmp_path)

    assert [row["title"] for row in outcome.rows] == ["One"]
    assert sorted(outcome.err.splitlines()) == [
        f"broadsheet: {tmp_path}/lost.html: cannot be read: No such file or directory",
        f"broadsheet: skipped 1: {tmp_path}/pipe.html is a FIFO, not a file",
        f"broadsheet: skipped 1: {tmp_path}/pipe.warc.gz is a FIFO, not a file",
        f"broadsheet: skipped 1: {tmp_path}/zero.html is a device, not a file",
    ]
    assert outcome.code == exits.SOME_FAILED


def test_skipping_a_file_is_not_a_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>One</title>")
    os.mkfifo(tmp_path / "pipe.html")

    assert run("parse", tmp_path).code == exits.DONE


def test_a_fifo_that_is_named_is_read(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"<title>One</title>",))
    writer.start()

    [row] = run("parse", pipe).rows
    writer.join()

    assert row["title"] == "One"
