"""URL identity: resolving an href, the form to fetch, and the key by which two URLs are the same page.

Hrefs are parsed as browsers parse them (the WHATWG URL standard). The standard library's parser is not used:
it raises on some malformed hosts, and misreads others, such as those with backslashes.
"""

import re
from typing import NamedTuple

from broadsheet.base._tracking import is_noise
from broadsheet.base._url_path import escaped_pattern, percent_encode, remove_dot_segments
from broadsheet.base.hosts import ascii_host

#: Stored with every key; raise it whenever the result of `key` changes for any URL.
KEY_VERSION = 1

#: Longer URLs come from crawler traps: they are neither stored nor followed.
MAX_LENGTH = 2_000

_DEFAULT_PORTS = frozenset((("http", "80"), ("https", "443")))
_CONTROLS_AND_SPACE = "".join(map(chr, range(33)))
_TABS_AND_NEWLINES = str.maketrans("", "", "\t\n\r")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HTTP = re.compile(r"(https?):", re.IGNORECASE)
_BASE = re.compile(r"(https?)(://[^/?#]*)([^?#]*)[^#]*")
_PORT = re.compile(r"(?:0*(0|[1-9][0-9]{0,4}))?").fullmatch

# Nearly every href has one of these two forms, in which only dot segments need processing.
_NORMAL = re.compile(
    rf"(https?)://([0-9a-z_-][0-9a-z._-]{{0,252}})(/{escaped_pattern('/')})(?:\?({escaped_pattern('/?')}))?"
).fullmatch
_ROOTED = re.compile(rf"/(?!/){escaped_pattern('/?')}").fullmatch

_HOST_VARIANT = re.compile(r"\A(?:(?:www[0-9]{0,3}|m|mobile|amp)\.)+(?=[^.]+\.)")
_VARIANTS = ("www", "m", "amp")
# Blanks before a name are stripped with the scheme, so percent-encoded ones must not count either.
_BLANK = re.compile(r"\A(?:%[01][0-9A-F]|%20)++")
_PATH_SESSION = re.compile(r";jsessionid=[^;/]*", re.IGNORECASE)
_INDEX_LETTERS = ("i", "d", "I", "D")
_INDEX = re.compile(r"(?:index|default)\.(?:html?|shtml|xhtml|php[0-9]?|aspx?|jspx?|cfm|cgi)", re.IGNORECASE).fullmatch


class _Parts(NamedTuple):
    """The normalised parts of an http(s) URL, without its fragment."""

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
    """Return the normalised URL that an href leads to, or None if it does not lead to a page.

    A bare fragment leads to its own page; an empty href leads nowhere.
    """
    if _is_normal(href):
        return href
    if base and _ROOTED(href) and "/." not in href and (page := _NORMAL(base)):
        return f"{page[1]}://{page[2]}{href}"
    text = _strip(href)
    return _normal(_join(text.partition("#")[0], base or "")) if text else None


def normalise(url: str) -> str:
    """Return the form of a URL to fetch, which is the same resource on every correct server.

    Scheme and host become lower-case ASCII; default port, dot segments and fragment are removed; percent-encodings
    are made uniform. The case, order and slashes of the rest do not change. Text that is not an http(s) URL is only
    trimmed.
    """
    if _is_normal(url):
        return url
    text = _strip(url)
    return _normal(text) or text


def key(url: str) -> str:
    """Return what the URLs of one page have in common, for comparison only, never for fetching.

    Ignores the scheme, default ports, `www.` and the hosts of mobile editions, tracking parameters and sessions,
    the order of the query, index documents and trailing slashes. The scheme may be missing, as it is in keys.
    """
    parts = _loosely_split(url)
    if isinstance(parts, str):
        return parts
    # Keys are computed for every link of a page, and most URLs have few of these parts.
    _, user, host, port, path, query = parts
    name = _HOST_VARIANT.sub("", host.rstrip(".")) if host.startswith(_VARIANTS) else host.rstrip(".")
    if user and (user := _BLANK.sub("", user)):
        name = f"{user}@{name}"
    if port not in ("", "80", "443"):
        name = f"{name}:{port}"
    if ";" in path:
        path = _PATH_SESSION.sub("", path)
    path = _without_index(remove_dot_segments(path))
    kept = sorted(part for part in set(query.split("&")) if part and not is_noise(part)) if query else ()
    return f"{name}{path}?{'&'.join(kept)}" if kept else name + path


