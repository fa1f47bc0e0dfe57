"""The records that metadata is made of: frozen, typed, every value with its source."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from broadsheet.base.frozen import FrozenMapping

_NOTHING: FrozenMapping[str, int] = FrozenMapping({})


class Value(NamedTuple):
    """One thing that the page says, where it says it, and the row of `Document.nodes` that holds it.

    The source names a kind of markup and a place in it: `json-ld NewsArticle.headline`, `meta og:title`.
    """

    value: str
    source: str
    node: int | None


class TimeElement(NamedTuple):
    """A `time` element: its `datetime` as written, None where it has none, and its text."""

    datetime: str | None
    text: str
    node: int


class LinkedPage(NamedTuple):
    """Another form of the page or its site that a `link` names: a feed, or an edition in another language."""

    url: str
    title: str | None
    type: str | None
    language: str | None
    node: int


class Crumb(NamedTuple):
    """One step of a breadcrumb trail; the last one often leads nowhere."""

    name: str
    url: str | None


class Trail(NamedTuple):
    """One breadcrumb trail, from the site's root to the page."""

    crumbs: tuple[Crumb, ...]
    source: str
    node: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Everything a page says of itself, with nothing chosen or parsed yet.

    In every field the strongest kind of markup comes first (JSON-LD, `meta`, microdata, plain elements; for
    `canonical` the `link` before all), and within one kind what says it best, then what comes first.
    Addresses are absolute if the page's own is known.
    """

    titles: tuple[Value, ...] = ()
    descriptions: tuple[Value, ...] = ()
    published: tuple[Value, ...] = ()
    modified: tuple[Value, ...] = ()
    #: Names as written; a source that ends in the type of an author (`/Organization`) speaks of no person.
    authors: tuple[Value, ...] = ()
    author_urls: tuple[Value, ...] = ()
    sections: tuple[Value, ...] = ()
    topics: tuple[Value, ...] = ()
    images: tuple[Value, ...] = ()
    site_names: tuple[Value, ...] = ()
    languages: tuple[Value, ...] = ()
    canonical: tuple[Value, ...] = ()
    #: What the page is; a source that ends in `elsewhere` names what it describes besides itself.
    types: tuple[Value, ...] = ()
    #: One lower-case directive each, such as `noindex`, and reservations against text mining.
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
    #: Every JSON-LD object of the page, those in `@graph` and the like among them; they must not be changed.
    json_ld: tuple[Mapping[str, Any], ...] = ()
    #: How often something was left out, by reason.
    dropped: Mapping[str, int] = _NOTHING


#: The fields that hold a `Value` each time.
VALUE_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Metadata) if field.type == tuple[Value, ...])
