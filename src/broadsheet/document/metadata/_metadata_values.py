"""The records that make up a page's metadata: immutable, typed, every value with its source."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from broadsheet.base.frozen import FrozenMapping

_NOTHING: FrozenMapping[str, int] = FrozenMapping({})


class Value(NamedTuple):
    """A value that the page states, its source, and the row of `Document.nodes` that contains it.

    The source names a kind of markup and a place in it: `json-ld NewsArticle.headline`, `meta og:title`.
    """

    value: str
    source: str
    node: int | None


class TimeElement(NamedTuple):
    """A `time` element: its `datetime` attribute as written (None if it has none), and its text."""

    datetime: str | None
    text: str
    node: int


class LinkedPage(NamedTuple):
    """A page that a `link` element refers to: a feed, or an edition in another language."""

    url: str
    title: str | None
    type: str | None
    language: str | None
    node: int


class Crumb(NamedTuple):
    """One step of a breadcrumb trail; the last one often has no URL."""

    name: str
    url: str | None


class Trail(NamedTuple):
    """One breadcrumb trail, from the site's root to the page."""

    crumbs: tuple[Crumb, ...]
    source: str
    node: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """All the metadata of a page, as stated: nothing has been chosen or parsed.

    In every field the most reliable kind of markup comes first (JSON-LD, `meta`, microdata, plain elements; for
    `canonical`, the `link` element before these). Within one kind, values are ordered by the reliability of their
    property or name, then by document order. URLs are absolute if the page's own URL is known.
    """

    titles: tuple[Value, ...] = ()
    descriptions: tuple[Value, ...] = ()
    published: tuple[Value, ...] = ()
    modified: tuple[Value, ...] = ()
    #: Names as written; the source of an author that is not a person ends in its type (`/Organization`).
    authors: tuple[Value, ...] = ()
    author_urls: tuple[Value, ...] = ()
    sections: tuple[Value, ...] = ()
    topics: tuple[Value, ...] = ()
    images: tuple[Value, ...] = ()
    site_names: tuple[Value, ...] = ()
    languages: tuple[Value, ...] = ()
    canonical: tuple[Value, ...] = ()
    #: The types of the page; a source that ends in `elsewhere` marks the type of something else it describes.
    types: tuple[Value, ...] = ()
    #: Lower-case directives such as `noindex`, and reservations of text-mining rights.
    robots: tuple[Value, ...] = ()
    #: `true` or `false` for schema.org's `isAccessibleForFree`, a word such as `metered` for a content tier.
    free_access: tuple[Value, ...] = ()
    amp: tuple[Value, ...] = ()
    next: tuple[Value, ...] = ()
    previous: tuple[Value, ...] = ()
    times: tuple[TimeElement, ...] = ()
    breadcrumbs: tuple[Trail, ...] = ()
    feeds: tuple[LinkedPage, ...] = ()
    alternates: tuple[LinkedPage, ...] = ()
    #: Every JSON-LD object of the page, including those in `@graph` and similar containers; do not modify them.
    json_ld: tuple[Mapping[str, Any], ...] = ()
    #: How many values were dropped, by reason.
    dropped: Mapping[str, int] = _NOTHING


#: The fields that are tuples of `Value`.
VALUE_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Metadata) if field.type == tuple[Value, ...])
