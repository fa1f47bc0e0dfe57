"""Addresses of the pages of one article: one address for all, and in each the number of its page."""

import re
from enum import IntEnum
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from broadsheet.base import urls

#: No article has more pages.
MAX_PAGES = 99
#: Longer addresses are not looked at.
MAX_ADDRESS = 1_000
#: Fields of one query that may hold the number of a page.
MAX_FIELDS = 3

#: What the number of a page is called in addresses; publishers of all languages mostly say it in English.
_NAMES = (
    "page|pages|pg|pag|pagina|pagine|pageno|pagenum|pagenumber|page_no|page_number|page_num|pagewanted|paged|"
    "currentpage|curpage|pn|seite|strona|stranica|strana|sida|side|sivu|sayfa|oldal|halaman|trang|part|p"
)
_QUERY_NAME = re.compile(_NAMES).fullmatch
_QUERY_NUMBER = re.compile(rf"(?:\A|&)(?:{_NAMES})=\d{{1,2}}(?:&|\Z)", re.IGNORECASE)
_PATH_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?:\.[a-z]{2,5}|/*)\Z", re.IGNORECASE)
_ENDING = re.compile(r"\.[a-z]{2,5}\Z", re.IGNORECASE)


class Kind(IntEnum):
    """How an address says that it has the number of a page in it."""

    #: It is the address itself, with no number.
    FIRST = 0
    #: It says `page` or the like.
    NAMED = 1
    #: A bare number stands where a part of the path would: `/2`, `_2`, `,2`.
    BARE = 2
    #: A number stands behind another word: `,pack,2`.
    WORDED = 3
    #: A bare number stands behind a dash, as it also does in names: `to-the-moon-2`.
    DASHED = 4


_FORMS = (
    (Kind.NAMED, re.compile(rf"[/_,;.-](?:{_NAMES})[/_=,-]?(?P<number>\d{{1,2}})\Z", re.IGNORECASE)),
    (Kind.BARE, re.compile(r"[/_,](?P<number>\d{1,2})\Z")),
    (Kind.WORDED, re.compile(r"[/,;][A-Za-z]{1,12}[/=,](?P<number>\d{1,2})\Z")),
    (Kind.DASHED, re.compile(r"-(?P<number>\d{1,2})\Z")),
)


class Numbered(NamedTuple):
    """An address as that of one page among several: the key of the first page, the number, and how it is said."""

    article: str
    number: int
    kind: Kind


def path_of(key: str) -> str:
    """Return the path in the key of an article, without its ending: the addresses of all its pages have it in them."""
    path = key.partition("?")[0].partition("/")[2]
    return _ENDING.sub("", path)


def may_be_numbered(address: str) -> bool:
    """Tell whether there may be a way to read an address as a later page; mostly there is none."""
    path, _, query = address.partition("#")[0].partition("?")
    return bool(_PATH_NUMBER.search(path) or (query and _QUERY_NUMBER.search(query)))


def readings_of(address: str) -> list[Numbered]:
    """Return every way to read an address: as a first page, and as a later one by its query or the end of its path."""
    if len(address) > MAX_ADDRESS:
        return []
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    found = [Numbered(urls.key(address), 1, Kind.FIRST)]
    fields = parts.query.split("&") if parts.query else []
    for place in _numbered_fields(fields):
        rest = "&".join(fields[:place] + fields[place + 1 :])
        number = int(fields[place].partition("=")[2])
        found.append(Numbered(urls.key(urlunsplit(parts._replace(query=rest))), number, Kind.NAMED))
    ending = _ENDING.search(parts.path)
    stem = parts.path[: ending.start()] if ending else parts.path.rstrip("/")
    for kind, form in _FORMS if stem[-1:].isdecimal() else ():
        match = form.search(stem)
        # A number behind nothing is not a page of an article, but of the site.
        if match and 1 <= int(match["number"]) <= MAX_PAGES and match.start() > 1:
            path = stem[: match.start()] + (ending[0] if ending else "")
            found.append(Numbered(urls.key(urlunsplit(parts._replace(path=path))), int(match["number"]), kind))
    return found


def _numbered_fields(fields: list[str]) -> list[int]:
    """Return the places of the fields of a query that hold the number of a page; an address with many has none."""
    places = []
    for place, field in enumerate(fields):
        name, _, value = field.partition("=")
        if _QUERY_NAME(name.lower()) and value.isascii() and value.isdecimal() and len(value) <= 2 and int(value):
            places.append(place)
    return places if len(places) <= MAX_FIELDS else []
