"""A made-up data folder in the layout of the real one: one site, saved three times, and a corpus of pages."""

import gzip
import json
import lzma
import tarfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

SITE = "gazette.example"
HOME = f"https://www.{SITE}/"
START = datetime(2026, 3, 2, 6, tzinfo=UTC)
#: When each page was saved: the section a little after the home page.
HOME_TIMES = tuple(START + timedelta(hours=hours) for hours in (0, 3, 6))
SECTION_TIMES = tuple(moment + timedelta(seconds=5) for moment in HOME_TIMES)

OLD, NEW, SECTION_ONLY, LATE = (
    f"{HOME}2026/03/02/{slug}-{number}"
    for number, slug in enumerate(
        (
            "the-council-votes-on-the-old-bridge",
            "a-storm-closes-the-harbour-road",
            "the-choir-wins-a-prize-abroad",
            "last-train-leaves-the-station",
        ),
        start=100_001,
    )
)
POLITICS, CULTURE, ABOUT, ODD, IMPRINT = (
    f"{HOME}{path}" for path in ("politics/", "culture/", "about/", "odd/", "imprint/")
)
TITLES = {
    OLD: "The council votes on the old bridge once more",
    NEW: "A storm closes the harbour road for three days",
    SECTION_ONLY: "The choir wins a prize abroad and comes home late",
    LATE: "The last train leaves the station with a delay",
    POLITICS: "Politics",
    CULTURE: "Culture",
    ABOUT: "About us",
    ODD: "Odd",
    IMPRINT: "Imprint",
}
_LABELS = {
    **dict.fromkeys((OLD, NEW, SECTION_ONLY, LATE), "ARTICLE"),
    POLITICS: "SECTION",
    CULTURE: "SECTION",
    ABOUT: "OTHER",
    ODD: "unknown",
    IMPRINT: "OTHER",
}
_TEXT = "The meeting went on until late and nobody who was there could say afterwards what had been agreed on it. "


def moment(at: datetime) -> str:
    return at.strftime("%Y%m%dT%H%M%SZ")


def front(name: str, targets: Iterable[str]) -> bytes:
    """Return a home or section page, in Latin-1 as it declares."""
    links = "".join(f'<li><a href="{url}">{TITLES[url]}</a></li>' for url in targets)
    head = f'<head><meta charset="iso-8859-1"><title>{name} für alle</title></head>'
    return f'<html lang="en-GB">{head}<body><ul>{links}</ul></body></html>'.encode("latin-1")


FRONTS: Mapping[str, tuple[str, tuple[datetime, ...], tuple[bytes, ...]]] = {
    "index": (
        HOME,
        HOME_TIMES,
        (
            front("Home", (POLITICS, CULTURE, ABOUT, ODD, IMPRINT, OLD)),
            front("Home", (POLITICS, CULTURE, ABOUT, ODD, IMPRINT, NEW)),
            front("Home", (POLITICS, CULTURE, ABOUT, ODD, IMPRINT, NEW, LATE)),
        ),
    ),
    "politics": (
        POLITICS,
        SECTION_TIMES,
        (front("Politics", (OLD,)), front("Politics", (OLD, SECTION_ONLY)), front("Politics", (OLD, SECTION_ONLY))),
    ),
    "imprint": (IMPRINT, HOME_TIMES[:1], (front("Gone", ()),)),
}


def corpus_page(kind: str, number: int) -> str:
    """Return a page of a corpus with everything that has to be replaced or removed."""
    url = f"https://news{number}.example/{kind}/{number}"
    data = {"@type": "NewsArticle", "headline": "Original", "url": url, "mainEntityOfPage": url, "@id": url}
    paragraphs = "".join(f"<p>{kind} {number} {_TEXT * 2}</p>" for _ in range(5 if kind == "article" else 1))
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>' if kind == "article" else ""
    return (
        f'<html lang="en"><head><title>Original {number}</title><meta property="og:title" content="Original">'
        f'<meta property="og:url" content="{url}"><link rel="canonical" href="{url}">'
        f'<link rel="alternate" hreflang="de" href="{url}/de">{script}</head>'
        f'<body><h1><b>Original</b> {number}</h1>{paragraphs}<a href="/more">More</a>'
        f'<a href="/2020/01/01/story">A long headline of another story</a><a href="https://other.example/">Other</a>'
        f"</body></html>"
    )


def label(kind: str, number: int, **other: object) -> dict[str, object]:
    """Return a row of a corpus's labels."""
    url = f"https://news{number}.example/{kind}/{number}"
    row = {"id": f"{kind}-{number}", "url": url, "lang": "en", "page_type": kind, "news_site": True, "split": "train"}
    return {**row, **other}


def write_corpus(path: Path, labels: Iterable[Mapping[str, object]]) -> None:
    """Pack a corpus of made-up pages as `<corpus>.tar.xz`."""
    rows = list(labels)
    name = path.name.removesuffix(".tar.xz")
    with tarfile.open(path, "w:xz") as archive:
        _add(archive, f"{name}/labels.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
        for row in rows:
            kind, _, number = str(row["id"]).rpartition("-")
            _add(archive, f"{name}/html/{row['id']}.html", corpus_page(kind, int(number)).encode())


def write_snapshots(folder: Path, *, with_links: bool = True) -> None:
    """Write `html/`, `gold/`, `links/` and the manifest."""
    for name in ("html", "gold", "links"):
        (folder / name).mkdir(parents=True)
    rows = []
    with tarfile.open(folder / "html" / f"{SITE}.tar.xz", "w:xz") as archive:
        for page, (url, times, bodies) in FRONTS.items():
            for at, body in zip(times, bodies, strict=True):
                _add(archive, f"{page}/{moment(at)}.html", body)
                status = 404 if page == "imprint" else 200 if page == "index" else None
                rows.append({"site": SITE, "page": page, "url": url, "ts": moment(at), "status": status})
    # Home pages go on to be listed, without being saved.
    rows.append({"site": SITE, "page": "index", "url": HOME, "ts": "20260402T060000Z", "status": 200})
    with gzip.open(folder / "manifest.jsonl.gz", "wt") as manifest:
        manifest.writelines(json.dumps(row) + "\n" for row in rows)
    with gzip.open(folder / "gold" / f"{SITE}.jsonl.gz", "wt") as gold:
        for url, name in _LABELS.items():
            row = {"url": url, "label": name, "subtype": "made_up", "confidence": "high", "texts": [TITLES[url]]}
            gold.write(json.dumps(row) + "\n")
    if with_links:
        _write_links(folder / "links" / f"{SITE}.jsonl.xz")


def write_data(folder: Path) -> Path:
    """Write a whole data folder, with `temporal/` and `pages/`."""
    write_snapshots(folder / "temporal")
    (folder / "pages").mkdir()
    kinds = {"article": 8, "section": 3, "other": 3}
    write_corpus(
        folder / "pages" / "papers.tar.xz",
        (label(kind, number) for kind, count in kinds.items() for number in range(count)),
    )
    return folder


def _write_links(path: Path) -> None:
    with lzma.open(path, "wt") as lines:
        for page, (_, times, bodies) in FRONTS.items():
            for number, at in enumerate(times):
                row: dict[str, object] = {"page": page, "ts": moment(at)}
                if number and bodies[number] == bodies[number - 1]:
                    row["same_as"] = moment(times[number - 1])
                else:
                    targets = [url for url in TITLES if url.encode() in bodies[number]]
                    row["links"] = [[url, "/html/body/a", TITLES[url]] for url in targets]
                lines.write(json.dumps(row) + "\n")


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, BytesIO(data))
