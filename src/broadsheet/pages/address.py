"""A URL split for feature extraction: host, path without its extension, query, and the kind of extension."""

from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain

Extension = Literal["none", "page", "file"]

_PAGE_EXTENSIONS = frozenset(
    """
    action amp ars article asp aspx cfm cms column d do ece htm html jsp jspx php php3 php5 shtml ssf stm story xhtml
    """.split()
)
_FILE_EXTENSIONS = frozenset(
    """
    apk atom bmp css csv dmg doc docx epub exe flv gif ico ics
    jpeg jpg js json m3u m3u8 m4a mov mp3 mp4 ogg pdf png ppt pptx
    rar rdf rss svg tar tgz txt wav webm webp wmv xls xlsx xml zip
    """.split()
)
#: Host labels that name an edition of the site, not its content.
_EDITIONS = frozenset({"www", "m", "mobile", "amp"})


class Address(NamedTuple):
    """The parts of a URL, all in lower case."""

    host: str
    #: Percent-decoded, without the leading slash and the extension.
    path: str
    query: str
    extension: Extension


# The links of a site are judged together, and each is asked for several times.
@lru_cache(maxsize=4096)
def split(url: str) -> Address:
    """Split a URL; without a scheme or a host, the remaining parts are still filled in."""
    normal = urls.normalise(url).partition("#")[0]
    _, scheme, rest = normal.partition("://")
    location, _, query = (rest if scheme else normal.lstrip("/")).partition("?")
    host, _, path = location.partition("/")
    if "%" in path:
        path = unquote(path)
    path = path.lower()
    stem, dot, extension = path.rpartition(".")
    if dot and extension in _PAGE_EXTENSIONS:
        return Address(host, stem, query, "page")
    if dot and extension in _FILE_EXTENSIONS:
        return Address(host, stem, query, "file")
    return Address(host, path, query, "none")


# Cached because a page's links lead to few hosts, again and again.
@lru_cache(maxsize=4096)
def own_labels(host: str) -> tuple[str, ...]:
    """Return the labels of a host below its registrable domain, without editions such as `www`."""
    subdomain = host.removesuffix(registrable_domain(host)).strip(".")
    return tuple(label for label in subdomain.split(".") if label and label not in _EDITIONS)
