"""The schema.org properties that are read, and a function for each that reads its values."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.things import Thing, as_text, bare_name, first_text, iter_values, types_of

#: Reads one value: takes the thing, the value, its source, the field to fill and the collector.
Reader: TypeAlias = Callable[[Thing, object, str, str, MetadataCollector], None]

_BOOLEANS: Final = {"true": "true", "yes": "true", "1": "true", "false": "false", "no": "false", "0": "false"}


def read_text(thing: Thing, value: object, source: str, field: str, collector: MetadataCollector) -> None:
    """Add a text; an object in place of a text is ignored."""
    if (text := as_text(value)) is not None:
        collector.add(field, text, source, thing.row(value))


def read_names(thing: Thing, value: object, source: str, field: str, collector: MetadataCollector) -> None:
    """Add the names of a thing, or a text given in place of a thing."""
    for name in _names(value):
        collector.add(field, as_text(name) or "", source, thing.row(name))


def read_list(thing: Thing, value: object, source: str, field: str, collector: MetadataCollector) -> None:
    """Add each name in a comma-separated list."""
    for name in _names(value):
        collector.add_each(field, as_text(name) or "", source, thing.row(name))


def read_author(thing: Thing, value: object, source: str, _field: str, collector: MetadataCollector) -> None:
    """Add an author's name and URL; the source shows the type of an author that is not a person."""
    if not isinstance(value, dict):
        collector.add_author(as_text(value) or "", source, thing.row(value))
        return
    kind = next((kind for kind in types_of(value) if kind != "Person"), None)
    for name in _names(value):
        collector.add_author(as_text(name) or "", f"{source}/{kind}" if kind else source, thing.row(name))
    if url := first_text(value, "url"):
        collector.add_url("author_urls", url, source, thing.node)


def read_url(thing: Thing, value: object, source: str, field: str, collector: MetadataCollector) -> None:
    """Add a URL, or the URL of a thing."""
    url = first_text(value, "url", "contentUrl", "@id") if isinstance(value, dict) else as_text(value)
    if url:
        collector.add_url(field, url, source, thing.row(value))


def read_language(thing: Thing, value: object, source: str, field: str, collector: MetadataCollector) -> None:
    """Add the code of a language, or its name if it has no code."""
    language = first_text(value, "alternateName", "name") if isinstance(value, dict) else as_text(value)
    collector.add(field, language or "", source, thing.row(value))


def read_boolean(thing: Thing, value: object, source: str, field: str, collector: MetadataCollector) -> None:
    """Add `true` or `false`, which pages also write as words and as URLs."""
    word = str(value) if isinstance(value, bool) else bare_name(as_text(value) or "")
    boolean = _BOOLEANS.get(word.lower())
    if boolean is None:
        collector.dropped[f"{thing.markup}: neither true nor false"] += 1
    else:
        collector.add(field, boolean, source, thing.row(value))


def _names(value: object) -> Iterator[object]:
    """Yield the names of a value: the value itself unless it is an object, otherwise its name or the parts of it."""
    if not isinstance(value, dict):
        yield value
    elif "name" in value:
        yield from (name for name in iter_values(value["name"]) if as_text(name))
    elif parts := [part for name in ("givenName", "familyName") if (part := first_text(value, name))]:
        yield " ".join(parts)


#: Property, the field it fills, and its reader; among the properties of a field, the more reliable come first.
PROPERTIES: Final[tuple[tuple[str, str, Reader], ...]] = (
    ("headline", "titles", read_text),
    ("name", "titles", read_text),
    ("alternativeHeadline", "titles", read_text),
    ("description", "descriptions", read_text),
    ("datePublished", "published", read_text),
    ("uploadDate", "published", read_text),
    ("dateCreated", "published", read_text),
    ("dateModified", "modified", read_text),
    ("author", "authors", read_author),
    ("creator", "authors", read_author),
    ("articleSection", "sections", read_names),
    ("keywords", "topics", read_list),
    ("image", "images", read_url),
    ("thumbnailUrl", "images", read_url),
    ("publisher", "site_names", read_names),
    ("inLanguage", "languages", read_language),
    ("mainEntityOfPage", "canonical", read_url),
    ("url", "canonical", read_url),
    ("isAccessibleForFree", "free_access", read_boolean),
)
