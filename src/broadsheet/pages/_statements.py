"""What a page claims to be and offers, in markup that means the same in every language."""

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES

_LISTS = frozenset({"collectionpage", "itemlist", "searchresultspage", "profilepage", "mediagallery", "imagegallery"})
_ARTICLES = frozenset(name.lower() for name in ARTICLES)
_FORUMS = frozenset({"discussionforumposting", "qapage", "question"})
_PRODUCTS = frozenset({"product", "offer", "aggregateoffer", "productgroup"})

#: Classes that common publishing systems give to `body`: for a single post, a list of posts, a static page.
_SINGLE = frozenset({"single", "single-post", "node-type-article", "page-node-type-article"})
_LIST = frozenset({"home", "front", "blog", "archive", "category", "tag", "author", "search", "date", "page-taxonomy"})
_PAGE = frozenset({"page", "page-template", "error404"})

#: Form fields beyond this number are ignored.
MAX_FIELDS = 200


class Statements(NamedTuple):
    """Whether a page claims to be an article, a list or something else, and what metadata and fields it has."""

    #: `og:type`: 1 for an article, -1 for something else, 0 if missing.
    og_article: float
    #: The same for schema.org types.
    schema_article: float
    schema_list: float
    schema_forum: float
    schema_product: float
    schema_video: float
    #: The number of articles described with schema.org, including the page itself.
    schema_articles: float
    #: The number of schema.org objects other than the page.
    schema_things: float
    og_video: float
    published: float
    modified: float
    authors: float
    sections: float
    topics: float
    paywall: float
    crumbs: float
    feeds: float
    canonical: float
    amp: float
    noindex: float
    #: In characters.
    description: float
    images: float
    alternates: float
    body_single: float
    body_list: float
    body_page: float
    passwords: float
    #: Other form fields: for an address of mail, a line of text, and a choice.
    mail_fields: float
    text_inputs: float
    choices: float
    #: Links that write a mail or call a number, and the signs of addresses in the text.
    mail_links: float
    phone_links: float
    at_signs: float


def statements(document: Document) -> Statements:
    """Return what a page claims to be."""
    metadata = document.metadata
    own, elsewhere, og = set(), [], set()
    for value, source, _ in metadata.types:
        if source.startswith("meta "):
            og.add(value.lower())
        elif source.endswith("elsewhere"):
            elsewhere.append(value.lower())
        else:
            own.add(value.lower())
    described = [*own, *elsewhere]
    classes = body_classes(document)
    fields = _field_types(document)
    return Statements(
        _stance(og, frozenset({"article"})),
        _stance(own, _ARTICLES),
        not own.isdisjoint(_LISTS),
        not own.isdisjoint(_FORUMS),
        not _PRODUCTS.isdisjoint(described),
        "videoobject" in own,
        sum(kind in _ARTICLES for kind in described),
        len(elsewhere),
        any("video" in kind for kind in og),
        len(metadata.published) > 0,
        len(metadata.modified) > 0,
        len(metadata.authors),
        len(metadata.sections) > 0,
        len(metadata.topics),
        len(metadata.free_access) > 0,
        max((len(trail.crumbs) for trail in metadata.breadcrumbs), default=0),
        len(metadata.feeds),
        len(metadata.canonical) > 0,
        len(metadata.amp) > 0,
        any(directive.value == "noindex" for directive in metadata.robots),
        len(metadata.descriptions[0].value) if metadata.descriptions else 0,
        len(metadata.images),
        len(metadata.alternates),
        not classes.isdisjoint(_SINGLE),
        not classes.isdisjoint(_LIST),
        not classes.isdisjoint(_PAGE),
        fields["password"],
        fields["email"],
        fields["text"],
        fields["checkbox"] + fields["radio"],
        document.columns.href_text.count(b"mailto:"),
        document.columns.href_text.count(b"tel:"),
        document.columns.text.count(b"@"),
    )


def body_classes(document: Document) -> frozenset[str]:
    """Return the classes of the page's `body`, in lower case."""
    classes = document.attributes(document.rows("body")[:1].tolist(), "class")
    return frozenset(word for (value,) in classes for word in (value or "").lower().split())


def _field_types(document: Document) -> Counter[str]:
    """Return how many form fields there are of each type; those without a type are lines of text."""
    rows = document.rows("input")[:MAX_FIELDS].tolist()
    types = Counter[str]()
    for (kind,) in document.attributes(rows, "type"):
        types[(kind or "text").lower()] += 1
    return types


def _stance(types: Collection[str], articles: frozenset[str]) -> int:
    if not types:
        return 0
    return 1 if not articles.isdisjoint(types) else -1
