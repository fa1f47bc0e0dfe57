"""Run a crawler on a ground: ask for what it wants when it wants it, and note what that took."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

from benchmarks.news_crawl.grounds import Answer, Ground, on_grain


class Wish(NamedTuple):
    """A request for an address, at a time or as soon as possible after it."""

    at: datetime
    address: str
    #: Whether it replaces what was wished for before from this address.
    is_instead: bool = False


@dataclass(slots=True)
class Finds:
    """What a crawler has stored as articles, and when; and which pages it holds to be sections."""

    stored: dict[str, datetime] = field(default_factory=dict)
    sections: set[str] = field(default_factory=set)

    def store(self, address: str, at: datetime) -> None:
        """Store an article, once."""
        self.stored.setdefault(address, at)


class Crawler(Protocol):
    """Decides what to ask for next, given the answers so far. It stores what it takes for articles in `finds`."""

    finds: Finds

    def begin(self, ground: Ground) -> Iterable[Wish]:
        """Return what to ask for first."""
        ...

    def take(self, answer: Answer) -> Iterable[Wish]:
        """Use an answer, and return what to ask for next."""
        ...


@dataclass(slots=True)
class Effort:
    """What a crawl took: requests, bytes of bodies, and those bytes if no request were conditional."""

    requests: int = 0
    size: int = 0
    full_size: int = 0
    #: The bytes of the first answer of each address.
    first_sizes: dict[str, int] = field(default_factory=dict)
    #: Of a program that crawls in rounds: how many there were, and how many of them were ended before it had finished.
    rounds: int = 0
    cut_rounds: int = 0

    def add(self, answer: Answer) -> None:
        """Count an answer."""
        self.first_sizes.setdefault(answer.address, answer.size)
        self.requests += answer.requests
        self.size += answer.size
        self.full_size += answer.full_size


def crawl(crawler: Crawler, ground: Ground) -> Effort:
    """Run a crawler from the start of a ground to its end; an answer is there at once."""
    effort, asked = Effort(), set[str]()
    ground.forget()
    waiting: list[tuple[datetime, int, str]] = []
    #: The wishes that replace the earlier ones for the same address.
    valid_from: dict[str, int] = {}
    number = 0

    def wish(wishes: Iterable[Wish], now: datetime) -> None:
        nonlocal number
        for at, address, is_instead in wishes:
            number += 1
            if is_instead:
                valid_from[address] = number
            heappush(waiting, (now if at <= now else on_grain(at), number, address))

    wish(crawler.begin(ground), ground.start)
    while waiting and waiting[0][0] < ground.end:
        now, order, address = heappop(waiting)
        if order < valid_from.get(address, 0):
            continue
        answer = ground.fetch(address, now, again=address in asked)
        asked.add(address)
        if now >= ground.counted_from:
            effort.add(answer)
        wish(crawler.take(answer), now)
    return effort
