"""Sites whose pages were saved again and again, with what their addresses are: links or pages in a folder on disk.

Two layouts are read. One has `links/<site>.jsonl.xz` (or `html/<site>.tar.xz` with `manifest.jsonl.gz`) and
`gold/<site>.jsonl.gz`; the other has a folder per site with `links.jsonl.xz` and `gold.jsonl.gz`.
"""

import gzip
import json
import lzma
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.base.records import KINDS, Kind
from broadsheet.corpora.saved_visit import SavedVisit, document_links, key_of
from broadsheet.document import parse
from broadsheet.sources.link_history import LinkVisit

#: From this day on only home pages were saved, once a month.
SPARSE_FROM = "20220131"
_FETCHED = (200, None)  # the status of some pages was not recorded


@dataclass(frozen=True, slots=True)
class SnapshotSite:
    """A site that was saved again and again."""

    site: str
    #: Links, or pages in a tar file.
    saved: Path
    gold: Path
    manifest: Path | None = None

    @property
    def judged(self) -> None:
        """Targets are judged after every snapshot."""
        return

    def state(self) -> Mapping[str, object]:
        """Return the sizes of the files."""
        return {"links": self.saved.stat().st_size, "gold": self.gold.stat().st_size}

    def visits(self) -> list[SavedVisit]:
        """Return the visits in the order of time; snapshots are numbered from 1, and repeated rows left out."""
        rows = {(row["page"], row["ts"]): row for row in self._rows() if row["ts"] < SPARSE_FROM}
        runs = sorted({_run(row) for row in rows.values()})
        snapshots = {run: number for number, run in enumerate(runs, 1)}
        found: dict[tuple[str, str], SavedVisit] = {}
        keyed = sorted(rows.items(), key=lambda item: (_run(item[1]), item[1]["ts"], item[1]["page"]))
        seen = set()
        for place, row in keyed:
            # Some pages stand twice, under two names.
            moment = key_of(row["url"]), row["ts"]
            if moment not in seen:
                seen.add(moment)
                earlier = found.get((row["page"], row.get("same_as") or ""))
                found[place] = _visit(row, snapshots[_run(row)], earlier)
        return list(found.values())

    def kinds(self) -> dict[str, Kind]:
        """Return what is known with high confidence, by the key of the address."""
        known: dict[str, Kind] = {}
        for row in json_rows(self.gold):
            kind = next((kind for kind in KINDS if kind == row["label"].lower()), None)
            if kind and row["confidence"] == "high":
                known.setdefault(key_of(row["url"]), kind)
        return known

    def is_own(self, url: str) -> bool:
        """Return whether an address is on the site."""
        return registrable_domain(url) == registrable_domain(f"https://{self.site}/")

    def _rows(self) -> Iterator[dict[str, Any]]:
        return _parsed_rows(self.saved, self.manifest, self.site) if self.manifest else json_rows(self.saved)


def find_snapshot_sites(folder: Path) -> list[SnapshotSite]:
    """Return the sites of a folder that have golden labels, in the order of their names."""
    found = {}
    for gold in sorted(folder.glob("gold/*.jsonl.gz")):
        site = gold.name.removesuffix(".jsonl.gz")
        links, pages = folder / "links" / f"{site}.jsonl.xz", folder / "html" / f"{site}.tar.xz"
        if links.exists():
            found[site] = SnapshotSite(site, links, gold)
        elif pages.exists():
            found[site] = SnapshotSite(site, pages, gold, folder / "manifest.jsonl.gz")
    for links in sorted(folder.glob("*/links.jsonl.xz")):
        gold = links.parent / "gold.jsonl.gz"
        if gold.exists():
            found[links.parent.name] = SnapshotSite(links.parent.name, links, gold)
    if not found:
        raise InputError(_why_empty(folder))
    return [found[site] for site in sorted(found)]


def sites_without_labels(folder: Path) -> list[str]:
    """Return the sites of a folder that have snapshots, but no golden labels, in the order of their names."""
    saved = {path.name.removesuffix(".jsonl.xz") for path in folder.glob("links/*.jsonl.xz")}
    saved |= {path.name.removesuffix(".tar.xz") for path in folder.glob("html/*.tar.xz")}
    saved = {site for site in saved if not (folder / "gold" / f"{site}.jsonl.gz").exists()}
    folders = (path.parent for path in folder.glob("*/links.jsonl.xz"))
    return sorted(saved | {path.name for path in folders if not (path / "gold.jsonl.gz").exists()})


def _why_empty(folder: Path) -> str:
    if not folder.is_dir():
        return f"{folder} is not a folder; name one with snapshots of sites"
    saved = [*folder.glob("links/*.jsonl.xz"), *folder.glob("html/*.tar.xz"), *folder.glob("*/links.jsonl.xz")]
    if saved:
        return f"{folder} has snapshots, but no golden labels of their sites: add gold/SITE.jsonl.gz"
    return f"{folder} has no snapshots: it needs links/SITE.jsonl.xz and gold/SITE.jsonl.gz"


def _run(row: dict[str, Any]) -> str:
    return str(row.get("run") or row["ts"])


def _visit(row: dict[str, Any], snapshot: int, earlier: SavedVisit | None) -> SavedVisit:
    page, at = key_of(row["url"]), datetime.strptime(row["ts"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()
    links = row.get("links")
    if links is None and earlier is not None:
        same = earlier.visit
        again = LinkVisit(page, at, snapshot, same.targets, same.collections, same.positions)
        return SavedVisit(again, earlier.urls, earlier.anchors, earlier.paths)
    return SavedVisit.of(page, at, snapshot, links if row.get("status", 200) in _FETCHED else None)


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a packed file of JSON lines; raise InputError if it is damaged."""
    open_text = lzma.open if path.suffix == ".xz" else gzip.open
    try:
        with open_text(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
    except FileNotFoundError as error:
        raise InputError(f"{path} is missing") from error
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise InputError(f"{path} is damaged: {error}") from error


def _parsed_rows(pages: Path, manifest: Path, site: str) -> Iterator[dict[str, Any]]:
    """Give the rows of a manifest with the links of the saved pages."""
    rows = {f"{row['page']}/{row['ts']}.html": row for row in json_rows(manifest) if row["site"] == site}
    with tarfile.open(pages) as archive:
        for member in archive:
            row = rows.get(member.name.removeprefix("./").removeprefix(f"{site}/"))
            content = archive.extractfile(member)
            if row is None or content is None or row["ts"] >= SPARSE_FROM:
                continue
            yield {**row, "links": document_links(parse(content.read(), row["url"]))}
