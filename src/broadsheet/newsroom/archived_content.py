"""What is read again of an archived page: what its scripts had written, or else what was received."""

from typing import NamedTuple

from broadsheet.base.exchange import Exchange
from broadsheet.crawling.encodings import decode_body

#: The content type of what scripts wrote.
RENDERED_TYPE = "text/html; charset=utf-8"


class ArchivedContent(NamedTuple):
    """The bytes of a page without their content encoding, and their content type."""

    content: bytes
    content_type: str

    @classmethod
    def received(cls, exchange: Exchange, max_decompressed_bytes: int) -> "ArchivedContent":
        """Return what was received; raise `CorruptBody` or `TooLargeDecompressed` if it cannot be decompressed."""
        encodings = ",".join(value for name, value in exchange.headers if name.lower() == "content-encoding")
        content = decode_body(exchange.body, encodings, max_decompressed_bytes)
        return cls(content, exchange.header("content-type") or "")

    @classmethod
    def read(cls, exchange: Exchange, max_decompressed_bytes: int) -> "ArchivedContent":
        """Return what a crawl would read: where a browser ran the scripts of a page, what these wrote."""
        if exchange.rendered is not None:
            return cls(exchange.rendered, RENDERED_TYPE)
        return cls.received(exchange, max_decompressed_bytes)
