"""Pages of the sites that were saved again and again: home pages, sections, imprints, privacy statements.

What a page is, is known from the golden labels of the site's addresses. Two snapshots of each page are read, the first
and the last: those in between are nearly the same.
"""

import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from broadsheet.base import urls
from broadsheet.base.counters import Counters
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Kind
from broadsheet.corpora.labelled_page import Gold, PageLabels, Split
from broadsheet.corpora.snapshot_folder import SPARSE_FROM, SnapshotSite, find_snapshot_sites, json_rows

#: The folders of followed sites, which serve as the names of their corpora, and where they are.
FOLLOWED = {"temporal": PurePosixPath("temporal"), "days": PurePosixPath("more/days")}

_FETCHED = (200, None)


class FollowedPage(NamedTuple):
    """A saved page with its labels; its bytes are as the site sent them."""

    labels: PageLabels
    html: bytes


class _SiteArchive(NamedTuple):
    """The pages of one site, and the file that has their addresses."""

    corpus: str
    site: SnapshotSite
    pages: Path
    addresses: Path


def followed_pages(data: Path, splits: Mapping[str, Split], counters: Counters) -> Iterator[FollowedPage]:
    """Yield the pages of the followed sites whose kind is known; `splits` has the splits of known sites.

    Sites that no corpus has are trained on.
    """
    for archive in _archives(data):
        wanted = _wanted(archive, splits, counters)
        with tarfile.open(archive.pages) as members:
            for member in members:
                labels = wanted.pop("/".join(PurePosixPath(member.name).with_suffix("").parts[-2:]), None)
                file = members.extractfile(member) if labels else None
                if labels and file:
                    yield FollowedPage(labels, file.read())
        if wanted:
            counters.count("left out", "no page for these labels", len(wanted))


def _archives(data: Path) -> Iterator[_SiteArchive]:
    for corpus, folder in FOLLOWED.items():
        for site in find_snapshot_sites(data / folder) if (data / folder).is_dir() else ():
            alone, together = data / folder / site.site, data / folder
            for pages, addresses in (
                (alone / "html.tar.xz", alone / "links.jsonl.xz"),
                (together / "html" / f"{site.site}.tar.xz", together / "manifest.jsonl.gz"),
            ):
                if pages.exists() and addresses.exists():
                    yield _SiteArchive(corpus, site, pages, addresses)


def _wanted(archive: _SiteArchive, splits: Mapping[str, Split], counters: Counters) -> dict[str, PageLabels]:
    """Return the labels of the pages to read, by page and time."""
    kinds, site = archive.site.kinds(), archive.site.site
    wanted = {}
    for name, url in _first_and_last(site, archive.addresses).items():
        kind = _kind(url, kinds)
        if kind:
            wanted[name] = _labels(archive.corpus, f"{site}/{name}", url, kind, splits)
        else:
            counters.count("left out", "a saved page of unknown kind")
    return wanted


def _first_and_last(site: str, addresses: Path) -> dict[str, str]:
    """Return the addresses of each page's first and last snapshot, by page and time."""
    times: dict[str, list[tuple[str, str]]] = {}
    for row in json_rows(addresses):
        if row["site"] == site and row["ts"] < SPARSE_FROM and row.get("status") in _FETCHED:
            times.setdefault(row["page"], []).append((row["ts"], row["url"]))
    return {f"{page}/{time}": url for page, rows in times.items() for time, url in (min(rows), max(rows))}


def is_root(url: str | None) -> bool:
    """Return whether a URL is that of a site; a missing one counts as such."""
    parts = urlsplit(url or "")
    return not parts.path.strip("/") and not parts.query


def _kind(url: str, kinds: Mapping[str, Kind]) -> Kind | None:
    return "section" if is_root(url) else kinds.get(urls.key(url))


def _labels(corpus: str, name: str, url: str, kind: Kind, splits: Mapping[str, Split]) -> PageLabels:
    domain = registrable_domain(url)
    return PageLabels(
        name=name,
        corpus=corpus,
        site=domain,
        split=splits.get(domain, "train"),
        language=None,
        kind=kind,
        url=url,
        gold=Gold(),
        news_site=True,
    )
