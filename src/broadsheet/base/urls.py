"""URL identity: where an href leads, the form that is fetched, and the form by which two URLs are one page.

Hrefs are read as browsers read them (the WHATWG's URL standard). The standard library's parser is not used:
it raises on some malformed hosts, and takes others, such as those with backslashes, for something else.
"""

import re
from typing import NamedTuple

from broadsheet.base.hosts import ascii_host
from broadsheet.base.tracking import is_noise
from broadsheet.base.url_path import escaped, without_dots, written

#: Stored beside every key; it rises whenever `key` changes its answer for any URL.
KEY_VERSION = 1

#: Longer addresses are made by machines that have no end: they are neither kept nor followed.
MAX_LENGTH = 2_000

_DEFAULT_PORTS = frozenset((("http", "80"), ("https", "443")))
_CONTROLS_AND_SPACE = "".join(map(chr, range(33)))
_TABS_AND_NEWLINES = str.maketrans("", "", "\t\n\r")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HTTP = re.compile(r"(https?):", re.IGNORECASE)
_BASE = re.compile(r"(https?)(://[^/?#]*)([^?#]*)[^#]*")
_PORT = re.compile(r"(?:0*(0|[1-9][0-9]{0,4}))?").fullmatch

# Nearly every href is of one of these two forms, and then nothing in it needs care but dot segments.
_NORMAL = re.compile(rf"(https?)://([0-9a-z_-][0-9a-z._-]{{0,252}})(/{written('/')})(?:\?({written('/?')}))?").fullmatch
_ROOTED = re.compile(rf"/(?!/){written('/?')}").fullmatch

_HOST_VARIANT = re.compile(r"\A(?:(?:www[0-9]{0,3}|m|mobile|amp)\.)+(?=[^.]+\.)")
# Blanks before a name are stripped with the scheme, so they must not count where they are written as encodings either.
_BLANK = re.compile(r"\A(?:%[01][0-9A-F]|%20)++")
_PATH_SESSION = re.compile(r";jsessionid=[^;/]*", re.IGNORECASE)
_INDEX = re.compile(r"(?:index|default)\.(?:html?|shtml|xhtml|php[0-9]?|aspx?|jspx?|cfm|cgi)", re.IGNORECASE).fullmatch


class _Parts(NamedTuple):
    """An http(s) URL without its fragment, every part as `normalise` writes it."""

    scheme: str
    user: str
    host: str
    port: str
    path: str
    query: str | None

    def url(self) -> str:
        user = self.user and self.user + "@"
        port = "" if not self.port or (self.scheme, self.port) in _DEFAULT_PORTS else ":" + self.port
        query = "" if self.query is None else "?" + self.query
        return f"{self.scheme}://{user}{self.host}{port}{self.path}{query}"


def resolve(href: str, base: str | None) -> str | None:
    """The page that an href leads to, as `normalise` writes it; None where it leads to none.

    A fragment alone leads to the page it stands on; an empty href is taken for a link that was left out.
    """
    if _is_normal(href):
        return href
    if base and _ROOTED(href) and "/." not in href and (page := _NORMAL(base)):
        return f"{page[1]}://{page[2]}{href}"
    text = _cleaned(href)
    return _normal(_joined(text.partition("#")[0], base or "")) if text else None


def normalise(url: str) -> str:
    """The URL in the form to fetch: another spelling, but the same resource on every correct server.

    Scheme and host become lower-case ASCII; default port, dot segments and fragment go; percent-encodings are
    made uniform. Case, order and slashes stay as they are. What is not an http(s) URL comes back only trimmed.
    """
    if _is_normal(url):
        return url
    text = _cleaned(url)
    return _normal(text) or text


