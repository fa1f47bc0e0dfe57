"""Real sites: `temporal/` (links of fronts again and again), `more/days` (fronts) and labelled articles."""

import gzip
import json
import lzma
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.newsweb.snapshot import SeenLink, SeenLinks, SeenSite, read_text

#: Snapshots closer together than this are left out, so that both webs are looked at hourly.
MIN_INTERVAL = timedelta(minutes=50)
#: The first run of the snapshots ends here; later ones are months apart.
END = "202202"
#: The corpora with whole bodies of today's articles.
ARTICLES = ("fundus", "fundus_eval", "zyte_aeb")


def read_sites(data: Path, most_pages: int) -> list[SeenSite]:
    """Read the sites with snapshots."""
    return [_site(data, file, most_pages) for file in sorted((data / "temporal" / "links").glob("*.jsonl.xz"))]


def read_texts(data: Path, most: int) -> list[SeenSite]:
    """Read fronts of the sites that were saved on some days, and labelled articles."""
    return [*_days(data, most), *_articles(data)]


def _site(data: Path, file: Path, most_pages: int) -> SeenSite:
    name = file.name.removesuffix(".jsonl.xz")
    gold = _gold(data / "temporal" / "gold" / f"{name}.jsonl.gz")
    site = SeenSite(name)
    with lzma.open(file, "rt") as rows:
        for row in map(json.loads, rows):
            if row["run"] >= END or not row.get("links"):
                continue
            if row["page"] not in site.fronts and len(site.fronts) == most_pages:
                continue
            at = datetime.strptime(row["ts"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            front = site.fronts.setdefault(row["page"], [])
            if front and at - front[-1].at < MIN_INTERVAL:
                continue
            front.append(SeenLinks(at, tuple(_own_links(row["links"], name, gold))))
    return site


def _own_links(links: list[list[str]], site: str, gold: dict[str, str]) -> Iterator[SeenLink]:
    for url, path, text in links:
        if (urlsplit(url).hostname or "").endswith(site):
            address = url.partition("#")[0]
            label = gold.get(address, "unknown")
            yield SeenLink(address, path, text, None if label == "unknown" else label == "ARTICLE")


def _gold(file: Path) -> dict[str, str]:
    with gzip.open(file, "rt") as rows:
        return {row["url"]: row["label"] for row in map(json.loads, rows)}


def _days(data: Path, most: int) -> Iterator[SeenSite]:
    for file in sorted((data / "more" / "days").glob("*/html.tar.xz")):
        site = SeenSite(file.parent.name)
        with tarfile.open(file) as archive:
            for member in archive:
                if not member.isfile() or len(site.front_texts) == most:
                    continue
                content = archive.extractfile(member)
                if content and (text := read_text(content.read())):
                    site.front_texts.append(text)
        yield site


def _articles(data: Path) -> Iterator[SeenSite]:
    for corpus in ARTICLES:
        sites: dict[str, SeenSite] = {}
        with tarfile.open(data / "pages" / f"{corpus}.tar.xz") as archive:
            pages = {Path(member.name).stem: member for member in archive if member.name.endswith(".html")}
            labels = archive.extractfile(f"{corpus}/labels.jsonl")
            for row in map(json.loads, labels.read().splitlines() if labels else ()):
                content = archive.extractfile(pages[row["id"]]) if row["id"] in pages else None
                if content is None or row["page_type"] != "article" or not row["body"]:
                    continue
                if text := read_text(content.read(), row["body"]):
                    sites.setdefault(row["domain"], SeenSite(row["domain"])).article_texts.append(text)
        yield from sites.values()
