"""Sections that are none: those that list no article, and copies of other fronts. They leave at reviews."""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.fronts import Fronts

#: A section that has listed no article for so long is none.
WITHOUT_ARTICLES = timedelta(days=3)
#: An article that is on more than half of all fronts, and on more than so many, belongs to none of them.
MIN_FRONTS = 3
#: Two fronts are alike if they share this much of their articles, of which there have to be some.
ALIKE, MIN_ARTICLES = 0.95, 5
#: Fronts are compared that were visited at the same time, more or less.
SAME_TIME = timedelta(minutes=10)
#: One of them is a copy if that was so in so many reviews in a row, though the articles have changed meanwhile.
ALIKE_REVIEWS = 3


@dataclass(slots=True)
class _Likeness:
    """Which front a section was like, in how many reviews in a row, and what both listed at the first of them."""

    original: str
    reviews: int
    articles: AbstractSet[str]


class FalseSections:
    """Gives up sections that bring nothing, and will not for some time."""

    def __init__(self, desk: Desk, agenda: Agenda, fronts: Fronts) -> None:
        """Take the agenda from which they go."""
        self._desk = desk
        self._agenda = agenda
        self._fronts = fronts
        self._alike: dict[tuple[str, str], _Likeness] = {}
        #: Since when a section has listed no article.
        self._empty: dict[tuple[str, str], datetime] = {}

    def leave(self, source: str, articles: AbstractSet[str]) -> None:
        """Give up false sections; `articles` is everything that the fronts link to and that is one."""
        homes, domain = self._agenda.homes(source), self._agenda.domain(source)
        listed: dict[str, frozenset[str]] = {}
        for front in sorted(self._agenda.fronts(source), key=lambda key: (key not in homes, len(key), key)):
            links = self._desk.links.of(front)
            listed[front] = frozenset(articles & {links.keys[row] for row in links.on_site(domain)})
            if front in homes:
                continue
            because = self._without_articles(source, front, listed[front]) or self._copied(source, front, listed)
            if because:
                self._give_up(source, front, because)
                del listed[front]

    def leave_empty(self, source: str, articles: AbstractSet[str]) -> None:
        """Give up all sections that list no article but those that most fronts show, as boxes beside any page do.

        This is for the end of exploration: until then, a section that is empty now and then has shown something. If no
        section has an article of its own, all stay: on a small site each may show everything, and some sites list only
        articles of another.
        """
        homes, domain = self._agenda.homes(source), self._agenda.domain(source)
        listed: dict[str, AbstractSet[str]] = {}
        for front in self._agenda.fronts(source):
            links = self._desk.links.of(front)
            # One that joined just now may not have come as a front yet.
            if links.keys:
                listed[front] = articles & {links.keys[row] for row in links.on_site(domain)}
        shown = Counter(key for own in listed.values() for key in own)
        most = max(MIN_FRONTS, len(listed) / 2)
        sections = listed.keys() - set(homes)
        empty = {front for front in sections if all(shown[key] > most for key in listed[front])}
        for front in sorted(empty if empty < sections else ()):
            self._give_up(source, front, "had listed no article of its own when exploration ended")

    def _without_articles(self, source: str, front: str, own: AbstractSet[str]) -> str:
        now = self._desk.clock.now()
        if own:
            self._empty.pop((source, front), None)
            return ""
        since = self._empty.setdefault((source, front), now)
        return f"has listed no article since {since:%Y-%m-%d}" if now - since >= WITHOUT_ARTICLES else ""

    def _copied(self, source: str, front: str, listed: dict[str, frozenset[str]]) -> str:
        own, visited = listed[front], self._visited(front)
        others = {key: articles for key, articles in listed.items() if key != front}
        comparable = {key for key in others if abs(self._visited(key) - visited) <= SAME_TIME}
        alike = [key for key in comparable if len(own & others[key]) >= ALIKE * len(own | others[key])]
        before = self._alike.get((source, front))
        if len(own) < MIN_ARTICLES or (before and before.original in comparable - set(alike)):
            self._alike.pop((source, front), None)
        elif before and before.original in alike:
            before.reviews += 1
            if before.reviews >= ALIKE_REVIEWS and own != before.articles:
                return f"shows what {before.original} shows"
        elif alike:
            self._alike[source, front] = _Likeness(min(alike, key=lambda key: (len(key), key)), 1, own)
        return ""

    def _visited(self, front: str) -> datetime:
        page = self._desk.record(front)
        return (page.fetch.fetched_at if page else None) or datetime.min.replace(tzinfo=UTC)

    def _give_up(self, source: str, front: str, because: str) -> None:
        page = self._desk.record(front)
        if page is not None:
            self._fronts.lose(source, page, because, may_rejoin=False)