def _without_index(path: str) -> str:
    """Return a path without slashes and index documents at its end."""
    while True:
        path = path.rstrip("/")
        folder, _, last = path.rpartition("/")
        if not last.startswith(_INDEX_LETTERS) or not _INDEX(last):
            return path
        path = folder


def without_tracking(url: str) -> str:
    """Return a URL without the parts of its query that follow visitors: they say nothing about the page."""
    address, mark, query = url.partition("?")
    if not mark:
        return url
    query, fragment_mark, fragment = query.partition("#")
    kept = "&".join(part for part in query.split("&") if not is_noise(part))
    return f"{address}{mark if kept else ''}{kept}{fragment_mark}{fragment}"


def host(url: str) -> str:
    """Return the host of a URL, with or without scheme, in lower-case ASCII; empty if there is none."""
    normal = _NORMAL(url)
    if normal:
        return normal[2]
    location = _locate(_without_scheme(url))
    return location.host if location else ""


def _strip(text: str) -> str:
    return text.strip(_CONTROLS_AND_SPACE).translate(_TABS_AND_NEWLINES)


def _is_normal(text: str) -> bool:
    return _NORMAL(text) is not None and "/." not in text


def _join(href: str, base: str) -> str:
    """Join an href without fragment to its base; if that fails, the result is not an http(s) URL."""
    page = _BASE.match(normalise(base))
    before, mark, query = href.partition("?")
    before = before.replace("\\", "/")
    scheme = _SCHEME.match(before)
    if scheme:
        # Browsers still support this for old pages: `http:a` is relative on a page of the same scheme.
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
    """Return the normal form of a trimmed http(s) URL, or None for any other text."""
    if _is_normal(text):
        return text
    match = _HTTP.match(text)
    parts = _split_rest(match[1].lower(), text[match.end() :]) if match else None
    return parts and parts.url()


def _loosely_split(url: str) -> _Parts | str:
    """Split a URL with or without scheme; return what follows the scheme if it is malformed."""
    normal = _NORMAL(url)
    if normal and "/." not in url:
        return _Parts(normal[1], "", normal[2], "", normal[3], normal[4])
    rest = _without_scheme(url)
    return _split_rest("https", rest) or rest


def _without_scheme(url: str) -> str:
    text = _strip(url)
    match = _HTTP.match(text)
    return text[match.end() if match else 0 :].lstrip("/\\" + _CONTROLS_AND_SPACE)


class _Location(NamedTuple):
    """The location of a resource: host and port normalised, user and path unchanged."""

    user: str
    host: str
    port: str
    path: str


def _split_rest(scheme: str, rest: str) -> _Parts | None:
    """Split what follows the scheme; None if the host or the port is invalid."""
    before, mark, query = rest.partition("#")[0].partition("?")
    location = _locate(before)
    if location is None:
        return None
    return _Parts(
        scheme,
        "" if location.user == ":" else percent_encode(location.user).replace("@", "%40"),
        location.host,
        location.port,
        remove_dot_segments("/" + percent_encode(location.path)),
        percent_encode(query) if mark else None,
    )


def _locate(rest: str) -> _Location | None:
    before = rest.partition("#")[0].partition("?")[0]
    authority, _, path = before.replace("\\", "/").lstrip("/").partition("/")
    user, _, address = authority.rpartition("@")
    name, colon, port = address.rpartition(":")
    if not colon or port.endswith("]"):
        name, port = address, ""
    valid_name, valid_port = ascii_host(name), _PORT(port)
    if valid_name is None or valid_port is None or int(valid_port[1] or 0) > 65535:
        return None
    return _Location(user, valid_name, valid_port[1] or "", path)