def key(url: str) -> str:
    """What URLs of one page have in common, to compare and never to fetch.

    Leaves out the scheme, default ports, `www.` and the hosts of mobile editions, tracking parameters and
    sessions, the order of the query, index documents and trailing slashes. A URL may lack its scheme, as keys
    do.
    """
    parts = _loosely_split(url)
    if isinstance(parts, str):
        return parts
    name = _HOST_VARIANT.sub("", parts.host.rstrip("."))
    user = _BLANK.sub("", parts.user)
    user = user and user + "@"
    port = "" if parts.port in ("", "80", "443") else ":" + parts.port
    segments = without_dots(_PATH_SESSION.sub("", parts.path)).split("/")
    while segments and (not segments[-1] or _INDEX(segments[-1])):
        segments.pop()
    query = sorted(part for part in set((parts.query or "").split("&")) if part and not is_noise(part))
    return f"{user}{name}{port}{'/'.join(segments)}{'?' if query else ''}{'&'.join(query)}"


def host(url: str) -> str:
    """The host of a URL, which may lack its scheme, in lower-case ASCII; empty where there is none."""
    normal = _NORMAL(url)
    if normal:
        return normal[2]
    place = _place(_without_scheme(url))
    return place.host if place else ""


def _cleaned(text: str) -> str:
    return text.strip(_CONTROLS_AND_SPACE).translate(_TABS_AND_NEWLINES)


def _is_normal(text: str) -> bool:
    return _NORMAL(text) is not None and "/." not in text


def _joined(href: str, base: str) -> str:
    """The href, which has no fragment, put onto its base; text that is not an http(s) URL where that fails."""
    page = _BASE.match(normalise(base))
    before, mark, query = href.partition("?")
    before = before.replace("\\", "/")
    scheme = _SCHEME.match(before)
    if scheme:
        # An oddity that browsers keep for old pages: `http:a` is relative on a page of the same scheme.
        if page is None or scheme[1].lower() != page[1] or before.startswith("//", scheme.end()):
            return href
        before = before[scheme.end() :]
    if page is None:
        return ""
    origin, path = page[1] + page[2], page[3]
    if before.startswith("//"):
        return f"{page[1]}:{before}{mark}{query}"
    if before.startswith("/"):
        return f"{origin}{before}{mark}{query}"
    if before:
        return f"{origin}{path[: path.rfind('/') + 1] or '/'}{before}{mark}{query}"
    return f"{origin}{path}{mark}{query}" if mark else page[0]


def _normal(text: str) -> str | None:
    """The normal form of a trimmed http(s) URL; None for any other text."""
    if _is_normal(text):
        return text
    match = _HTTP.match(text)
    parts = _parted(match[1].lower(), text[match.end() :]) if match else None
    return parts and parts.url()


def _loosely_split(url: str) -> _Parts | str:
    """A URL, with or without its scheme, taken apart; what follows the scheme where it is malformed."""
    normal = _NORMAL(url)
    if normal and "/." not in url:
        return _Parts(normal[1], "", normal[2], "", normal[3], normal[4])
    rest = _without_scheme(url)
    return _parted("https", rest) or rest


def _without_scheme(url: str) -> str:
    text = _cleaned(url)
    match = _HTTP.match(text)
    return text[match.end() if match else 0 :].lstrip("/\\" + _CONTROLS_AND_SPACE)


class _Place(NamedTuple):
    """Where the resource of a URL lies, host and port as `normalise` writes them, the rest as it is written."""

    user: str
    host: str
    port: str
    path: str


def _parted(scheme: str, rest: str) -> _Parts | None:
    """What follows the scheme, taken apart; None where the host or the port can be none."""
    before, mark, query = rest.partition("#")[0].partition("?")
    place = _place(before)
    if place is None:
        return None
    return _Parts(
        scheme,
        "" if place.user == ":" else escaped(place.user).replace("@", "%40"),
        place.host,
        place.port,
        without_dots("/" + escaped(place.path)),
        escaped(query) if mark else None,
    )


def _place(rest: str) -> _Place | None:
    before = rest.partition("#")[0].partition("?")[0]
    authority, _, path = before.replace("\\", "/").lstrip("/").partition("/")
    user, _, place = authority.rpartition("@")
    name, colon, port = place.rpartition(":")
    if not colon or port.endswith("]"):
        name, port = place, ""
    valid_name, valid_port = ascii_host(name), _PORT(port)
    if valid_name is None or valid_port is None or int(valid_port[1] or 0) > 65535:
        return None
    return _Place(user, valid_name, valid_port[1] or "", path)
