"""Link-target identification (Standke, 2019): five features of a link's URL, and how many of a page's links have each.

Articles differ from pages that list articles in the links they contain. A date does not also count as a number. What
counts as short was learned (`python -m broadsheet.training.link_thresholds`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.pages.url_features import FEATURES, Rows, measure


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The fewest digits in a number that identifies a page, and the length up to which a URL is short."""

    digits: int
    short: int


#: Learned from the labelled URLs of eleven sites.
LEARNED = Thresholds(digits=2, short=71)

#: A URL is dated from a month on; a year alone may be that of an event.
_MONTH = 2


@dataclass(frozen=True, slots=True)
class LinkSigns:
    """The five features of one URL."""

    number: bool
    date: bool
    reserved: bool
    slash: bool
    #: In characters.
    length: int


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The five link features of a page: how many of its links have each."""

    number: int
    date: int
    reserved: int
    slash: int
    short: int
    #: The number of links counted.
    links: int


def link_signs(url: str, thresholds: Thresholds = LEARNED) -> LinkSigns:
    """Return the five features of a URL."""
    signs = _signs([url], thresholds)
    number, date, reserved, slash = (bool(column[0]) for column in signs)
    return LinkSigns(number, date, reserved, slash, len(url))


def count_links(urls: Sequence[str], thresholds: Thresholds = LEARNED) -> LinkCounts:
    """Count the URLs with each feature; repeated URLs count repeatedly."""
    distinct = {url: row for row, url in enumerate(dict.fromkeys(urls))}
    counts = np.bincount([distinct[url] for url in urls], minlength=len(distinct))
    number, date, reserved, slash = (int(counts[column].sum()) for column in _signs(list(distinct), thresholds))
    short = sum(len(url) <= thresholds.short for url in urls)
    return LinkCounts(number, date, reserved, slash, short, len(urls))


def count_page_links(document: Document, thresholds: Thresholds = LEARNED) -> LinkCounts:
    """Count the features over every occurrence of a link to a page."""
    links = document.links
    return count_links([links.urls[target] for target in links.target.tolist() if target >= 0], thresholds)


def _signs(urls: Sequence[str], thresholds: Thresholds) -> tuple[NDArray[np.bool_], ...]:
    rows = measure(urls)
    number = np.maximum(_column(rows, "longest_number"), _column(rows, "query_number")) >= thresholds.digits
    reserved = sum(_column(rows, f"{place}{kind}") for place in ("host_", "", "last_") for kind in ("service", "media"))
    return number, _column(rows, "date") >= _MONTH, np.asarray(reserved) > 0, _column(rows, "slash") > 0


def _column(rows: Rows, name: str) -> Rows:
    return rows[:, FEATURES.index(name)]
