"""Page numbers in URLs: the pages of an article share one URL, apart from the number of the page."""

import re
from enum import IntEnum
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from broadsheet.base import urls

#: The highest page number.
MAX_PAGES = 99
#: Longer URLs are ignored.
MAX_ADDRESS = 1_000
#: The most query parameters that may be a page number.
MAX_FIELDS = 3

#: Names of the page number in URLs; publishers in all languages mostly use English.
_NAMES = (
    "page|pages|pg|pag|pagina|pagine|pageno|pagenum|pagenumber|page_no|page_number|page_num|pagewanted|paged|"
    "currentpage|curpage|pn|seite|strona|stranica|strana|sida|side|sivu|sayfa|oldal|halaman|trang|part|p"
)
_QUERY_NAME = re.compile(_NAMES).fullmatch
_QUERY_NUMBER = re.compile(rf"(?:\A|&)(?:{_NAMES})=\d{{1,2}}(?:&|\Z)", re.IGNORECASE)
_PATH_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?:\.[a-z]{2,5}|/*)\Z", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z]{2,5}\Z", re.IGNORECASE)


class Kind(IntEnum):
    """How a URL contains a page number."""

    #: Not at all.
    FIRST = 0
    #: With a name such as `page`.
    NAMED = 1
    #: As a segment of its own: `/2`, `_2`, `,2`.
    BARE = 2
    #: After another word: `,pack,2`.
    WORDED = 3
    #: After a hyphen, like numbers in names: `to-the-moon-2`.
    DASHED = 4


_FORMS = (
    (Kind.NAMED, re.compile(rf"[/_,;.-](?:{_NAMES})[/_=,-]?(?P<number>\d{{1,2}})\Z", re.IGNORECASE)),
    (Kind.BARE, re.compile(r"[/_,](?P<number>\d{1,2})\Z")),
    (Kind.WORDED, re.compile(r"[/,;][A-Za-z]{1,12}[/=,](?P<number>\d{1,2})\Z")),
    (Kind.DASHED, re.compile(r"-(?P<number>\d{1,2})\Z")),
)


class NumberedAddress(NamedTuple):
    """A URL interpreted as one of several pages: the key of the first page, the number, and how it is written."""

    article: str
    number: int
    kind: Kind


def path_of(key: str) -> str:
    """Return the path in the key of an article without its extension, which the URLs of all its pages contain."""
    path = key.partition("?")[0].partition("/")[2]
    return _EXTENSION.sub("", path)


def may_be_numbered(address: str) -> bool:
    """Tell cheaply whether a URL may have a page number; most have none."""
    path, _, query = address.partition("#")[0].partition("?")
    return bool(_PATH_NUMBER.search(path) or (query and _QUERY_NUMBER.search(query)))


def parse_page_numbers(address: str) -> list[NumberedAddress]:
    """Return every interpretation of a URL: as a first page, and as a later one by its query or the end of its path."""
    if len(address) > MAX_ADDRESS:
        return []
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    interpretations = [NumberedAddress(urls.key(address), 1, Kind.FIRST)]
    fields = parts.query.split("&") if parts.query else []
    for index in _numbered_fields(fields):
        rest = "&".join(fields[:index] + fields[index + 1 :])
        number = int(fields[index].partition("=")[2])
        interpretations.append(NumberedAddress(urls.key(urlunsplit(parts._replace(query=rest))), number, Kind.NAMED))
    extension = _EXTENSION.search(parts.path)
    stem = parts.path[: extension.start()] if extension else parts.path.rstrip("/")
    for kind, form in _FORMS if stem[-1:].isdecimal() else ():
        match = form.search(stem)
        # A number with nothing before it is a page of the site, not of an article.
        if match and 1 <= int(match["number"]) <= MAX_PAGES and match.start() > 1:
            path = stem[: match.start()] + (extension[0] if extension else "")
            key = urls.key(urlunsplit(parts._replace(path=path)))
            interpretations.append(NumberedAddress(key, int(match["number"]), kind))
    return interpretations


def _numbered_fields(fields: list[str]) -> list[int]:
    """Return the indices of the query parameters that are page numbers, or none if there are too many."""
    indices = []
    for index, field in enumerate(fields):
        name, _, value = field.partition("=")
        if _QUERY_NAME(name.lower()) and value.isascii() and value.isdecimal() and len(value) <= 2 and int(value):
            indices.append(index)
    return indices if len(indices) <= MAX_FIELDS else []
