"""The knobs of what planned sites have besides news: other pages, other ways to the same pages, traps, a redesign."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.newsweb.site_plan import PageLayout


@dataclass(frozen=True, slots=True)
class SiteRedesign:
    """From a moment on, all pages of a site have another layout."""

    at: datetime
    layout: PageLayout


@dataclass(frozen=True, slots=True)
class PageExtras:
    """What can be set on a planned site besides its lists; the defaults add nothing.

    `tags` are the names of topics: each article links to a few, and each has a page. `day_archives` are pages with all
    articles of a day. With `search`, articles link to what a search for their topic finds; there is a page for every
    search. `editions` are further home pages with the same lists in another order. `galleries`, `videos`
    and `briefs` (of a few sentences) are shares of all articles. With
    `twins`, each article has a version to print and one for small screens.

    Three are traps: a `calendar` has a page for every month, without end; the links of the bar have a session id that
    is new every minute; `filters` add parameters to the address of a front that make no difference.
    """

    tags: tuple[str, ...] = ()
    day_archives: bool = False
    search: bool = False
    editions: tuple[str, ...] = ()
    galleries: float = 0.0
    briefs: float = 0.0
    videos: float = 0.0
    twins: bool = False
    calendar: bool = False
    session_ids: bool = False
    filters: bool = False
    redesign: SiteRedesign | None = None
