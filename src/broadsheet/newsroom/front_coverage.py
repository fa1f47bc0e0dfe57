"""How much of what the home page and sections of a source show is in its feeds; what is need not be looked at often."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from broadsheet.archive import PageRecord
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.feed_leadership import FeedLeadership
from broadsheet.newsroom.judging import FEED

#: Feeds cover a source if they list this share of the newest articles that its home page and sections show.
COVERED = 0.9
MIN_SHOWN, MAX_SHOWN = 5, 20
#: For how many intervals a feed may fail to be fetched before it covers nothing.
PATIENCE = 3


class FrontCoverage:
    """Compares feeds with fronts: sections whose articles feeds list are visited rarely."""

    def __init__(self, desk: Desk, agenda: Agenda, leadership: FeedLeadership) -> None:
        """Take what is compared, and what visits sections less often for feeds."""
        self._desk = desk
        self._agenda = agenda
        self._leadership = leadership

    def shown(self, source: str, since: datetime, until: datetime) -> dict[str, list[PageRecord]]:
        """Return the articles that each front of a source shows, of those that were first seen in a period."""
        domain = self._agenda.domain(source)
        linked = {}
        for front in self._agenda.fronts(source):
            links = self._desk.links.of(front)
            linked[front] = [links.keys[row] for row in links.on_site(domain)]
        pages = self._desk.writer.pages({key for keys in linked.values() for key in keys})
        recent = {
            key: page
            for key, page in pages.items()
            if page.kind == "article" and page.first_seen is not None and since < page.first_seen <= until
        }
        return {front: [recent[key] for key in keys if key in recent] for front, keys in linked.items()}

    def missing(self, source: str, since: datetime, until: datetime) -> int:
        """Return how many articles fronts show that were first seen in a period and that no feed lists."""
        shown = self.shown(source, since, until).values()
        return len({page.key for pages in shown for page in pages if not _is_listed(page)})

    def set_pace(self, source: str, followed: Iterable[datetime], visited: Iterable[datetime]) -> None:
        """Visit the sections of a source rarely if its feeds cover them; the home page is visited as ever.

        `followed` says since when its good feeds have been followed, and `visited` when each was last fetched.
        """
        every = timedelta(seconds=self._agenda.sources[source].every)
        last = max(visited, default=None)
        covered: dict[str, bool] = {}
        if last is not None and self._desk.clock.now() - last <= PATIENCE * every:
            covered = self._covered(source, self.shown(source, min(followed) + every, last))
        self._leadership.set_covered(source, {front for front, is_covered in covered.items() if is_covered})

    def _covered(self, source: str, shown: dict[str, list[PageRecord]]) -> dict[str, bool]:
        """Return which fronts are covered: the source as a whole has to be, and nothing may speak against the front."""
        distinct = {page.key: page for pages in shown.values() for page in pages}
        newest = sorted(distinct.values(), key=lambda page: (page.first_seen, page.key))[-MAX_SHOWN:]
        is_covered = len(newest) >= MIN_SHOWN and _share(newest) >= COVERED
        return {front: is_covered and _share(pages) >= COVERED for front, pages in shown.items() if front != source}


def _is_listed(page: PageRecord) -> bool:
    return page.judged is not None and FEED in page.judged.evidence


def _share(pages: list[PageRecord]) -> float:
    """Return the share of pages that feeds list; all of none."""
    return sum(map(_is_listed, pages)) / len(pages) if pages else 1.0
