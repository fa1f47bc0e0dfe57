"""Subtypes of pages, assigned only on clear evidence in the markup or URL: a home page, a live blog, an imprint.

No rule depends on a single language: they use schema.org and Open Graph types, the classes that publishing systems give
to `body`, form fields, the structure of the URL, and a multilingual list of legal words.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal

from broadsheet.base.lazy import lazy
from broadsheet.base.records import Kind
from broadsheet.document import Document
from broadsheet.pages._statements import body_classes
from broadsheet.pages.address import split
from broadsheet.pages.location import address_of
from broadsheet.pages.url_features import MAX_URL

Subtype = Literal["home", "topic", "author", "search", "live", "video", "legal", "login", "error"]

#: The smallest sum of the shares of legal words in the title and at the end of the URL: all of one, or half of both.
MIN_LEGAL = 1.0
#: A page with a password field and more words than this is about something else; one with fewer is too bare to judge.
MIN_LOGIN_WORDS, MAX_LOGIN_WORDS = 20, 500
#: The same is true of one with a longer uninterrupted text.
MAX_LOGIN_RUN = 125
#: A URL segment with this many words is a headline, and a page with a headline is not a login form.
HEADLINE_WORDS = 5
#: A page with more paragraphs is more than a video.
MAX_VIDEO_PARAGRAPHS = 6
#: Error pages have little text.
MAX_ERROR_WORDS = 200

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


class SubtypeEvidence:
    """The evidence for subtypes, computed on demand."""

    def __init__(self, document: Document, features: Mapping[str, float]) -> None:
        """Take a page and its features by name."""
        self.features = features
        self._document = document

    @lazy
    def types(self) -> frozenset[str]:
        """The page's own schema.org and Open Graph types, in lower case."""
        stated = self._document.metadata.types
        return frozenset(value.value.lower() for value in stated if not value.source.endswith("elsewhere"))

    @lazy
    def classes(self) -> frozenset[str]:
        """The classes of `body`."""
        return body_classes(self._document)

    @lazy
    def parents(self) -> frozenset[str]:
        """The path segments of the URL above the last, in lower case."""
        return frozenset(part for part in split(self._url).path.rstrip("/").split("/")[:-1] if part)

    @lazy
    def parameters(self) -> frozenset[str]:
        """The names of the URL's query parameters, in lower case."""
        return frozenset(name.lower() for name in _NAMES.findall(split(self._url).query))

    @property
    def title(self) -> str:
        """The page's title."""
        return self._document.title or ""

    @property
    def _url(self) -> str:
        return (address_of(self._document) or "")[:MAX_URL]


def subtype(kind: Kind, evidence: SubtypeEvidence) -> Subtype | None:
    """Return the subtype of a page of the given kind, or None without clear evidence."""
    return next((name for name, matches in _RULES[kind] if matches(evidence)), None)


def _home(evidence: SubtypeEvidence) -> bool:
    return evidence.features["url_depth"] == 0 and evidence.features["url_parameters"] == 0


def _search(evidence: SubtypeEvidence) -> bool:
    stated = "searchresultspage" in evidence.types or "search-results" in evidence.classes
    return stated or ("search" in evidence.classes and not _QUERIES.isdisjoint(evidence.parameters))


def _author(evidence: SubtypeEvidence) -> bool:
    stated = "profilepage" in evidence.types or "profile" in evidence.types or "author" in evidence.classes
    return stated or not _AUTHOR_PARTS.isdisjoint(evidence.parents)


def _topic(evidence: SubtypeEvidence) -> bool:
    return not _TOPIC_CLASSES.isdisjoint(evidence.classes) or not _TOPIC_PARTS.isdisjoint(evidence.parents)


def _live(evidence: SubtypeEvidence) -> bool:
    return "liveblogposting" in evidence.types


def _video(evidence: SubtypeEvidence) -> bool:
    stated = "videoobject" in evidence.types or any(kind.startswith("video") for kind in evidence.types)
    return (
        stated and not evidence.features["schema_product"] and evidence.features["paragraphs"] <= MAX_VIDEO_PARAGRAPHS
    )


def _legal(evidence: SubtypeEvidence) -> bool:
    return evidence.features["legal_share"] + max(evidence.features["url_legal"], 0) >= MIN_LEGAL


def _login(evidence: SubtypeEvidence) -> bool:
    features = evidence.features
    brief = MIN_LOGIN_WORDS <= features["words"] <= MAX_LOGIN_WORDS and features["run_words"] <= MAX_LOGIN_RUN
    return features["passwords"] > 0 and brief and features["url_slug_words"] < HEADLINE_WORDS


def _error(evidence: SubtypeEvidence) -> bool:
    if "error404" in evidence.classes:
        return True
    return bool(_ERROR.search(evidence.title)) and evidence.features["run_words"] <= MAX_ERROR_WORDS


#: For each kind, its subtypes and their rules, the most reliable first.
_RULES: dict[Kind, tuple[tuple[Subtype, Callable[[SubtypeEvidence], bool]], ...]] = {
    "article": (("live", _live), ("video", _video)),
    "section": (("search", _search), ("home", _home), ("author", _author), ("topic", _topic)),
    "other": (("error", _error), ("legal", _legal), ("login", _login), ("video", _video)),
}
