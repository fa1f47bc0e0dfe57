"""Which feed or sitemap of a source lists all that comes, soon after any front shows it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

#: How many of the last articles that were found are compared.
MAX_ARTICLES = 48
#: Of what one visit found, only so many are: a backlog that is found at once must neither make a file lead nor stop it.
MAX_AT_ONCE = 4
#: A file lacks an article if it does not list it so long after a front showed it, unless all that it lists has come
#: since: then the article may have come to it and left again.
GRACE = timedelta(hours=1)
#: The time without a visit after which a file does not lead any more.
FORGOTTEN = timedelta(days=1)
#: A front leads if it was compared for so many articles, and showed this share of them in time.
MIN_COMPARED, MIN_SHOWN = 12, 0.9
#: Before anything is known, a leading file is expected to lack so many of so many articles.
PRIOR_LACKING, PRIOR_COMPARED = 0.2, 10.0
#: What it lacks of the articles that another front shows is expected to be as usual, which weighs as much as these.
PRIOR_SHOWN = 4.0


@dataclass(slots=True)
class FoundArticle:
    """An article that came while its source was followed: when it was found, and which fronts show or lack it."""

    at: datetime
    shown: set[str] = field(default_factory=set)
    lacking: set[str] = field(default_factory=set)


class LeadingFront:
    """Compares the fronts of a source by what they show of the articles that any of them has shown."""

    def __init__(self) -> None:
        """Begin without any articles."""
        self._articles: dict[str, FoundArticle] = {}
        #: When the files that can lead were last visited, and since when each has listed what it lists.
        self.files: dict[str, datetime] = {}
        self._listed: dict[str, dict[str, datetime]] = {}
        #: The file that leads, if any; it stays so until it lacks too much.
        self.page: str | None = None

    def see(
        self, page: str, at: datetime, listed: Collection[str], found: Iterable[str], *, is_file: bool = False
    ) -> None:
        """Note what a visit lists, and what of it nothing had shown before.

        Only a feed or a sitemap can lead: a page that seems complete may be so because nobody looks elsewhere any more.
        """
        if is_file:
            self.files[page] = at
            before = self._listed.get(page, {})
            self._listed[page] = {key: before.get(key, at) for key in listed}
        oldest = min(self._listed.get(page, {}).values(), default=at)
        for key in islice(found, MAX_AT_ONCE):
            self._articles.setdefault(key, FoundArticle(at))
        while len(self._articles) > MAX_ARTICLES:
            del self._articles[next(iter(self._articles))]
        for key, article in self._articles.items():
            if page in article.shown or page in article.lacking:
                continue
            if key in listed:
                article.shown.add(page)
            elif is_file and at - article.at >= GRACE and oldest <= article.at:
                article.lacking.add(page)
        self._choose(at)

    def distrust(self, page: str) -> None:
        """Let a file lead no more, until it is visited again and found to be good."""
        self.files.pop(page, None)
        self._listed.pop(page, None)
        self.page = None if self.page == page else self.page

    def forget(self, keys: Iterable[str]) -> None:
        """Leave out what turned out to be no article."""
        for key in keys:
            self._articles.pop(key, None)

    def lacks(self, page: str) -> float:
        """Return the share of the articles on a front that the leading one is expected to lack."""
        leader = self.page
        compared = [each for each in self._articles.values() if leader in each.shown or leader in each.lacking]
        lacking = sum(leader in each.lacking for each in compared)
        usual = (PRIOR_LACKING + lacking) / (PRIOR_COMPARED + len(compared))
        own = [leader in each.lacking for each in compared if page in each.shown]
        return (PRIOR_SHOWN * usual + sum(own)) / (PRIOR_SHOWN + len(own))

    def _choose(self, at: datetime) -> None:
        shown: dict[str, int] = {}
        lacking: dict[str, int] = {}
        for article in self._articles.values():
            for page in article.shown:
                shown[page] = shown.get(page, 0) + 1
            for page in article.lacking:
                lacking[page] = lacking.get(page, 0) + 1
        shares = {
            page: number / (number + lacking.get(page, 0))
            for page, number in shown.items()
            if page in self.files and number + lacking.get(page, 0) >= MIN_COMPARED
        }
        complete = [page for page, share in shares.items() if share >= MIN_SHOWN and at - self.files[page] <= FORGOTTEN]
        if self.page not in complete:
            self.page = max(complete, key=lambda page: (shares[page], shown[page], page), default=None)
