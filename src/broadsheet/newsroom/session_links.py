"""Links whose addresses name the visitor's session: every visit finds the same pages under new addresses."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

#: A session has a value like this one: letters and digits without a meaning. Dates and page numbers have no letters,
#: and words no digits.
_OPAQUE = re.compile(r"(?=[^=]*[0-9])(?=[^=]*[A-Za-z])[0-9A-Za-z_-]{6,128}").fullmatch
#: A parameter is that of a session if so many links of a page share its value, and lead to the same pages as before
#: with another value.
MIN_LINKS = 3
#: Addresses that are remembered for one source; links beyond them keep their own.
MAX_PAGES = 20_000


@dataclass(slots=True)
class _SourceSessions:
    """What is known of one source."""

    #: The parameters that name sessions.
    names: set[str] = field(default_factory=set)
    #: By page and parameter: the value that its links had at the last visit, and those links by their address without.
    shown: dict[tuple[str, str], tuple[str, dict[str, str]]] = field(default_factory=dict)
    #: By address without session: the first one that the page was seen under.
    first: dict[str, str] = field(default_factory=dict)

    def remember(self, plain: str, url: str, *, bare: bool = False) -> str:
        """Return the first address that a page was seen under, or one without session, and remember it."""
        first = url if bare else self.first.get(plain, url)
        if plain in self.first or len(self.first) < MAX_PAGES:
            self.first[plain] = first
        return first


class SessionLinks:
    """Learns which query parameters of a source name sessions, and which links lead to a page that is known.

    What tells a session from all else: several links of a page have the same value, and at the next visit all of them
    have another one. Nothing is kept in the archive, because two visits to one page show it again.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self._sources: defaultdict[str, _SourceSessions] = defaultdict(_SourceSessions)

    def known(self, source: str, page: str, url: str, links: Mapping[str, str]) -> dict[str, str]:
        """Return, by key, under which address a page is known that the visitor's session gave a new one.

        `url` is the address of the page that links to them, and `links` has theirs by their keys.
        """
        with_query = {key: url for key, url in links.items() if "?" in key}
        if not with_query:
            return {}
        own = self._sources[source]
        self._learn(own, page, with_query)
        if not own.names:
            return {}
        known = {}
        for key, address in with_query.items():
            plain = _without(key, own.names)
            if plain == key:
                continue
            if plain in links or plain == page:
                first = own.remember(plain, links.get(plain, url), bare=True)
            else:
                first = own.remember(plain, address)
            if first != address:
                known[key] = first
        return known

    @staticmethod
    def _learn(own: _SourceSessions, page: str, links: Mapping[str, str]) -> None:
        for name, (value, pages) in _shared_values(links):
            old, before = own.shown.get((page, name), (value, {}))
            if old != value and len(pages.keys() & before.keys()) >= MIN_LINKS:
                own.names.add(name)
            if name in own.names:
                for plain, url in before.items():
                    own.remember(plain, url)
            own.shown[page, name] = value, pages


def _shared_values(links: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, dict[str, str]]]]:
    """Yield the parameters that have one opaque value on several links, with those links by their address without."""
    found: defaultdict[str, defaultdict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for key, url in links.items():
        for name, value in _parameters(key):
            if _OPAQUE(value):
                found[name][value][_without(key, {name})] = url
    for name, values in found.items():
        if len(values) == 1:
            ((value, pages),) = values.items()
            if len(pages) >= MIN_LINKS:
                yield name, (value, pages)


def _parameters(key: str) -> Iterator[tuple[str, str]]:
    for parameter in key.partition("?")[2].split("&"):
        name, _, value = parameter.partition("=")
        yield name, value


def _without(key: str, names: set[str]) -> str:
    """Return the key of an address without some parameters."""
    path, _, query = key.partition("?")
    kept = "&".join(parameter for parameter in query.split("&") if parameter.partition("=")[0] not in names)
    return f"{path}?{kept}" if kept else path
