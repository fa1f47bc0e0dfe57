"""The images of an article: those in the metadata, and figures near the text with their captions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from broadsheet.base import urls
from broadsheet.base.records import Image
from broadsheet.document import Document
from broadsheet.reading.facts._image_sizes import without_size
from broadsheet.reading.facts._scene import Scene
from broadsheet.reading.paragraphs import collapse

MAX_IMAGES: Final = 20
#: Longer captions, in characters, are body text.
MAX_CAPTION: Final = 2_000

#: Attributes with the URL of an image, including those of lazy loading.
_ADDRESSES: Final = ("src", "data-src", "data-original", "data-lazy-src")
_CREDITS: Final = ("credit", "copyright", "source")


def find_images(scene: Scene) -> tuple[tuple[Image, ...], str] | None:
    """Return the distinct images and the source of the first; of several sizes, the one that comes first."""
    images: dict[str, tuple[Image, str]] = {}
    # Several kinds of metadata mostly name the same image.
    stated = {value.value: value.source for value in reversed(scene.document.metadata.images)}
    for address in dict.fromkeys(value.value for value in scene.document.metadata.images):
        if url := urls.resolve(address, scene.document.base_url):
            images.setdefault(without_size(url), (Image(url), stated[address]))
    for image in _figures(scene):
        key = without_size(image.url)
        known = images.get(key)
        if known is None:
            images[key] = image, "figure"
        elif known[0].caption is None:
            images[key] = replace(image, url=known[0].url), known[1]
    first = list(images.values())[:MAX_IMAGES]
    return (tuple(image for image, _ in first), first[0][1]) if first else None


def _figures(scene: Scene) -> Iterator[Image]:
    """Yield the images of the figures between the title and the end of the text."""
    document, nodes = scene.document, scene.document.nodes
    begin = scene.title if scene.title is not None else scene.body[0] if scene.body else 0
    end = scene.body[1] + 1 if scene.body else begin
    rows = document.rows("figure")
    starts = nodes.piece_start.take(rows)
    for row in rows[(starts >= begin) & (starts <= end)][:MAX_IMAGES].tolist():
        pictures, captions = (_inside(document, row, name) for name in ("img", "figcaption"))
        if pictures and (url := _address(document, pictures[0])):
            caption = _text(document, captions[0]) if captions else None
            yield Image(url, caption, _credit(document, row))


def _inside(document: Document, figure: int, *names: str) -> list[int]:
    """Return the elements of these names inside a figure."""
    rows = document.rows(*names)
    first, end = rows.searchsorted((figure, document.nodes.end[figure]))
    inside: list[int] = rows[first:end].tolist()
    return inside


def _address(document: Document, picture: int) -> str | None:
    for name in _ADDRESSES:
        address = (document.attribute(picture, name) or "").strip()
        if address and not address.startswith("data:") and (url := urls.resolve(address, document.base_url)):
            return url
    return None


def _credit(document: Document, figure: int) -> str | None:
    for row in _inside(document, figure, "span", "cite", "small", "p", "div"):
        name = (document.attribute(row, "class") or "").lower()
        if name and any(word in name for word in _CREDITS):
            return _text(document, row)
    return None


def _text(document: Document, node: int) -> str | None:
    text = collapse(document.text(node))
    return text if 0 < len(text) <= MAX_CAPTION else None
