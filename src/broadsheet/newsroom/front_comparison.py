"""What a visit to a front shows, compared with the visit before."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_turnover import FrontVisit
from broadsheet.newsroom.sightings import Sightings

#: The articles of a front are counted at its first visit, and again after so long: that takes a look at each link.
COUNT_AGAIN = timedelta(days=1)


class FrontComparison:
    """Compares the links of each front with those of its last visit, by which of them are articles."""

    def __init__(self, desk: Desk, sightings: Sightings) -> None:
        """Take the archive, and who knows which links were new."""
        self._desk = desk
        self._sightings = sightings
        self._counted: dict[tuple[str, str], tuple[datetime, int]] = {}
        #: When links came to a front, by source and front; what it had at its first visit is left out.
        self._came: dict[tuple[str, str], dict[str, datetime]] = {}

    def changed(self, source: str, page: str, old: AbstractSet[str], new: AbstractSet[str]) -> FrontVisit:
        """Compare the links of a source on a front with those of the visit before."""
        now = self._desk.clock.now()
        fresh = self._desk.writer.pages(self._sightings.fresh.get(source, ()))
        found = [key for key, each in fresh.items() if each.kind == "article"]
        first = len(found)
        listed = self._articles(source, page, new)
        if not old:
            return FrontVisit(at=now, articles=listed, new=0, first=0, kept=0, before=0)
        came = self._came.setdefault((source, page), {})
        left = {key: came.pop(key) for key in old - new if key in came}
        came.update(dict.fromkeys(new - old, now))
        kept = max(0, listed - len(old - new))
        is_replaced = bool(new - old) and not self._has_articles(new & old)
        return FrontVisit(
            at=now,
            articles=listed,
            new=max(first, min(listed, len(new - old))),
            first=first,
            kept=0 if is_replaced else kept,
            before=listed,
            left=[left[key] for key, each in self._desk.writer.pages(left).items() if each.kind == "article"],
            is_gap=is_replaced and self._has_articles(old) and self._has_articles(new),
            listed=new,
            found=found,
        )

    def unchanged(self, source: str, page: str, listed: AbstractSet[str]) -> FrontVisit:
        """Return the visit to a front whose links are the same as at the visit before."""
        articles = self._articles(source, page, listed)
        now = self._desk.clock.now()
        return FrontVisit(at=now, articles=articles, new=0, first=0, kept=articles, before=articles, listed=listed)

    def keep(self, source: str, pages: Collection[str]) -> None:
        """Forget all other fronts of a source."""
        for place in [place for place in self._came if place[0] == source and place[1] not in pages]:
            del self._came[place]

    def _has_articles(self, keys: AbstractSet[str]) -> bool:
        return any(each.kind == "article" for each in self._desk.writer.pages(keys).values())

    def _articles(self, source: str, page: str, keys: AbstractSet[str]) -> int:
        """Return how many articles a front lists, counted not long ago."""
        now = self._desk.clock.now()
        at, number = self._counted.get((source, page), (None, 0))
        if at is None or now - at >= COUNT_AGAIN:
            number = sum(each.kind == "article" for each in self._desk.writer.pages(keys).values())
            self._counted[source, page] = now, number
        return number
