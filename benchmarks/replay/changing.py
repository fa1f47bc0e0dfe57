"""When pages that stand in for others change their bytes, though not what they say."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, Self, get_args

from benchmarks.replay.golden import Golden
from benchmarks.replay.saved_changes import Sameness, sameness_of_fronts
from broadsheet.base.errors import InputError

#: Stand-ins never change; all change as often as the saved pages of the site while their links stay the same; or
#: sections and other pages do so, and articles change as often as saved articles.
ChangeRule = Literal["never", "fronts", "measured"]
CHANGE_RULES: tuple[ChangeRule, ...] = get_args(ChangeRule)

#: Articles of foxnews.com that were fetched again after 15 to 35 minutes (`python -m benchmarks.page_changes`).
ARTICLES = Sameness(pairs=3820, same=141, apart=timedelta(minutes=25.8))
#: Visits begin at multiples of this, so that nobody notices whether a page changes more often.
GRAIN = timedelta(minutes=5)


class StandInChanges:
    """Says when each stand-in last changed: a function of its address and the time, whoever asks."""

    def __init__(self, start: datetime, fronts: Sequence[Sameness] = (), articles: Sameness | None = None) -> None:
        """Take how often fronts and articles change; those of which nothing is known never do.

        Without a rate of their own, articles change as fronts do.
        """
        self._start = start
        self._fronts = [front.chance(GRAIN) for front in fronts]
        self._articles = self._fronts if articles is None else [articles.chance(GRAIN)]

    @classmethod
    def by(cls, rule: ChangeRule, links: Path, start: datetime) -> Self:
        """Let stand-ins change by a rule; `links` are the links of the site's saved pages."""
        if rule == "never":
            return cls(start)
        if not links.is_file():
            raise InputError(f"{links}: needed to see how often pages change; without it, only `never` is possible")
        fronts = list(sameness_of_fronts(links).values())
        return cls(start, fronts, ARTICLES if rule == "measured" else None)

    def last(self, golden: Golden, now: datetime) -> datetime:
        """Return when the stand-in for an address last changed; at the start if it has not since."""
        chances = self._articles if golden.kind == "article" else self._fronts
        # Each takes after one page of the site: some pages change at every visit, others never.
        chance = chances[_draw(golden.key) % len(chances)] if chances else 1.0
        if chance < 1:
            for step in range((now - self._start) // GRAIN, 0, -1):
                if _draw(f"{golden.key} {step}") >= chance * 2**64:
                    return self._start + step * GRAIN
        return self._start

    def token(self, golden: Golden, now: datetime) -> bytes:
        """Return what a stand-in has at its end: a comment that differs whenever it has changed."""
        last = self.last(golden, now)
        return b"" if last == self._start else b"<!-- %016x -->" % _draw(f"{golden.key} {last.isoformat()}")


def _draw(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
