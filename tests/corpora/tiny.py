"""Tiny corpora in the layouts of real ones."""

import io
import json
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from broadsheet.corpora.labelled_page import LabelledPage, PageLabels

PARAGRAPHS = (
    "The harbour of Brimmouth was closed on Monday after a crane fell into the basin.",
    "Nobody was hurt, said the harbour master, who watched it from the pier.",
    "Divers will look at the wreck as soon as the storm has passed the coast.",
)

PAGE = """<html><head><title>Crane falls - The Courier</title></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<div class="teaser"><p>{0}</p></div>
<h1>Crane falls into the harbour</h1>
<p class="byline">By <a href="/jane">Jane Doe</a></p><p><time>2 March 2026</time></p>
<p>{0}</p><p>{1}</p><p>{2}</p>
<footer>All rights reserved by the Courier and its owners since 1871.</footer></body></html>"""


def html(paragraphs: Sequence[str] = PARAGRAPHS) -> str:
    return PAGE.format(*paragraphs)


def row(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "url": f"https://www.courier.example/{name}",
        "domain": "courier.example",
        "lang": "en",
        "page_type": "article",
        "title": "Crane falls into the harbour",
        "date": "2026-03-02",
        "authors": ["Jane Doe"],
        "headings": None,
        "body": "\n\n".join(PARAGRAPHS),
        "body_kind": "full (checked)",
        "with": None,
        "without": None,
        "body_in_html": 1.0,
        "split": "dev",
        **changes,
    }


def page(name: str = "one", markup: str | None = None, corpus: str = "tiny", **changes: Any) -> LabelledPage:
    return LabelledPage(PageLabels.from_row(corpus, row(name, **changes)), (markup or html()).encode())


def folder(parent: Path, name: str, rows: Sequence[dict[str, Any]], pages: dict[str, str] | None = None) -> Path:
    corpus = parent / name
    (corpus / "html").mkdir(parents=True)
    lines = [json.dumps(each) for each in rows]
    (corpus / "labels.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for page_name, markup in (pages or {each["id"]: html() for each in rows}).items():
        (corpus / "html" / f"{page_name}.html").write_text(markup, encoding="utf-8")
    return corpus


def packed(corpus: Path, labels_first: bool = True) -> Path:
    archive = corpus.parent / "packed" / f"{corpus.name}.tar.xz"
    archive.parent.mkdir(exist_ok=True)
    names = ["labels.jsonl", *(f"html/{path.name}" for path in sorted((corpus / "html").iterdir()))]
    with tarfile.open(archive, "w:xz") as file:
        for name in names if labels_first else names[::-1]:
            data = (corpus / name).read_bytes()
            member = tarfile.TarInfo(f"{corpus.name}/{name}")
            member.size = len(data)
            file.addfile(member, io.BytesIO(data))
    return archive
