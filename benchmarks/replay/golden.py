"""What each address of a site is, by the golden labels."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from broadsheet.base import urls
from broadsheet.base.errors import InputError

#: The kind of page that stands in for a target, by its golden label.
KINDS = {"ARTICLE": "article", "SECTION": "section", "OTHER": "other"}


@dataclass(frozen=True, slots=True)
class Golden:
    """The golden label of one address, and the text of the links that lead to it."""

    key: str
    url: str
    label: str
    subtype: str
    is_certain: bool
    anchor: str

    @property
    def kind(self) -> str:
        """The kind of page that stands in for it."""
        return KINDS.get(self.label, "other")


class GoldenLabels:
    """The golden labels of a site, found by address."""

    def __init__(self, labels: Iterable[Golden]) -> None:
        """Index the labels; of several for one page the first counts."""
        self._labels: dict[str, Golden] = {}
        for golden in labels:
            self._labels.setdefault(golden.key, golden)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the labels of a site, `gold/<site>.jsonl.gz`."""
        try:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                return cls(_golden(json.loads(line)) for line in lines)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: cannot be read as golden labels ({error!r})") from error

    def __iter__(self) -> Iterator[Golden]:
        """Give all labels."""
        return iter(self._labels.values())

    def find(self, url: str) -> Golden | None:
        """Return the label of an address; one with a query that has no label has that of the address without it."""
        return self._labels.get(urls.key(url)) or self._labels.get(urls.key(url.partition("?")[0]))


def _golden(row: dict[str, object]) -> Golden:
    url, texts = str(row["url"]), row.get("texts")
    # The most frequent text comes first.
    anchors = (str(text).strip() for text in texts) if isinstance(texts, list) else iter(())
    return Golden(
        key=urls.key(url),
        url=url,
        label=str(row["label"]),
        subtype=str(row.get("subtype") or ""),
        is_certain=row.get("confidence") == "high",
        anchor=next(filter(None, anchors), ""),
    )
