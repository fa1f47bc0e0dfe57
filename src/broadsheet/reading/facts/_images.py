"""The images of an article: those in the metadata, and figures near the text with their captions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lxml import etree

from broadsheet.base import urls
from broadsheet.base.records import Image
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
        figure = document.element(row)
        picture = next(figure.iter("img"), None)
        url = _address(picture, document.base_url) if picture is not None else None
        if url:
            yield Image(url, _caption(figure), _credit(figure))


def _address(picture: etree._Element, base: str | None) -> str | None:
    for name in _ADDRESSES:
        address = str(picture.get(name) or "").strip()
        if address and not address.startswith("data:") and (url := urls.resolve(address, base)):
            return url
    return None


def _caption(figure: etree._Element) -> str | None:
    caption = next(figure.iter("figcaption"), None)
    return _text(caption) if caption is not None else None


def _credit(figure: etree._Element) -> str | None:
    for element in figure.iter("span", "cite", "small", "p", "div"):
        name = str(element.get("class") or "").lower()
        if name and any(word in name for word in _CREDITS):
            return _text(element)
    return None


def _text(element: etree._Element) -> str | None:
    text = collapse("".join(map(str, element.itertext())))
    return text if 0 < len(text) <= MAX_CAPTION else None
