"""An address taken apart for measuring: host, path without its extension, query, and what the extension says."""

from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain

Extension = Literal["none", "page", "file"]

_PAGES = frozenset(
    """
    action amp ars article asp aspx cfm cms column d do ece htm html jsp jspx php php3 php5 shtml ssf stm story xhtml
    """.split()
)
_FILES = frozenset(
    """
    apk atom bmp css csv dmg doc docx epub exe flv gif ico ics
    jpeg jpg js json m3u m3u8 m4a mov mp3 mp4 ogg pdf png ppt pptx
    rar rdf rss svg tar tgz txt wav webm webp wmv xls xlsx xml zip
    """.split()
)
#: A host's labels that say how a page is shown, not what it is.
_EDITIONS = frozenset({"www", "m", "mobile", "amp"})


class Address(NamedTuple):
    """The parts of an address that are measured, all in lower case."""

    host: str
    #: Without the slash it begins with, and without its extension; percent-encodings are read.
    path: str
    query: str
    extension: Extension


def split(url: str) -> Address:
    """Take an address apart; one that has no host, or lacks its scheme, is read as far as it goes."""
    rest = urls.normalise(url).partition("#")[0]
    _, scheme, after = rest.partition("://")
    before, _, query = (after if scheme else rest.lstrip("/")).partition("?")
    host, _, path = before.partition("/")
    if "%" in path:
        path = unquote(path)
    path = path.lower()
    stem, dot, ending = path.rpartition(".")
    if dot and ending in _PAGES:
        return Address(host, stem, query, "page")
    if dot and ending in _FILES:
        return Address(host, stem, query, "file")
    return Address(host, path, query, "none")


# A page's links lead to few hosts, and to each again and again.
@lru_cache(maxsize=4096)
def own_labels(host: str) -> tuple[str, ...]:
    """Return the labels that a host adds to what its owner registered, without those of editions such as `www`."""
    added = host.removesuffix(registrable_domain(host)).strip(".")
    return tuple(label for label in added.split(".") if label and label not in _EDITIONS)
