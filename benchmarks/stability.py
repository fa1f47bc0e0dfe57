"""How often link collections keep their identity: `python -m benchmarks.stability SNAPSHOTS`.

SNAPSHOTS has the layout of the shared data's `temporal/`: `html/<site>.tar.xz` with `<page>/<UTC time>.html`, and
`gold/<site>.jsonl.gz` with the kind of each URL. Consecutive, different snapshots of a page are compared. A collection
of three targets or more **persists** if its Jaccard similarity with a collection of the next snapshot is at least one
half; the most similar one is its successor, and it **keeps its identity** if both have the same. Purity is the share of
links of known kind that are of the most common kind of their collection: a single collection for the whole page would
always keep its identity, but be impure.
"""

import argparse
import gzip
import json
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import broadsheet
from broadsheet.base.urls import key

MIN_TARGETS = 3
MIN_SHARED = 0.5

Collections = dict[int, tuple[str, ...]]


@dataclass
class Tally:
    """Counts over the snapshots of one site."""

    snapshots: int = 0
    links: int = 0
    collections: int = 0
    compared: int = 0
    persisted: int = 0
    kept: int = 0
    still_there: int = 0
    known: int = 0
    majority: int = 0
    pages: set[str] = field(default_factory=set)

    def add(self, other: "Tally") -> None:
        """Add another site's counts."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) | value if name == "pages" else getattr(self, name) + value)

    def row(self, site: str) -> list[str]:
        """Return one row of the table."""
        return [
            site,
            f"{len(self.pages)}",
            f"{self.snapshots}",
            _share(self.links, self.snapshots, ".0f"),
            _share(self.collections, self.snapshots, ".0f"),
            _share(self.persisted, self.compared, ".3f"),
            _share(self.kept, self.persisted, ".4f"),
            _share(self.still_there, self.compared, ".4f"),
            _share(self.majority, self.known, ".3f"),
        ]


def _share(part: int, whole: int, form: str) -> str:
    # A site whose pages never change has nothing to compare.
    return format(part / whole, form) if whole else "–"


def read_collections(page: bytes, url: str) -> Collections:
    """Return the targets of each collection of a page, in order, by identity."""
    links = broadsheet.parse(page, url).links
    by_identity: dict[int, list[str]] = {}
    identities = links.collections.identity.tolist()
    for collection, target in zip(links.collection.tolist(), links.target.tolist(), strict=True):
        if target >= 0:
            by_identity.setdefault(identities[collection], []).append(links.keys[target])
    return {identity: tuple(targets) for identity, targets in by_identity.items()}


def compare(before: Collections, after: Collections, tally: Tally) -> None:
    """Count the collections that persist from one snapshot to the next, and those that keep their identity."""
    sets = {identity: frozenset(targets) for identity, targets in after.items()}
    holders: dict[str, list[int]] = {}
    for identity, targets in sets.items():
        for target in targets:
            holders.setdefault(target, []).append(identity)
    for identity, ordered in before.items():
        targets = frozenset(ordered)
        if len(targets) < MIN_TARGETS:
            continue
        tally.compared += 1
        tally.still_there += identity in after
        shared = Counter(holder for target in targets for holder in holders.get(target, ()))
        # An image and a headline have the same targets, so on a tie the same identity wins.
        similarity, kept = max(
            ((count / len(targets | sets[holder]), holder == identity) for holder, count in shared.items()),
            default=(0.0, False),
        )
        if similarity >= MIN_SHARED:
            tally.persisted += 1
            tally.kept += kept


def count_purity(collections: Collections, kinds: dict[str, str], tally: Tally) -> None:
    """Count the links of known kind, and those of the most common kind of their collection."""
    for targets in collections.values():
        known = Counter(kinds[target] for target in targets if target in kinds)
        tally.known += known.total()
        tally.majority += max(known.values(), default=0)


def measure(archive: Path, kinds: dict[str, str]) -> Tally:
    """Compare all snapshots of one site."""
    tally = Tally()
    site = archive.name.removesuffix(".tar.xz")
    last: dict[str, tuple[bytes, Collections]] = {}
    for page, data in _snapshots(archive):
        before = last.get(page)
        if before and before[0] == data:
            continue
        collections = read_collections(data, f"https://www.{site}/")
        if before:
            compare(before[1], collections, tally)
        count_purity(collections, kinds, tally)
        last[page] = data, collections
        tally.snapshots += 1
        tally.pages.add(f"{site}/{page}")
        tally.links += sum(map(len, collections.values()))
        tally.collections += len(collections)
    return tally


def _snapshots(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the pages of an archive; the snapshots of each page are consecutive and in order."""
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            if member.name.endswith(".html") and (file := members.extractfile(member)):
                yield PurePosixPath(member.name).parent.name, file.read()


def read_kinds(gold: Path) -> dict[str, str]:
    """Return the kinds that are known with high confidence, by URL key; empty if the file does not exist."""
    if not gold.exists():
        return {}
    with gzip.open(gold, "rt", encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return {key(row["url"]): row["label"] for row in rows if row["confidence"] == "high"}


def main() -> int:
    """Run the command and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stability", description=__doc__)
    parser.add_argument("snapshots", type=Path, help="a folder with html/<site>.tar.xz")
    folder: Path = parser.parse_args().snapshots
    archives = sorted((folder / "html").glob("*.tar.xz"))
    if not archives:
        parser.error(f"no html/*.tar.xz in {folder}")
    total = Tally()
    print("| site | pages | snapshots | links | collections | persist | keep identity | identity there | purity |")
    print("|---|---|---|---|---|---|---|---|---|")
    for number, archive in enumerate(archives, 1):
        site = archive.name.removesuffix(".tar.xz")
        print(f"{number} of {len(archives)}: {site}", file=sys.stderr)
        tally = measure(archive, read_kinds(folder / "gold" / f"{site}.jsonl.gz"))
        print("| " + " | ".join(tally.row(site)) + " |", flush=True)
        total.add(tally)
    print("| " + " | ".join(total.row("**all**")) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
