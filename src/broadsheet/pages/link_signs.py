"""Link-target identification: five signs of a link's address, and how many of a page's links show each.

Pages that are articles and pages that list them differ in the links they hold. A date is not also a number, and how
short is short was learned (`python -m broadsheet.training.link_thresholds`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.pages.url_features import FEATURES, Rows, measure


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What was learned: the fewest digits of a number that identifies, and the longest address that is short."""

    digits: int
    short: int


#: Learned from the labelled addresses of eleven sites.
LEARNED = Thresholds(digits=2, short=71)

#: A month in an address dates it; a year alone may be that of an event.
_MONTH = 2


@dataclass(frozen=True, slots=True)
class LinkSigns:
    """What one address shows."""

    number: bool
    date: bool
    reserved: bool
    slash: bool
    #: In characters.
    length: int


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """How many of a page's links show each sign: the five link features of a page."""

    number: int
    date: int
    reserved: int
    slash: int
    short: int
    #: How many links were looked at.
    links: int


def link_signs(url: str, thresholds: Thresholds = LEARNED) -> LinkSigns:
    """Return the five signs of an address."""
    signs = _signs([url], thresholds)
    number, date, reserved, slash = (bool(column[0]) for column in signs)
    return LinkSigns(number, date, reserved, slash, len(url))


def count_links(urls: Sequence[str], thresholds: Thresholds = LEARNED) -> LinkCounts:
    """Count the addresses that show each sign; one that is given twice counts twice."""
    distinct = {url: row for row, url in enumerate(dict.fromkeys(urls))}
    times = np.bincount([distinct[url] for url in urls], minlength=len(distinct))
    number, date, reserved, slash = (int(times[column].sum()) for column in _signs(list(distinct), thresholds))
    short = sum(len(url) <= thresholds.short for url in urls)
    return LinkCounts(number, date, reserved, slash, short, len(urls))


def count_page_links(document: Document, thresholds: Thresholds = LEARNED) -> LinkCounts:
    """Count the signs over a page's outgoing links: every occurrence of a link that leads to a page."""
    links = document.links
    return count_links([links.urls[target] for target in links.target.tolist() if target >= 0], thresholds)


def _signs(urls: Sequence[str], thresholds: Thresholds) -> tuple[NDArray[np.bool_], ...]:
    rows = measure(urls)
    number = np.maximum(_column(rows, "longest_number"), _column(rows, "query_number")) >= thresholds.digits
    reserved = sum(_column(rows, f"{place}{kind}") for place in ("host_", "", "last_") for kind in ("service", "media"))
    return number, _column(rows, "date") >= _MONTH, np.asarray(reserved) > 0, _column(rows, "slash") > 0


def _column(rows: Rows, name: str) -> Rows:
    return rows[:, FEATURES.index(name)]
