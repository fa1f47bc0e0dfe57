"""Finer kinds of pages, said only where markup or address make them sure: a front page, a live ticker, an imprint.

None rests on the words of one language: types of schema.org and Open Graph, the classes that publishing systems give
the page, form fields, the shape of the address, and the multilingual words of legal pages.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal

from broadsheet.base.records import Kind
from broadsheet.document import Document
from broadsheet.pages.address import split
from broadsheet.pages.location import address_of
from broadsheet.pages.statements import body_classes
from broadsheet.pages.url_features import MAX_URL

Subtype = Literal["home", "topic", "author", "search", "live", "video", "legal", "login", "error"]

#: Of a title or a heading and the end of the address, so much has to speak of law: all of one, or half of both.
LEAST_LEGAL = 1.0
#: A page that asks for a password and says more than this is about something else; one that says less says nothing.
LEAST_LOGIN_WORDS, MOST_LOGIN_WORDS = 20, 500
#: The same holds for one that says more than this in one go.
MOST_LOGIN_RUN = 125
#: An address with so many words in one part has a headline, and a page with a headline is about that.
HEADLINE_WORDS = 5
#: A page with more paragraphs has more than a video to show.
MOST_VIDEO_PARAGRAPHS = 6
#: Pages that say they are not there say little else.
MOST_ERROR_WORDS = 200

_QUERIES = frozenset({"q", "s", "query", "search", "suche", "keyword", "keywords", "text", "buscar", "recherche"})
_NAMES = re.compile(r"(?:^|&)([^&=]+)=[^&]")
_ERROR = re.compile(r"\b40[34]\b|\b410\b")
_TOPIC_CLASSES = frozenset({"category", "tag", "archive", "page-taxonomy", "tax-category"})
_TOPIC_PARTS = frozenset(
    "tag tags topic topics thema themen category kategorie categoria categorie rubrik rubrique rubryka tema temas "
    "schlagwort section sections etiqueta".split()
)
_AUTHOR_PARTS = frozenset(
    "author authors autor autoren autores auteur auteurs autori autore byline profile staff reporter reporters "
    "journalist columnist columnists contributors contributor".split()
)


class Signs:
    """What the finer kinds are told by, found when it is asked for."""

    def __init__(self, document: Document, seen: Mapping[str, float]) -> None:
        """Take a page, and what was measured of it by name."""
        self.seen = seen
        self._document = document

    @cached_property
    def types(self) -> frozenset[str]:
        """What the page says it is, in lower case: by schema.org of itself, and by Open Graph."""
        stated = self._document.metadata.types
        return frozenset(value.value.lower() for value in stated if not value.source.endswith("elsewhere"))

    @cached_property
    def classes(self) -> frozenset[str]:
        """What the publishing system calls the page."""
        return body_classes(self._document)

    @cached_property
    def parents(self) -> frozenset[str]:
        """The parts of the address's path above the last, in lower case."""
        return frozenset(part for part in split(self._url).path.rstrip("/").split("/")[:-1] if part)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names in the address's query, in lower case."""
        return frozenset(name.lower() for name in _NAMES.findall(split(self._url).query))

    @property
    def title(self) -> str:
        """The page's title."""
        return self._document.title or ""

    @property
    def _url(self) -> str:
        return (address_of(self._document) or "")[:MAX_URL]


def subtype(kind: Kind, signs: Signs) -> Subtype | None:
    """Return the finer kind of a page of a kind, or None where nothing makes it sure."""
    return next((name for name, holds in _RULES[kind] if holds(signs)), None)


def _home(signs: Signs) -> bool:
    return signs.seen["url_depth"] == 0 and signs.seen["url_parameters"] == 0


def _search(signs: Signs) -> bool:
    stated = "searchresultspage" in signs.types or "search-results" in signs.classes
    return stated or ("search" in signs.classes and not _QUERIES.isdisjoint(signs.parameters))


def _author(signs: Signs) -> bool:
    stated = "profilepage" in signs.types or "profile" in signs.types or "author" in signs.classes
    return stated or not _AUTHOR_PARTS.isdisjoint(signs.parents)


def _topic(signs: Signs) -> bool:
    return not _TOPIC_CLASSES.isdisjoint(signs.classes) or not _TOPIC_PARTS.isdisjoint(signs.parents)


def _live(signs: Signs) -> bool:
    return "liveblogposting" in signs.types


def _video(signs: Signs) -> bool:
    stated = "videoobject" in signs.types or any(kind.startswith("video") for kind in signs.types)
    return stated and not signs.seen["schema_product"] and signs.seen["paragraphs"] <= MOST_VIDEO_PARAGRAPHS


def _legal(signs: Signs) -> bool:
    return signs.seen["legal_share"] + max(signs.seen["url_legal"], 0) >= LEAST_LEGAL


def _login(signs: Signs) -> bool:
    seen = signs.seen
    brief = LEAST_LOGIN_WORDS <= seen["words"] <= MOST_LOGIN_WORDS and seen["run_words"] <= MOST_LOGIN_RUN
    return seen["passwords"] > 0 and brief and seen["url_slug_words"] < HEADLINE_WORDS


def _error(signs: Signs) -> bool:
    if "error404" in signs.classes:
        return True
    return bool(_ERROR.search(signs.title)) and signs.seen["run_words"] <= MOST_ERROR_WORDS


#: For each kind, the finer ones and what tells them, the surest first.
_RULES: dict[Kind, tuple[tuple[Subtype, Callable[[Signs], bool]], ...]] = {
    "article": (("live", _live), ("video", _video)),
    "section": (("search", _search), ("home", _home), ("author", _author), ("topic", _topic)),
    "other": (("error", _error), ("legal", _legal), ("login", _login), ("video", _video)),
}
