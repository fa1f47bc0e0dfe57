"""How a story changes after publication: which revisions it gets, and what each makes of it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import Literal

from broadsheet.newsweb._lexicon import Lexicon
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_knobs import Delays, RevisionKnobs

StoryForm = Literal["text", "gallery", "video", "brief", "live"]
RevisionKind = Literal["correction", "headline", "rewrite", "live", "move", "removal"]

#: Half of the early revisions come within this many hours, five in six within three times as many.
EARLY_HOURS, EARLY_SPREAD = 2.0, 1.1
#: Articles that are removed stay for about a day.
REMOVAL_HOURS = 20.0
LIVE_HOURS = 6.0
LIVE_MINUTES = 25.0
#: How many paragraphs a live-blog begins with, and how many characters of a headline are its topic at most.
LIVE_BEGINNING, MAX_TOPIC = 3, 20


@dataclass(frozen=True, slots=True)
class Story:
    """A version of an article.

    `modified` is the time of modification that its page states; `revised` is when it really changed, `revision` how;
    `listed` is when what lists show of it (headline, address, whether it is there at all) last changed.
    """

    number: int
    path: str
    section: Section
    headline: str
    standfirst: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime | None
    paragraphs: tuple[str, ...]
    crosshead: str
    listed: datetime
    revised: datetime | None = None
    revision: RevisionKind | None = None
    form: StoryForm = "text"
    #: What stands below the pictures of a gallery.
    captions: tuple[str, ...] = ()

    @property
    def author(self) -> str:
        """The author who is named first."""
        return self.authors[0]

    @property
    def topic(self) -> str:
        """The word that its headline begins with; of a language without spaces, the beginning of that."""
        return self.headline.split()[0][:MAX_TOPIC]

    @property
    def changed(self) -> datetime:
        """When the text last changed, by what the page states."""
        return self.modified or self.published

    @property
    def renewed(self) -> datetime:
        """When it really changed last."""
        return self.revised or self.published

    @property
    def removed(self) -> bool:
        """Whether this version is not online any more."""
        return self.revision == "removal"


@dataclass(frozen=True, slots=True)
class PlannedRevision:
    """A revision to come."""

    at: datetime
    kind: RevisionKind
    silent: bool


def write_history(site: Site, first: Story, rng: Random) -> tuple[Story, ...]:
    """Return all versions of a story, oldest first."""
    planned = _plan(site.knobs.revisions, first, rng)
    if site.plan is not None and any(revision.kind == "live" for revision in planned):
        first = replace(first, form="live", paragraphs=first.paragraphs[:LIVE_BEGINNING], crosshead="", captions=())
    versions = [first]
    for number, revision in enumerate(planned):
        versions.append(_revise(site, versions[-1], revision, f"{site.seed}/revision/{first.number}/{number}"))
    return tuple(versions)


def _plan(knobs: RevisionKnobs, story: Story, rng: Random) -> list[PlannedRevision]:
    shares: dict[RevisionKind, float] = {
        "correction": knobs.corrected,
        "headline": knobs.retitled,
        "rewrite": knobs.rewritten,
        "move": knobs.moved,
    }
    planned = [
        PlannedRevision(story.published + _delay(knobs.delays, rng), kind, silent=rng.random() < knobs.silent)
        for kind, share in shares.items()
        if rng.random() < share
    ]
    if rng.random() < knobs.live:
        planned = [PlannedRevision(at, "live", silent=False) for at in _live_times(story.published, rng)]
    if rng.random() < knobs.removed:
        hours = timedelta(hours=REMOVAL_HOURS * rng.lognormvariate(0, 1))
        gone = PlannedRevision(story.published + hours, "removal", silent=True)
        planned = [revision for revision in planned if revision.at < gone.at] + [gone]
    return sorted(planned, key=lambda revision: revision.at)


def _delay(delays: Delays, rng: Random) -> timedelta:
    if delays == "even":
        return timedelta(minutes=rng.randint(20, 1800))
    return timedelta(seconds=math.ceil(3600 * EARLY_HOURS * rng.lognormvariate(0, EARLY_SPREAD)))


def _live_times(published: datetime, rng: Random) -> Iterator[datetime]:
    at, end = published, published + timedelta(hours=LIVE_HOURS * rng.lognormvariate(0, 0.5))
    while True:
        at += timedelta(seconds=math.ceil(60 * rng.expovariate(1 / LIVE_MINUTES)) + 60)
        if at > end:
            return
        yield at


def _revise(site: Site, story: Story, revision: PlannedRevision, seed: str) -> Story:
    lexicon = story.section.lexicon
    dated = replace(
        story,
        modified=story.modified if revision.silent else revision.at,
        revised=revision.at,
        revision=revision.kind,
    )
    if not story.paragraphs and revision.kind in ("correction", "rewrite", "live"):
        # An outline has no text to change.
        return dated
    match revision.kind:
        case "correction":
            return replace(dated, paragraphs=_corrected(story))
        case "headline":
            return replace(dated, headline=_other_headline(story, Random(seed)), listed=revision.at)
        case "rewrite":
            return replace(dated, paragraphs=_rewritten(lexicon, story, Random(seed)))
        case "live":
            local = revision.at.astimezone(site.offset)
            return replace(dated, paragraphs=_continued(lexicon, story, local, Random(seed)))
        case "move":
            return replace(dated, path=site.paths.to_moved(story.path), listed=revision.at)
        case "removal":
            return replace(dated, listed=revision.at)


def _corrected(story: Story) -> tuple[str, ...]:
    """Return the paragraphs with a sentence added to the one that was wrong."""
    lexicon = story.section.lexicon
    last = len(story.paragraphs) - 1
    wrong = 1 + story.number % last if last else 0
    paragraphs = list(story.paragraphs)
    paragraphs[wrong] = f"{paragraphs[wrong]}{lexicon.space}{lexicon.correction}"
    return tuple(paragraphs)


def _other_headline(story: Story, rng: Random) -> str:
    lexicon = story.section.lexicon
    while True:
        headline = lexicon.headline(rng, lexicon.facts(rng))
        if headline != story.headline:
            return headline


def _rewritten(lexicon: Lexicon, story: Story, rng: Random) -> tuple[str, ...]:
    """Return a longer text: the lead stays, some paragraphs go, and new ones come."""
    lead, *others = story.paragraphs
    written = [lead, *(paragraph for paragraph in others if rng.random() < 0.7)]
    while sum(map(len, written)) <= sum(map(len, story.paragraphs)):
        _, *added = lexicon.paragraphs(rng, lexicon.facts(rng))
        written += added
    return tuple(written)


def _continued(lexicon: Lexicon, story: Story, at: datetime, rng: Random) -> tuple[str, ...]:
    """Return the text with the newest entry of a live-blog after the lead."""
    lead, *entries = story.paragraphs
    return (lead, f"{at:%H:%M} {lexicon.entry(rng)}", *entries)
