"""Views of a parsed page as rows."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import NamedTuple

from broadsheet.cli.text_table import Row
from broadsheet.document import Document
from broadsheet.document.metadata import LinkedPage, TimeElement, Trail, Value


class RowView(NamedTuple):
    """A function that makes rows from a document, and the columns to show in a table."""

    rows: Callable[[Document], Iterator[Row]]
    columns: tuple[str, ...]


class Collection(NamedTuple):
    """Links grouped in one element, with their anchor texts; a single link has no such element."""

    collection: int
    links: int
    container: str | None
    items: tuple[str, ...]


class ViewRows(NamedTuple):
    """The rows of a page in a view, and the columns to show in a table."""

    rows: list[Row]
    columns: tuple[str, ...] | None


def show(document: Document, option: str | None) -> ViewRows:
    """Return the rows of a view, or one summary row if no view is chosen."""
    if option is None:
        return ViewRows([summary(document)], None)
    chosen = view(option, document)
    return ViewRows(list(chosen.rows(document)), chosen.columns)


def view(name: str, document: Document) -> RowView:
    """Return the named view; without a base address, links are shown as written."""
    if name == "links" and document.links.base is None:
        return RowView(link_rows, ("collection", "position", "anchor", "href"))
    return VIEWS[name]


def summary(document: Document) -> Row:
    """Summarise a page in one row."""
    return {
        "encoding": document.encoding,
        "title": document.title,
        "language": language(document),
        "nodes": len(document.nodes),
        "pieces": len(document.pieces),
        "words": int(document.sums.words[-1]),
        "links": len(document.links),
        "collections": len(document.links.collections),
    }


def language(document: Document) -> str | None:
    """Return the language that a page declares."""
    declared = document.metadata.languages
    return declared[0].value if declared else None


def link_share(document: Document) -> float:
    """Return the share of a page's characters that are in links."""
    characters = int(document.sums.characters[-1])
    return int(document.sums.link_characters[-1]) / characters if characters else 0.0


def link_rows(document: Document) -> Iterator[Row]:
    """Yield one row per link, in document order."""
    links = document.links
    for link in range(len(links)):
        target = int(links.target[link])
        yield {
            "collection": int(links.collection[link]),
            "position": int(links.position[link]),
            "anchor": links.anchor(link),
            "url": links.url(link),
            "href": document.href(link),
            "key": links.keys[target] if target >= 0 else None,
            "domain": links.domains[target] if target >= 0 else None,
            "path": links.path(link),
            "generalised_path": links.generalised_path(link),
        }


def piece_rows(document: Document) -> Iterator[Row]:
    """Yield one row per piece of text, in document order."""
    pieces, words = document.pieces, document.sums.words
    for piece in range(len(pieces)):
        owner, block = int(pieces.owner[piece]), int(pieces.block[piece])
        yield {
            "piece": piece,
            "line": int(pieces.line[piece]),
            "block": document.tag_name(block),
            "owner": document.tag_name(owner),
            "slot": "tail" if pieces.slot[piece] else "text",
            "link": int(pieces.link[piece]) >= 0,
            "words": int(words[piece + 1] - words[piece]),
            "text": " ".join(document.piece_text(piece).split()),
            "path": document.path(owner),
        }


def metadata_rows(document: Document) -> Iterator[Row]:
    """Yield one row per value that a page states about itself, with its source."""
    for field in fields(document.metadata):
        for entry in getattr(document.metadata, field.name):
            match entry:
                case Value():
                    value, source = entry.value, entry.source
                case TimeElement():
                    value, source = entry.datetime or entry.text, f"time: {entry.text}"
                case Trail():
                    value, source = " > ".join(crumb.name for crumb in entry.crumbs), entry.source
                case LinkedPage():
                    value, source = entry.url, f"link: {entry.type or entry.language}"
                case _:
                    continue
            yield {"field": field.name, "value": value, "source": source}


def collections(document: Document) -> Iterator[Collection]:
    """Yield the collections of links, in document order."""
    links = document.links
    items: list[list[tuple[int, str]]] = [[] for _ in range(len(links.collections))]
    for link in range(len(links)):
        items[int(links.collection[link])].append((int(links.position[link]), links.anchor(link)))
    for number, anchors in enumerate(items):
        container = int(links.collections.container[number])
        yield Collection(
            collection=number,
            links=len(anchors),
            container=document.generalised_path(container) if container >= 0 else None,
            items=tuple(anchor for _, anchor in sorted(anchors)),
        )


VIEWS = {
    "links": RowView(link_rows, ("collection", "position", "anchor", "url")),
    "metadata": RowView(metadata_rows, ("field", "value", "source")),
    "pieces": RowView(piece_rows, ("piece", "line", "block", "link", "words", "text")),
}
