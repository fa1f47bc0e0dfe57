"""Records as rows of the catalogue, and back."""

from dataclasses import fields
from typing import Any

from sqlalchemy import RowMapping

from broadsheet.archive import articles
from broadsheet.archive.records import PageRecord, PageState, SourceRecord, StoredArticle

#: Kept with the page's content, not with the page.
_OF_CONTENT = frozenset({"digest", "visit"})
_PAGE_FIELDS = tuple(field.name for field in fields(PageRecord))
_SOURCE_FIELDS = tuple(field.name for field in fields(SourceRecord))


def of_page(page: PageRecord) -> dict[str, Any]:
    """Return a page as a row."""
    row = {name: getattr(page, name) for name in _PAGE_FIELDS if name not in _OF_CONTENT}
    row["state"] = page.state.value
    row["probabilities"] = None if page.probabilities is None else dict(page.probabilities)
    row["reasons"] = list(page.reasons)
    row["anchor"] = None if page.anchor is None else articles.sound(page.anchor)
    return row


def to_page(row: RowMapping) -> PageRecord:
    """Return the page that a row holds, with what is known of its content."""
    values = {name: row[name] for name in _PAGE_FIELDS}
    values["state"] = PageState(row["state"])
    values["reasons"] = tuple(row["reasons"] or ())
    return PageRecord(**values)


def of_source(source: SourceRecord) -> dict[str, Any]:
    """Return a source as a row."""
    return {name: getattr(source, name) for name in _SOURCE_FIELDS}


def to_source(row: RowMapping) -> SourceRecord:
    """Return the source that a row holds."""
    return SourceRecord(**{name: row[name] for name in _SOURCE_FIELDS})


def to_article(row: RowMapping) -> StoredArticle:
    """Return the version of an article that a row holds, joined with its file's name."""
    return StoredArticle(
        article=articles.from_json(row["article"]),
        key=row["key"],
        source=row["source"],
        version=row["version"],
        visit=row["visit"],
        fetched_at=row["fetched_at"],
        warc=row["warc"],
        offset=row["offset"],
        length=row["length"],
        model=row["model"],
    )
