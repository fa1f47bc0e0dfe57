"""Systems that extract facts: ours, and the peers that do, called as they document it."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from broadsheet.base.errors import InputError
from broadsheet.corpora.field_measures import Fields
from broadsheet.corpora.systems import version_of
from broadsheet.reading import extract
from broadsheet.reading.readers import DEFAULT

#: Our name in the tables.
OURS = "broadsheet"

#: Some peers require a URL; this one reveals nothing about the page.
_ANY_URL = "https://news.example/"

#: Extracts the facts of a page from its bytes, which are UTF-8, and its URL.
FieldsOf = Callable[[bytes, str | None], Fields]


def load_fields(name: str) -> FieldsOf:
    """Load a system by name; raise InputError if it is unknown or not installed."""
    field_version(name)
    return _ours if name == OURS else PEERS[name]()


def field_version(name: str) -> str:
    """Return the version of a system without loading it."""
    if name not in {OURS, *PEERS}:
        raise InputError(f"no peer called {name!r} extracts facts: choose from {', '.join(PEERS)}")
    return version_of(DEFAULT if name == OURS else name)


def _ours(html: bytes, url: str | None) -> Fields:
    article = extract(html, url, encoding="utf-8", force=True)
    if article is None:
        return Fields(None, None, ())
    return Fields(article.title, article.published.date().isoformat() if article.published else None, article.authors)


def _trafilatura() -> FieldsOf:
    read = import_module("trafilatura").extract_metadata

    def fields(html: bytes, url: str | None) -> Fields:
        metadata = read(_text(html), default_url=url)
        if metadata is None:
            return Fields(None, None, ())
        return Fields(metadata.title, metadata.date, tuple(filter(None, (metadata.author or "").split("; "))))

    return fields


def _newspaper4k() -> FieldsOf:
    read = import_module("newspaper").article

    def fields(html: bytes, url: str | None) -> Fields:
        # Without this it would download the page's images.
        article = read(url or _ANY_URL, input_html=_text(html), fetch_images=False)
        day = article.publish_date.date().isoformat() if article.publish_date else None
        return Fields(article.title or None, day, _texts(article.authors))

    return fields


def _goose3() -> FieldsOf:
    goose = import_module("goose3").Goose()

    def fields(html: bytes, _: str | None) -> Fields:
        article = goose.extract(raw_html=_text(html))
        return Fields(article.title or None, str(article.publish_date or "")[:10] or None, _texts(article.authors))

    return fields


def _texts(authors: Iterable[object]) -> tuple[str, ...]:
    """Return the strings among a peer's authors, which may include nested lists."""
    return tuple(author for author in authors if isinstance(author, str))


def _text(html: bytes) -> str:
    return html.decode("utf-8", errors="replace")


#: The peers by the name of their distribution.
PEERS: Mapping[str, Callable[[], FieldsOf]] = {
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
    "goose3": _goose3,
}
