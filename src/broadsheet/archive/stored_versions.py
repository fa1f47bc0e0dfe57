"""Versions of articles as rows of the catalogue: what they say, and the digest by which damage is noticed."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from json.encoder import encode_basestring_ascii
from types import NoneType
from typing import Any

from broadsheet.archive import article_json
from broadsheet.archive.article_records import StoredArticle
from broadsheet.archive.checked_rows import damaged, to_utc
from broadsheet.base import moments
from broadsheet.base.errors import InputError
from broadsheet.base.moments import utc_text

#: What a version says and never changes; where its record lies may change, and which version is the latest.
_DIGESTED = ("key", "version", "source", "moment", "fingerprint", "model", "visit", "fetched_at", "article")
#: What a digest begins with that has the digest of the article's text in place of the text. Whoever reads a page
#: computes that one, so that a commit need not go through the text again. Layouts before 9 have no such digests.
_NESTED = "2:"


def sortable(moment: datetime | None) -> datetime | None:
    """Return a time in UTC, also if its offset is unknown; None where the calendar ends before it gets there."""
    try:
        return moments.to_utc(moment) if moment else None
    except InputError:
        return None


def to_article(row: Mapping[Any, Any]) -> StoredArticle:
    """Return the version of an article that a row holds, joined with its file's name."""
    where = f"article {row['key']}, version {row['version']}"
    if not is_sound(row):
        raise damaged(where, "its row does not match its digest")
    if not (isinstance(row["warc"], str) and isinstance(row["offset"], int) and isinstance(row["length"], int)):
        raise damaged(where, "it does not locate its page")
    return StoredArticle(
        article=article_json.from_json(row["article"]),
        key=row["key"],
        source=row["source"],
        version=row["version"],
        visit=row["visit"],
        fetched_at=to_utc(row["fetched_at"]),
        warc=row["warc"],
        offset=row["offset"],
        length=row["length"],
        model=row["model"],
        reread_at=row["reread_at"] and to_utc(row["reread_at"]),
        story=row["story"],
    )


def version_digest(row: Mapping[Any, Any], article: str | None = None) -> str:
    """Return the digest of what a version says, from its row as it is stored or is about to be.

    Who has the digest of the article's text already passes it as `article`.
    """
    text = row["article"]
    # Anything but text is damage, which has to give another digest.
    said = article or (article_json.text_digest(text) if isinstance(text, str) else text)
    return _NESTED + _row_digest({**row, "article": said})


def is_sound(row: Mapping[Any, Any]) -> bool:
    """Return whether a row says what it said when it was stored, by its digest."""
    is_nested = str(row["digest"]).startswith(_NESTED)
    return bool((version_digest(row) if is_nested else _row_digest(row)) == row["digest"])


def _row_digest(row: Mapping[Any, Any]) -> str:
    # Versions from before pages could be read again have no such time, and must keep their digests.
    names = _DIGESTED if row.get("reread_at") is None else (*_DIGESTED, "reread_at")
    # Each value by itself is half the work of a list of them.
    said = ", ".join([_JSON.get(type(row[name]), _unforeseen)(row[name]) for name in names])
    return hashlib.sha256(f"[{said}]".encode("ascii")).hexdigest()


def _unforeseen(value: object) -> str:
    """Return the JSON of what should not be there at all: it gives a digest too."""
    return json.dumps(value if isinstance(value, str | int | float) else repr(value))


#: How a value is written as JSON, as the database keeps it.
_JSON: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring_ascii,
    int: str,
    NoneType: lambda _: "null",
    datetime: lambda moment: f'"{utc_text(moment, " ")}"',
}
