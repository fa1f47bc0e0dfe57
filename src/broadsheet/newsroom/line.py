"""The line of filters that every fetched page passes, as the configuration names them."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from broadsheet.archive import VisitReason
from broadsheet.base import reasons
from broadsheet.base.entry_points import registered
from broadsheet.base.errors import InputError
from broadsheet.base.limits import Limits
from broadsheet.base.newsroom_settings import KEEP, NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.filters.decode_filter import DecodeFilter
from broadsheet.newsroom.filters.feed_filter import FeedFilter
from broadsheet.newsroom.filters.judge_filter import JudgeFilter
from broadsheet.newsroom.filters.link_filter import LinkFilter
from broadsheet.newsroom.filters.parse_filter import ParseFilter
from broadsheet.newsroom.filters.read_filter import ReadFilter
from broadsheet.newsroom.newsroom_errors import UnknownFilter
from broadsheet.newsroom.page_visit import Breakdown, Drop, FetchedVisit, FilterResult, Findings, PageVisit

#: The group of entry points in which other packages register filters.
ENTRY_POINTS = "broadsheet.filters"


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """What a filter may need to know: it is passed to the class when the line is built."""

    limits: Limits = field(default_factory=Limits)
    quotas: Quotas = field(default_factory=Quotas)
    newsroom: NewsroomSettings = field(default_factory=NewsroomSettings)


class Filter(Protocol):
    """One step of the line: it reads and changes a visit, or raises `Dropped`."""

    def apply(self, visit: PageVisit) -> None:
        """Work on a visit."""
        ...


FilterClass: TypeAlias = Callable[[FilterSettings], Filter]

BUILT_IN: Mapping[str, FilterClass] = {
    "decode": DecodeFilter,
    "parse": ParseFilter,
    "judge": JudgeFilter,
    "links": LinkFilter,
    "read": ReadFilter,
}


class FilterLine:
    """The filters up to `keep`, in their order."""

    def __init__(self, filters: Sequence[Filter], feeds: Filter | None = None) -> None:
        """Take the filters, and the one that feeds pass instead: a feed is not a page."""
        self._filters = tuple(filters)
        self._feeds = (feeds or FeedFilter(FilterSettings()),)

    def apply(self, fetched: FetchedVisit) -> FilterResult:
        """Send a page through all filters, and return what they found, or why there is nothing."""
        visit = PageVisit(fetched)
        try:
            for each in self._feeds if fetched.why is VisitReason.FEED else self._filters:
                each.apply(visit)
        except InputError as error:
            return Drop(error.reason, f"cannot be read ({error.reason}): {error}")
        except MemoryError:
            # A process that reached its memory limit cannot be trusted with another page.
            raise
        except Exception as error:  # noqa: BLE001 - one odd page must not end the crawl of all sites
            what = " ".join(f"{type(error).__name__}: {error}".split())
            return Breakdown(reasons.UNEXPECTED, what, "".join(traceback.format_exception(error)))
        return Findings.of(visit)


def build_line(settings: FilterSettings) -> FilterLine:
    """Build the line that the settings name; an unknown name is an error that lists the known ones."""
    names = settings.newsroom.filter_names()
    # Only what is named is loaded: an entry point may be code of anybody.
    installed = registered(ENTRY_POINTS)
    known = dict.fromkeys((*BUILT_IN, *installed, KEEP))
    if missing := [name for name in names if name not in known]:
        listed = ", ".join(known)
        raise UnknownFilter(f"newsroom.filters: no filter is called {missing[0]!r}; the installed ones are {listed}")
    classes: list[FilterClass] = [installed[name].load() if name in installed else BUILT_IN[name] for name in names]
    return FilterLine([each(settings) for each in classes], FeedFilter(settings))
