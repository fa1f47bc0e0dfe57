"""What a page says it is, in markup that means the same in every language."""

from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES

_LISTS = frozenset({"collectionpage", "itemlist", "searchresultspage", "profilepage", "mediagallery", "imagegallery"})
_ARTICLES = frozenset(name.lower() for name in ARTICLES)


class Statements(NamedTuple):
    """Whether a page says of itself that it is an article, a list, or something else."""

    #: `og:type`: 1 an article, -1 something else, 0 nothing.
    og_article: float
    #: The same for the types of schema.org.
    schema_article: float
    schema_list: float
    schema_things: float
    published: float
    modified: float
    authors: float
    sections: float
    topics: float
    paywall: float
    crumbs: float
    feeds: float
    canonical: float


def statements(document: Document) -> Statements:
    """Return what a page says of itself."""
    metadata = document.metadata
    own = [(value.value.lower(), value.source) for value in metadata.types if not value.source.endswith("elsewhere")]
    og = {kind for kind, source in own if source.startswith("meta ")}
    schema = {kind for kind, source in own if not source.startswith("meta ")}
    return Statements(
        _stance(og, frozenset({"article"})),
        _stance(schema, _ARTICLES),
        not schema.isdisjoint(_LISTS),
        sum(value.source.endswith("elsewhere") for value in metadata.types),
        len(metadata.published) > 0,
        len(metadata.modified) > 0,
        len(metadata.authors),
        len(metadata.sections) > 0,
        len(metadata.topics),
        len(metadata.free_access) > 0,
        max((len(trail.crumbs) for trail in metadata.breadcrumbs), default=0),
        len(metadata.feeds),
        len(metadata.canonical) > 0,
    )


def _stance(types: set[str], wanted: frozenset[str]) -> int:
    if not types:
        return 0
    return 1 if not types.isdisjoint(wanted) else -1
