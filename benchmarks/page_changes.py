"""Measure how often pages of real sites keep the same bytes from one visit to the next.

    python -m benchmarks.page_changes --snapshots DIR

**Saved pages**: consecutive snapshots up to 45 minutes apart that have the same links in the same order, site by site
(`links/<site>.jsonl.xz`). Pages whose links change have changed bytes anyway.

**Copies** of foxnews.com: 18 of the home page and of the pages that it links to, by golden label. The program that
saved them fetched only what the home page linked to at that moment, and kept older files as they were: pages without
such a link are the same in all copies. So only pages that it links to in both copies tell anything; what is left over
is a row of its own. The links of the home page were rewritten to names of files, which differ from copy to copy; those
of the other pages were not.
"""

import argparse
import json
import lzma
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.replay.golden import GoldenLabels
from benchmarks.replay.saved_changes import Sameness, sameness_of_fronts
from benchmarks.replay.snapshots import Folder, parse_moment
from benchmarks.table import lay_out
from broadsheet.base.errors import InputError

LINKED_SITE = "foxnews.com"
HOME = "index.html"
#: Pairs of copies are told apart by how many minutes lie between them, at most.
GAPS = (5, 15, 35, 75)


class CopiedPage(NamedTuple):
    """A page in one copy of a site: what it is by its golden label, and the digest of its bytes."""

    label: str
    digest: str


#: Pages of each copy, by the name of their file.
Copies = Mapping[datetime, Mapping[str, CopiedPage]]
#: The label of pages that the home page of their copy does not link to.
LEFT_OVER = "LEFT OVER"


def read_copies(folder: Path, labels: GoldenLabels) -> Copies:
    """Read the pages of all copies that have a certain label; those that were not fetched again are left over."""
    linked = {
        parse_moment(row["ts"]): {link[0].partition("#")[0].partition("?")[0] for link in row["links"]}
        for row in _rows(folder / "links.jsonl.xz")
        if row["file"] == HOME
    }
    copies: dict[datetime, dict[str, CopiedPage]] = {at: {} for at in linked}
    for row in _rows(folder / "pages.jsonl.xz"):
        at, golden = parse_moment(row["ts"]), labels.find(row.get("canonical") or row.get("og_url") or "")
        if golden is not None and golden.is_certain and at in linked:
            label = golden.label if row["file"] in linked[at] else LEFT_OVER
            copies[at][row["file"]] = CopiedPage(label, row["blob"])
    return copies


def compare_copies(copies: Copies, label: str) -> dict[int, Sameness]:
    """Compare the pages that have a label in both of two copies, by how far apart these are."""
    found: dict[int, list[tuple[bool, timedelta]]] = {}
    for (at, pages), (later, later_pages) in combinations(sorted(copies.items()), 2):
        gap = next((gap for gap in GAPS if later - at <= timedelta(minutes=gap)), None)
        if gap is not None:
            for name in sorted(pages.keys() & later_pages.keys()):
                if pages[name].label == later_pages[name].label == label:
                    is_same = pages[name].digest == later_pages[name].digest
                    found.setdefault(gap, []).append((is_same, later - at))
    return {gap: _sum_up(pairs) for gap, pairs in sorted(found.items())}


def _sum_up(pairs: Sequence[tuple[bool, timedelta]]) -> Sameness:
    apart = sum((apart for _, apart in pairs), timedelta()) / len(pairs)
    return Sameness(len(pairs), sum(same for same, _ in pairs), apart)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def show_fronts(folder: Folder) -> str:
    """Lay out a row for each site."""
    rows = []
    for site in folder.sites():
        found = list(sameness_of_fronts(folder.links(site)).values())
        pairs, same = sum(each.pairs for each in found), sum(each.same for each in found)
        never = sum(each.same == each.pairs for each in found)
        always = sum(each.same == 0 for each in found)
        rows.append([site, str(len(found)), str(pairs), _share(same, pairs), str(never), str(always)])
    return lay_out(["site", "pages", "pairs", "same bytes", "never change", "always change"], rows, left=1)


def show_linked(copies: Copies) -> str:
    """Lay out a row for each label, with the pairs and the share that are the same."""
    rows = []
    for label in ("ARTICLE", "SECTION", "OTHER", LEFT_OVER):
        found = compare_copies(copies, label)
        cells = (f"{_share(each.same, each.pairs)} of {each.pairs:,}" if each else "" for each in map(found.get, GAPS))
        rows.append([label.lower(), *cells])
    return lay_out([LINKED_SITE, *(f"up to {gap} min" for gap in GAPS)], rows, left=1)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "\N{EN DASH}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.page_changes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--snapshots", type=Path, required=True, metavar="DIR", help="html/, gold/, links/ and others")
    try:
        folder = Folder.find(parser.parse_args(arguments).snapshots)
        print(show_fronts(folder))
        if (folder.path / LINKED_SITE).is_dir():
            labels = GoldenLabels.read(folder.gold(LINKED_SITE))
            print("\n" + show_linked(read_copies(folder.path / LINKED_SITE, labels)))
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
