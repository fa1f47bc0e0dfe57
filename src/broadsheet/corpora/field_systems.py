"""What is measured on the facts of articles: ours, and the peers that give facts."""

from collections.abc import Callable, Mapping

from broadsheet.base.errors import InputError
from broadsheet.corpora.field_measures import Fields
from broadsheet.corpora.peers import PEERS, PeerAdapter
from broadsheet.corpora.systems import version_of
from broadsheet.reading import extract
from broadsheet.reading.readers import DEFAULT

#: Our name in the tables.
OURS = "broadsheet"

#: Gives the facts of a page by its bytes, which are UTF-8, and its address.
FieldsOf = Callable[[bytes, str | None], Fields]


def load_fields(name: str) -> FieldsOf:
    """Load a system by name; raise InputError if it is unknown or not installed."""
    field_version(name)
    return _ours if name == OURS else _peer(name)


def field_version(name: str) -> str:
    """Return the version of a system without loading it."""
    if name not in {OURS, *FIELD_PEERS}:
        raise InputError(f"no peer called {name!r} extracts facts: choose from {', '.join(FIELD_PEERS)}")
    return version_of(DEFAULT if name == OURS else name)


def _ours(html: bytes, url: str | None) -> Fields:
    article = extract(html, url, encoding="utf-8", force=True)
    if article is None:
        return Fields(None, None, ())
    return Fields(article.title, article.published.date().isoformat() if article.published else None, article.authors)


def _peer(name: str) -> FieldsOf:
    load = FIELD_PEERS[name].fields
    assert load is not None  # noqa: S101 - those without were left out
    fields_of = load()
    return lambda html, url: fields_of(html.decode("utf-8", errors="replace"), url)


#: The peers that give facts, by the name of their distribution.
FIELD_PEERS: Mapping[str, PeerAdapter] = {name: peer for name, peer in PEERS.items() if peer.fields}
