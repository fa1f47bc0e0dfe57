"""The work that all crawlers do on a page: parse it, and write it unchanged to a WARC file."""

import time
from collections.abc import Iterable
from pathlib import Path

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from lxml import etree


class Work:
    """Processes pages; `seconds` is the CPU time spent."""

    def __init__(self, warc: Path) -> None:
        """Open the file."""
        self.pages = 0
        self.seconds = 0.0
        self._stream = GzipWriter(warc.open("wb"), compression_level=6)
        self._parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)

    def take(self, url: str, status: int, headers: Iterable[tuple[str, str]], body: bytes, content: bytes) -> None:
        """Parse the content and write the body."""
        start = time.process_time()
        etree.fromstring(content or b"<html></html>", self._parser)
        record = WarcRecord()
        record.init_headers(WarcRecordType.response)
        record.headers["WARC-Target-URI"] = url
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        record.set_bytes_content(f"HTTP/1.1 {status} OK\r\n{lines}\r\n".encode() + body)
        record.write(self._stream)
        self._stream.finish()
        self.pages += 1
        self.seconds += time.process_time() - start

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
