"""A crawler of fronts at the pace of a policy, without HTML: the newsroom's own policies, and those of others."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from benchmarks.news_crawl.engine import Finds, Wish
from benchmarks.news_crawl.grounds import Answer, Ground
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsroom.pace_policies import LeaderPolicy, PacePolicy
from broadsheet.newsroom.review import FOLLOWED_DISTANCE
from broadsheet.newsroom.session_links import SessionLinks
from broadsheet.newsroom.sightings import is_numbered


class PacedCrawler:
    """Follows the home page, its sections and, if wanted, feeds and sitemaps, as a policy says.

    Each new link is asked for once; articles are stored. A section becomes a front if the home page or one of the
    sections on it links to it, as in the newsroom; one with a number at its end, as the further pages of lists have,
    only if the home page does.
    """

    def __init__(self, policy: PacePolicy, every: timedelta, *, files: bool = True, home_paced: bool = False) -> None:
        """Take the policy, the interval, whether to use feeds, and whether the home page may be visited less often."""
        self.finds = Finds()
        self._policy = policy
        self._every = every
        self._uses_files = files
        self._files = frozenset[str]()
        self._home_paced = home_paced
        self._listed: dict[str, frozenset[str]] = {}
        #: When each link came to each front, if it was not there at the first visit.
        self._came: dict[str, dict[str, datetime]] = defaultdict(dict)
        self._fronts = set[str]()
        #: How many links each address is away from the home page.
        self._distances: dict[str, int] = {}
        self._known = set[str]()
        self._others = set[str]()
        self._sessions = SessionLinks()

    def begin(self, ground: Ground) -> Iterable[Wish]:
        """Begin with the home page and the files."""
        self._home = ground.home
        self._turnover = SourceTurnover(self._home)
        files = ground.feeds + ground.sitemaps if self._uses_files else ()
        self._files = frozenset(files)
        self._fronts = {self._home, *files}
        self._known = set(self._fronts)
        self._distances = {self._home: 0}
        return [Wish(ground.start, front) for front in (self._home, *files)]

    def take(self, answer: Answer) -> Iterator[Wish]:
        """Follow new links, and plan the next visit of a front."""
        address, page = answer.address, answer.page
        if address not in self._fronts:
            farthest = 1 if is_numbered(f"//{address}") else FOLLOWED_DISTANCE
            is_near = self._distances.get(address, math.inf) <= farthest
            if page is None or page.kind != "section" or not is_near:
                self._settle(answer)
                return
            self._fronts.add(address)
            self.finds.sections.add(address)
            self._turnover.leading.forget((address,))
        before = self._listed.get(address)
        links = before or frozenset() if page is None else self._links(address, page.links)
        new = links - self._known
        yield from (Wish(answer.at, link) for link in sorted(new))
        self._known |= new
        if address in self._distances:
            farther = self._distances[address] + 1
            for link in links:
                self._distances[link] = min(farther, self._distances.get(link, farther))
        self._listed[address] = links
        leader = self._turnover.leading.page
        yield Wish(answer.at + self._interval(answer, links, before, new), address)
        if isinstance(self._policy, LeaderPolicy) and self._turnover.leading.page != leader:
            yield from self._plan_anew(answer.at, leader)

    def _plan_anew(self, now: datetime, before: str | None) -> Iterator[Wish]:
        """Let another file lead, and leave sections to it; visit them soon if none does any more, as the newsroom does.

        What was visited just now is planned already.
        """
        leader = self._turnover.leading.page
        if leader is None:
            self._turnover.learn_anew()
        changed = self.finds.sections if before is None or leader is None else set[str]()
        for page in sorted({*changed, *({leader} if leader else ())}):
            front = self._turnover.front(page)
            if front.visited is None or front.visited == now:
                continue
            due = front.visited + front.every
            if leader is None:
                following = min(due, now + self._every)
            else:
                front.every = self._policy.next_interval(self._turnover, page, self._every, front.visited)
                following = max(now, front.visited + front.every)
            yield Wish(following, page, is_instead=True)

    def _links(self, address: str, links: Iterable[str]) -> frozenset[str]:
        """Return the links of a page, without the sessions that some sites put into addresses."""
        known = self._sessions.known(self._home, address, address, {link: link for link in links})
        return frozenset(known.get(link, link) for link in links)

    def _settle(self, answer: Answer) -> None:
        if answer.page is not None and answer.page.kind == "article":
            self.finds.store(answer.address, answer.at)
        else:
            self._others.add(answer.address)
            self._turnover.leading.forget((answer.address,))

    def _interval(
        self, answer: Answer, links: frozenset[str], before: frozenset[str] | None, first: frozenset[str]
    ) -> timedelta:
        """Return the time to the next visit; what was new is counted as if all new links were articles."""
        aside = self._others | self._fronts
        listed, old = links - aside, (before or frozenset()) - aside
        is_first, came = before is None, self._came[answer.address]
        gone = {link: came.pop(link) for link in (before or frozenset()) - links if link in came}
        visit = FrontVisit(
            at=answer.at,
            articles=len(listed),
            new=0 if is_first else len(listed - old),
            first=0 if is_first else len(first),
            kept=len(listed & old),
            before=len(old),
            left=[at for link, at in gone.items() if link not in aside],
            is_gap=bool(listed and old) and not listed & old,
            listed=links,
            found=() if is_first else sorted(first),
            is_file=answer.address in self._files,
        )
        if before is not None:
            came.update(dict.fromkeys(links - before, answer.at))
        front = self._turnover.see(answer.address, visit)
        front.every = self._policy.next_interval(self._turnover, answer.address, self._every, answer.at)
        if answer.address == self._home and not self._home_paced:
            front.every = min(front.every, self._every)
        return front.every
