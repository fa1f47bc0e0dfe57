"""The properties of schema.org that are read, and how a value of each, whatever its shape, is kept."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.things import Thing, bare_name, first_text, opened, plain, types_of

#: What reads one value: of which thing, under which source, for which field.
Reader: TypeAlias = Callable[[Thing, object, str, str, MetadataCollector], None]

_TRUTH: Final = {"true": "true", "yes": "true", "1": "true", "false": "false", "no": "false", "0": "false"}


def read_text(thing: Thing, value: object, source: str, field: str, findings: MetadataCollector) -> None:
    """Keep a text; an object in its place has none."""
    if (text := plain(value)) is not None:
        findings.add(field, text, source, thing.row(value))


def read_names(thing: Thing, value: object, source: str, field: str, findings: MetadataCollector) -> None:
    """Keep the name of a thing, or of several, or a text in the place of a thing."""
    for name in _names(value):
        findings.add(field, plain(name) or "", source, thing.row(name))


def read_list(thing: Thing, value: object, source: str, field: str, findings: MetadataCollector) -> None:
    """Keep each of the names that one text lists."""
    for name in _names(value):
        findings.add_each(field, plain(name) or "", source, thing.row(name))


def read_author(thing: Thing, value: object, source: str, _field: str, findings: MetadataCollector) -> None:
    """Keep a person's name and address; whoever is no person shows in the source."""
    if not isinstance(value, dict):
        findings.add_author(plain(value) or "", source, thing.row(value))
        return
    kind = next((kind for kind in types_of(value) if kind != "Person"), None)
    for name in _names(value):
        findings.add_author(plain(name) or "", f"{source}/{kind}" if kind else source, thing.row(name))
    if address := first_text(value, "url"):
        findings.add_url("author_urls", address, source, thing.node)


def read_address(thing: Thing, value: object, source: str, field: str, findings: MetadataCollector) -> None:
    """Keep an address, or that of a thing."""
    address = first_text(value, "url", "contentUrl", "@id") if isinstance(value, dict) else plain(value)
    if address:
        findings.add_url(field, address, source, thing.row(value))


def read_language(thing: Thing, value: object, source: str, field: str, findings: MetadataCollector) -> None:
    """Keep the code of a language, or its name where it has no code."""
    language = first_text(value, "alternateName", "name") if isinstance(value, dict) else plain(value)
    findings.add(field, language or "", source, thing.row(value))


def read_truth(thing: Thing, value: object, source: str, field: str, findings: MetadataCollector) -> None:
    """Keep `true` or `false`, which pages also write as words and as addresses."""
    word = str(value) if isinstance(value, bool) else bare_name(plain(value) or "")
    truth = _TRUTH.get(word.lower())
    if truth is None:
        findings.dropped[f"{thing.markup}: neither true nor false"] += 1
    else:
        findings.add(field, truth, source, thing.row(value))


def _names(value: object) -> Iterator[object]:
    """Yield the texts that name a value: itself if it is one, otherwise its name, or the parts of it."""
    if not isinstance(value, dict):
        yield value
    elif "name" in value:
        yield from (name for name in opened(value["name"]) if plain(name))
    elif parts := [part for name in ("givenName", "familyName") if (part := first_text(value, name))]:
        yield " ".join(parts)


#: Property, the field it speaks for, and how it is read; what says a thing better comes first.
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
    ("image", "images", read_address),
    ("thumbnailUrl", "images", read_address),
    ("publisher", "site_names", read_names),
    ("inLanguage", "languages", read_language),
    ("mainEntityOfPage", "canonical", read_address),
    ("url", "canonical", read_address),
    ("isAccessibleForFree", "free_access", read_truth),
)
