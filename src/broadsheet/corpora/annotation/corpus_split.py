"""Divide an annotated corpus into two: pages to learn from, and pages to test on."""

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from typing import Literal, NamedTuple, TypeAlias

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.annotated_corpus import AnnotatedCorpus, check_name, create_corpus
from broadsheet.corpora.annotation.annotation_conversion import to_row
from broadsheet.corpora.annotation.label_set import FILE as LABEL_SET
from broadsheet.corpora.labelled_page import PageLabels, Split
from broadsheet.corpora.site_splits import leave_one_site_out, pages_apart, sites_apart

#: By single pages; by sites, so that no site is on both sides; or once for every site, which alone is tested.
Division: TypeAlias = Literal["page", "site", "each-site"]
LEARN, TEST = "learn", "test"


class CorpusPart(NamedTuple):
    """A division: the site that is tested, if it is a single one, and the pages of both sides."""

    site: str | None
    learned: Sequence[PageLabels]
    tested: Sequence[PageLabels]


def divide(pages: Sequence[PageLabels], by: Division, share: float, seed: int = 0) -> list[CorpusPart]:
    """Divide pages; raise if a side would be empty."""
    if by == "each-site":
        parts = [CorpusPart(*division) for division in leave_one_site_out(pages)]
    else:
        apart = pages_apart if by == "page" else sites_apart
        parts = [CorpusPart(None, *apart(pages, share, seed))]
    if not all(part.learned and part.tested for part in parts):
        what = "pages" if by == "page" else "sites"
        raise InputError(f"there are too few {what} to divide: a side would be empty")
    return parts


def write_parts(corpus: AnnotatedCorpus, annotator: str, parts: Sequence[CorpusPart], folder: Path) -> None:
    """Write both sides of each division into a new folder; those of a single tested site into one of its name."""
    if folder.exists():
        raise InputError(f"{folder} already exists: choose another name")
    for part in parts:
        place = folder / check_name(part.site, "site") if part.site else folder
        _write(corpus, annotator, part.learned, place / LEARN, "train")
        _write(corpus, annotator, part.tested, place / TEST, "dev")


def _write(corpus: AnnotatedCorpus, annotator: str, pages: Sequence[PageLabels], folder: Path, split: Split) -> None:
    rows = [{**_row(corpus, page, annotator), "split": split} for page in pages]
    written = create_corpus(folder, rows, [corpus.html(page.name) for page in pages])
    if (corpus.folder / LABEL_SET).is_file():
        copyfile(corpus.folder / LABEL_SET, folder / LABEL_SET)
    for page in pages:
        document = corpus.document(page.name)
        written.write(page.name, document, corpus.read(page.name, document, annotator), annotator)


def _row(corpus: AnnotatedCorpus, page: PageLabels, annotator: str) -> dict[str, object]:
    if corpus.labels.has_articles:
        return to_row(corpus, page.name, annotator)
    return {"id": page.name, "url": page.url, "domain": page.site, "lang": page.language}
