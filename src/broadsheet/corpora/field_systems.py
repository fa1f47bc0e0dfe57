"""What is measured on the facts of articles: ours, and the peers that give facts, called as they document it."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from broadsheet.base.errors import InputError
from broadsheet.corpora.field_measures import Fields
from broadsheet.corpora.systems import version_of
from broadsheet.reading import extract
from broadsheet.reading.readers import DEFAULT

#: What the tables call ours.
OURS = "broadsheet"

#: Some peers want an address, and none may come to know the page by it.
_ANY_URL = "https://news.example/"

#: Gives the facts of a page by its bytes, which are UTF-8, and its address.
FieldsOf = Callable[[bytes, str | None], Fields]


def load_fields(name: str) -> FieldsOf:
    """Load a system by name; a peer that is unknown or not installed is refused."""
    field_version(name)
    return _ours if name == OURS else PEERS[name]()


def field_version(name: str) -> str:
    """Return the version of a system without loading it."""
    if name not in {OURS, *PEERS}:
        raise InputError(f"no peer gives facts that is called {name!r}: there are {', '.join(PEERS)}")
    return version_of(DEFAULT if name == OURS else name)


def _ours(html: bytes, url: str | None) -> Fields:
    article = extract(html, url, encoding="utf-8", force=True)
    if article is None:
        return Fields(None, None, ())
    return Fields(article.title, article.published.date().isoformat() if article.published else None, article.authors)


def _trafilatura() -> FieldsOf:
    read = import_module("trafilatura").extract_metadata

    def fields(html: bytes, url: str | None) -> Fields:
        found = read(_text(html), default_url=url)
        if found is None:
            return Fields(None, None, ())
        return Fields(found.title, found.date, tuple(filter(None, (found.author or "").split("; "))))

    return fields


def _newspaper4k() -> FieldsOf:
    article = import_module("newspaper").article

    def fields(html: bytes, url: str | None) -> Fields:
        # Without this it would download the page's images.
        found = article(url or _ANY_URL, input_html=_text(html), fetch_images=False)
        day = found.publish_date.date().isoformat() if found.publish_date else None
        return Fields(found.title or None, day, _texts(found.authors))

    return fields


def _goose3() -> FieldsOf:
    goose = import_module("goose3").Goose()

    def fields(html: bytes, _: str | None) -> Fields:
        found = goose.extract(raw_html=_text(html))
        return Fields(found.title or None, str(found.publish_date or "")[:10] or None, _texts(found.authors))

    return fields


def _texts(authors: Iterable[object]) -> tuple[str, ...]:
    """Return the names among what a peer calls authors; a list among them is no name."""
    return tuple(author for author in authors if isinstance(author, str))


def _text(html: bytes) -> str:
    return html.decode("utf-8", errors="replace")


#: The peers by name of their distribution.
PEERS: Mapping[str, Callable[[], FieldsOf]] = {
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper4k,
    "goose3": _goose3,
}
