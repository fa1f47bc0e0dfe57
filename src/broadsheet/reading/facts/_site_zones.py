"""The zone of a site, as far as the offsets that its pages state for their times tell it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from broadsheet.document import Document
from broadsheet.reading.facts._machine_dates import read_iso
from broadsheet.reading.facts._zones import RULES, SUMMER, Rule, offset_at

#: The fewest pages that have to state an offset: one may be about a place elsewhere.
MIN_PAGES: Final = 3
#: The offsets of zones are whole quarters of an hour between these, in minutes.
OFFSETS: Final = range(-12 * 60, 14 * 60 + 1, 15)


class SiteZone(NamedTuple):
    """A zone: its offset in winter, in minutes, and its rule for summer time."""

    minutes: int
    rule: Rule


def stated_times(document: Document) -> tuple[datetime, ...]:
    """Return the times that the metadata of a page state with an offset.

    An offset of zero may mean that a time was converted, and not where the site is.
    """
    values = (*document.metadata.published, *document.metadata.modified)
    moments = (read_iso(value.value) for value in values)
    return tuple(moment.time for moment in moments if moment and moment.time.utcoffset())


def zones_of(pages: Iterable[Sequence[datetime]]) -> tuple[SiteZone, ...]:
    """Return the zones that agree with all times that some pages state; none if too few pages state any.

    Times of one season agree with several zones, which differ in the other.
    """
    stated = [page for page in pages if page]
    if len(stated) < MIN_PAGES:
        return ()
    times = [time for page in stated for time in page]
    offsets = {offset for time in times if (offset := time.utcoffset()) is not None}
    standards = sorted({*offsets, *(offset - SUMMER for offset in offsets)})
    zones = (SiteZone(int(standard / timedelta(minutes=1)), rule) for rule in RULES for standard in standards)
    return tuple(
        zone
        for zone in zones
        if zone.minutes in OFFSETS
        and all(offset_at(time.replace(tzinfo=None), *zone) == time.utcoffset() for time in times)
    )


def common_offset(zones: Iterable[SiteZone], local: datetime) -> timedelta | None:
    """Return the offset of a local time, or None if the zones differ about it or there is none."""
    offsets = {offset_at(local, *zone) for zone in zones}
    return offsets.pop() if len(offsets) == 1 else None
