"""Crawl a site until it switches, and compare what it follows then with what these pages are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from broadsheet.archive import ArchiveEvent, EventKind, Order, OrderKind, Phase, Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.crawling.simulated import Fetch
from broadsheet.newsroom.assignment import HOUR, Assignment
from broadsheet.simulation.simulated_crawl import simulate

#: A source should have switched by this snapshot, and this share of what it follows then should be sections.
BY_SNAPSHOT, MIN_PRECISION = 24, 0.9
_EVENTS = (EventKind.SECTION_FOUND, EventKind.SECTION_LOST, EventKind.PHASE)

#: Returns what a page is; None if nobody knows.
KindOf = Callable[[str, datetime], str | None]


@dataclass(frozen=True, slots=True)
class FollowedPages:
    """What a site follows as sections when it switches, or in the end if it does not."""

    site: str
    evaluator: str
    #: The snapshot of the switch; None if there was none.
    snapshot: int | None
    #: What the evaluator measured last.
    value: float | None
    followed: int
    #: Those of them whose kind is known.
    known: int
    #: The known pages that are not sections.
    wrong: Sequence[str]

    @property
    def precision(self) -> float | None:
        """The share of sections among the followed pages whose kind is known."""
        return 1 - len(self.wrong) / self.known if self.known else None

    @property
    def is_in_time(self) -> bool:
        """Whether it switched in time."""
        return self.snapshot is not None and self.snapshot <= BY_SNAPSHOT

    @property
    def is_wrong(self) -> bool:
        """Whether it switched though too much of what it follows is something else."""
        return self.snapshot is not None and self.precision is not None and self.precision < MIN_PRECISION


@dataclass(frozen=True, slots=True)
class CrawledSite:
    """A site that can be crawled from a moment on, and what its pages are."""

    name: str
    home: str
    start: datetime
    fetch: Fetch
    kind_of: KindOf

    def follow(self, settings: NewsroomSettings, most: int) -> FollowedPages:
        """Crawl until the switch, and compare what is followed then."""
        assignment = Assignment((self.home,), every=HOUR, snapshots=most)
        with TemporaryDirectory() as temporary:
            folder = Path(temporary)

            def stop_after_the_switch(now: datetime) -> None:
                with Store.open(folder) as archive:
                    if any(map(_is_switch, archive.events(kinds=[EventKind.PHASE]))):
                        archive.place(Order(what=OrderKind.STOP, at=now))

            simulate(
                *(folder, self.fetch, self.start, assignment),
                settings=settings,
                on_wake=stop_after_the_switch,
                wake_every=HOUR,
            )
            with Store.open(folder) as archive:
                return self._compare(archive, settings.switch)

    def _compare(self, archive: Store, evaluator: str) -> FollowedPages:
        followed: dict[str, str] = {}
        switch = None
        for event in archive.events(kinds=_EVENTS):
            # What leaves because of the switch leaves at the same moment.
            if switch is not None and event.at > switch.at:
                break
            if event.kind is EventKind.SECTION_FOUND:
                followed[event.page] = str(event.detail["url"])
            elif event.kind is EventKind.SECTION_LOST:
                followed.pop(event.page, None)
            elif _is_switch(event):
                switch = event
        [source] = archive.sources()
        evidence = switch.detail["evidence"] if switch else source.phase.evidence
        kinds = {url: self.kind_of(url, switch.at if switch else self.start) for url in followed.values()}
        known = {url: kind for url, kind in kinds.items() if kind is not None}
        return FollowedPages(
            site=self.name,
            evaluator=evaluator,
            snapshot=evidence["snapshot"] if switch else None,
            value=evidence.get("value"),
            followed=len(followed),
            known=len(known),
            wrong=sorted(f"{url} ({kind})" for url, kind in known.items() if kind != "section"),
        )


def _is_switch(event: ArchiveEvent) -> bool:
    return event.kind is EventKind.PHASE and event.detail["phase"] == Phase.EXPLOITATION.value
