"""Articles as the catalogue keeps them: JSON, and a fingerprint of what makes two versions differ."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from broadsheet.base.moments import NO_OFFSET
from broadsheet.base.records import Article, Block, Entry, Image, Label, Verdict
from broadsheet.reading import likeness

#: What a reader would call a change; how the page is filed, pictured or judged is none.
FINGERPRINTED = ("title", "authors", "published", "description", "headings", "body")


def fingerprint(article: Article) -> str:
    """Return a hash of what the article says."""
    return _fingerprint(article.to_dict())


def _fingerprint(content: Mapping[str, object]) -> str:
    said = json.dumps([_said(name, content[name]) for name in FINGERPRINTED], ensure_ascii=True)
    return hashlib.sha256(said.encode("ascii")).hexdigest()


def _said(name: str, value: object) -> object:
    """Return a value as fingerprints have always hashed it: with UTC for a time whose offset is unknown."""
    if name != "published" or not isinstance(value, str):
        return value
    moment = datetime.fromisoformat(value)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()


@dataclass(frozen=True, slots=True)
class ArticleForm:
    """An article as it is stored, so that whoever reads a page can prepare it for whoever writes."""

    json: str
    fingerprint: str
    #: The digest of the JSON.
    digest: str
    #: What read the article, if that is known.
    model: str | None = None
    #: What finds near-duplicates of its text.
    sketch: bytes = b""

    @classmethod
    def of(cls, article: Article, model: str | None = None) -> "ArticleForm":
        """Return the stored form of an article."""
        content = article.to_dict()
        text = _to_text(content)
        return cls(text, _fingerprint(content), text_digest(text), model, likeness.sketch(article.body))


def text_digest(text: str) -> str:
    """Return the digest of an article's JSON; text that was damaged on disk has one too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def from_json(text: str) -> Article:
    """Return the article that `Article.to_json` wrote."""
    values: dict[str, Any] = json.loads(text)
    for name in ("published", "modified"):
        if values.get(name) is not None:
            values[name] = _stated_time(datetime.fromisoformat(values[name]), values["evidence"].get(name, ""))
    for name in ("authors", "headings", "topics"):
        values[name] = tuple(values[name])
    values["blocks"] = tuple(
        Block(Label[block["label"].upper()], block["text"], block["path"]) for block in values["blocks"]
    )
    values["images"] = tuple(Image(**image) for image in values["images"])
    # Articles from before there were entries lack them.
    values["entries"] = tuple(map(_entry, values.get("entries", ())))
    if values["verdict"] is not None:
        verdict = values["verdict"]
        values["verdict"] = Verdict(**{**verdict, "reasons": tuple(verdict["reasons"])})
    return Article(**values)


def _stated_time(moment: datetime, evidence: str) -> datetime:
    """Return a time as its page states it; older versions wrote times without an offset as if they were in UTC."""
    return moment.replace(tzinfo=None) if NO_OFFSET in evidence else moment


def _entry(values: dict[str, Any]) -> Entry:
    time = values["time"]
    return Entry(**{**values, "time": time and datetime.fromisoformat(time)})


def to_valid_unicode(text: str) -> str:
    """Return text that any database takes: lone surrogates become question marks."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def to_valid_texts(texts: Sequence[str]) -> Sequence[str]:
    """Return texts that any database takes; most are ASCII, which one look shows for all of them."""
    return texts if "".join(texts).isascii() else [to_valid_unicode(text) for text in texts]


def to_json(article: Article) -> str:
    """Return the article as JSON that any database takes."""
    return _to_text(article.to_dict())


def _to_text(content: Mapping[str, object]) -> str:
    text = json.dumps(content, ensure_ascii=False)
    # A lone surrogate, which broken pages contain, is not valid UTF-8; escaped like this, it is valid JSON.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
