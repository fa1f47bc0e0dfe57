"""The saved pages of a site: `html/<site>.tar.xz` and, for their addresses and status, `manifest.jsonl.gz`."""

import gzip
import hashlib
import json
import lzma
import tarfile
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Self

from broadsheet.base import urls
from broadsheet.base.errors import InputError

_PACKED = ".tar.xz"
_OK = 200


class Snapshot(NamedTuple):
    """A saved page at one time: since when it had this content, and the file that holds it."""

    at: datetime
    changed: datetime
    status: int
    file: Path


@dataclass(frozen=True, slots=True)
class SavedPage:
    """One saved page and its snapshots, the oldest first."""

    name: str
    url: str
    snapshots: tuple[Snapshot, ...]

    def number(self, now: datetime) -> int:
        """Return which snapshot is the newest at a moment; before the first one, it is the first."""
        return max(0, bisect_right(self.snapshots, now, key=lambda snapshot: snapshot.at) - 1)

    def at(self, now: datetime) -> Snapshot:
        """Return the page as it was at a moment."""
        return self.snapshots[self.number(now)]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of snapshots: `html/`, `gold/`, `links/` and `manifest.jsonl.gz`."""

    path: Path

    @classmethod
    def find(cls, path: Path) -> Self:
        """Find the folder at a path, or in `temporal` below it."""
        for place in (path, path / "temporal"):
            if any(place.glob(f"html/*{_PACKED}")) and (place / "manifest.jsonl.gz").is_file():
                return cls(place)
        raise InputError(f"{path}: no snapshots here (expected html/<site>{_PACKED}, gold/ and manifest.jsonl.gz)")

    def sites(self) -> list[str]:
        """Return the sites with saved pages."""
        return sorted(file.name.removesuffix(_PACKED) for file in self.path.glob(f"html/*{_PACKED}"))

    def gold(self, site: str) -> Path:
        """Return the file of a site's golden labels."""
        return self.path / "gold" / f"{site}.jsonl.gz"

    def links(self, site: str) -> Path:
        """Return the file of the links of a site's saved pages."""
        return self.path / "links" / f"{site}.jsonl.xz"

    def saved(self, site: str, into: Path) -> list[SavedPage]:
        """Unpack the saved pages of a site into a folder, equal ones once."""
        manifest = {(row["page"], row["ts"]): row for row in self._manifest(site)}
        snapshots: dict[str, list[Snapshot]] = {}
        addresses: dict[str, str] = {}
        for page, moment, file in _unpack(self.path / "html" / f"{site}{_PACKED}", into):
            row = manifest.get((page, moment))
            if row is None:
                raise InputError(f"{self.path}/manifest.jsonl.gz: no row for {site}, {page}, {moment}")
            addresses[page] = str(row["url"])
            at = parse_moment(moment)
            # A page that was read from a cache has no status.
            snapshots.setdefault(page, []).append(Snapshot(at, at, int(row["status"] or _OK), file))
        return [SavedPage(page, addresses[page], _since(snapshots[page])) for page in sorted(snapshots)]

    def _manifest(self, site: str) -> Iterator[dict[str, str]]:
        with gzip.open(self.path / "manifest.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if row["site"] == site:
                    yield row


def home_page(site: str, pages: list[SavedPage]) -> SavedPage:
    """Return the home page of a site: at its name, or called index, or else the page with the shortest path."""
    return min(pages, key=lambda page: (urls.key(page.url) != urls.key(site), page.name != "index", len(page.url)))


def parse_moment(text: str) -> datetime:
    """Parse a time as the files name it, `20220129T022244Z`."""
    try:
        return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise InputError(f"{text!r} is not the time of a snapshot, such as 20220129T022244Z") from error


def _unpack(archive: Path, into: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the page, the time and the file of each snapshot."""
    try:
        with tarfile.open(archive, "r|xz") as members:
            for member in members:
                name = PurePosixPath(member.name)
                content = members.extractfile(member) if name.suffix == ".html" else None
                if content is not None:
                    yield name.parent.name, name.stem, _store(content.read(), into)
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise InputError(f"{archive}: cannot be unpacked ({error})") from error


def _store(body: bytes, into: Path) -> Path:
    file = into / f"{hashlib.blake2b(body, digest_size=16).hexdigest()}.html"
    if not file.exists():
        file.write_bytes(body)
    return file


def _since(snapshots: list[Snapshot]) -> tuple[Snapshot, ...]:
    """Sort the snapshots, and note since when each has had its content."""
    dated: list[Snapshot] = []
    for snapshot in sorted(snapshots):
        is_same = bool(dated) and dated[-1].file == snapshot.file
        dated.append(snapshot._replace(changed=dated[-1].changed) if is_same else snapshot)
    return tuple(dated)
