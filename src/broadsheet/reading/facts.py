"""What the metadata say of an article, each with the signal that says it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from broadsheet.base import urls
from broadsheet.base.records import Image
from broadsheet.document import Document
from broadsheet.document.metadata import Value
from broadsheet.reading.moments import Moment, read_iso

MAX_IMAGES = 20

_PAYWALLED = {"true": False, "free": False, "false": True, "locked": True, "metered": True}


@dataclass
class Facts:
    """Fields of an article as they are collected, and the evidence for each."""

    fields: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, value: object, evidence: str) -> None:
        """Keep a field's value with the signal that gave it."""
        self.fields[name] = value
        self.evidence[name] = evidence


def collect(document: Document) -> Facts:
    """Return the fields that the metadata state; what they do not say is absent."""
    metadata = document.metadata
    facts = Facts()
    for name, values in (
        ("language", metadata.languages),
        ("description", metadata.descriptions),
        ("section", metadata.sections),
        ("site_name", metadata.site_names),
    ):
        if values:
            facts.add(name, values[0].value, values[0].source)
    _add_authors(metadata.authors, facts)
    _add_dates(document, facts)
    for value in metadata.free_access:
        if value.value.lower() in _PAYWALLED:
            facts.add("paywalled", _PAYWALLED[value.value.lower()], value.source)
            break
    if metadata.topics:
        facts.add("topics", tuple(dict.fromkeys(value.value for value in metadata.topics)), metadata.topics[0].source)
    _add_addresses(document, facts)
    return facts


def _add_authors(authors: tuple[Value, ...], facts: Facts) -> None:
    """Take all names of the first signal that speaks of people, or else of the first that speaks at all."""
    people = [value for value in authors if not value.source.endswith("/Organization")] or list(authors)
    if people:
        source = people[0].source
        names = dict.fromkeys(value.value for value in people if value.source == source)
        facts.add("authors", tuple(names), source)


def _add_dates(document: Document, facts: Facts) -> None:
    for name, values in (("published", _published(document)), ("modified", _stated(document.metadata.modified))):
        for raw, source, moment in values:
            facts.add(name, moment.time, source if moment.has_offset else f"{source}, without an offset")
            if name == "published":
                facts.add("published_raw", raw, source)
                facts.add("published_precision", moment.precision, source)
            break


def _published(document: Document) -> Iterator[tuple[str, str, Moment]]:
    yield from _stated(document.metadata.published)
    for element in document.metadata.times:
        if element.datetime and (moment := read_iso(element.datetime)):
            yield element.datetime, "time datetime", moment


def _stated(values: tuple[Value, ...]) -> Iterator[tuple[str, str, Moment]]:
    for value in values:
        if moment := read_iso(value.value):
            yield value.value, value.source, moment


def _add_addresses(document: Document, facts: Facts) -> None:
    for value in document.metadata.canonical:
        if address := urls.resolve(value.value, document.base_url):
            facts.add("canonical_url", address, value.source)
            break
    images: dict[str, str] = {}
    for value in document.metadata.images:
        if address := urls.resolve(value.value, document.base_url):
            images.setdefault(address, value.source)
    if images:
        kept = list(images)[:MAX_IMAGES]
        facts.add("images", tuple(map(Image, kept)), images[kept[0]])
