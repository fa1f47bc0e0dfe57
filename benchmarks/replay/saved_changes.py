"""How often saved pages keep the same bytes while their links stay the same: tokens, counters and advertisements."""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.replay.snapshots import parse_moment

#: Two snapshots of a page that are further apart than this are not compared: most are half an hour apart.
MAX_APART = timedelta(minutes=45)


@dataclass(frozen=True, slots=True)
class Sameness:
    """Pairs of visits to a page: how many, how many of them found the same bytes, and how far apart they were."""

    pairs: int
    same: int
    apart: timedelta

    def chance(self, span: timedelta) -> float:
        """Return how likely the bytes stay the same for so long, if they are as likely to change at any time."""
        return float((self.same / self.pairs) ** (span / self.apart))


class _Saved(NamedTuple):
    """One snapshot of a page: its time, the time of the first one with the same bytes, and its links in order."""

    at: datetime
    bytes_of: datetime
    links: tuple[tuple[str, str], ...]


def sameness_of_fronts(links: Path) -> dict[str, Sameness]:
    """Return, for each page of `links/<site>.jsonl.xz`, how consecutive snapshots with the same links compare."""
    found = {}
    for page, snapshots in _read(links).items():
        pairs = [pair for pair in pairwise(snapshots) if _is_comparable(*pair)]
        if pairs:
            apart = sum((later.at - earlier.at for earlier, later in pairs), timedelta()) / len(pairs)
            same = sum(later.bytes_of == earlier.bytes_of for earlier, later in pairs)
            found[page] = Sameness(len(pairs), same, apart)
    return found


def _is_comparable(earlier: _Saved, later: _Saved) -> bool:
    return later.at - earlier.at <= MAX_APART and earlier.links == later.links


def _read(path: Path) -> dict[str, list[_Saved]]:
    first: dict[tuple[str, datetime], _Saved] = {}
    pages: dict[str, list[_Saved]] = {}
    for row in _rows(path):
        page, at = str(row["page"]), parse_moment(str(row["ts"]))
        if row.get("same_as"):
            saved = first[page, parse_moment(str(row["same_as"]))]._replace(at=at)
        else:
            saved = _Saved(at, at, tuple((link[0], link[2]) for link in row.get("links") or ()))
        first[page, at] = saved
        pages.setdefault(page, []).append(saved)
    return {page: sorted(snapshots) for page, snapshots in sorted(pages.items())}


def _rows(path: Path) -> Iterator[dict[str, list[list[str]]]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
