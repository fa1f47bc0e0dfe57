"""The boxes of a planned site's pages: lists of stories, of partners and of promoted services at any given time."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from broadsheet.newsweb._front_lists import FrontLists
from broadsheet.newsweb._page_content import Box, Link, Role, Teaser
from broadsheet.newsweb._site_frame import SiteFrame, section_link
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._stories import NEVER, Stories
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb._timeline import Timeline
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_plan import BoxPlan, BoxSpot, Filling, SitePlan

#: How long a promotion lasts.
PROMOTION = timedelta(hours=4)

_ROLES: dict[Filling, Role] = {"most-read": "most-read", "kept": "kept", "revived": "kept", "partners": "partner"}
_TEASERS_CACHED = 8192


class KeptBox(NamedTuple):
    """A box that does not change from one time until another, and a time at or after its last change."""

    box: Box
    changed: datetime
    since: datetime
    until: datetime


class BoxRow(NamedTuple):
    """The boxes of a page, and a time at or after their last change."""

    boxes: tuple[Box, ...]
    changed: datetime


class PlannedBoxes:
    """Fills the boxes that a plan names; the newest answer for each is kept as long as it holds."""

    def __init__(self, site: Site, plan: SitePlan, timeline: Timeline, stories: Stories, frame: SiteFrame) -> None:
        """Take the parts of a site that its boxes are made of."""
        self._site = site
        self._plan = plan
        self._stories = stories
        self._frame = frame
        self._lists = FrontLists(site, plan, timeline, stories)
        self._tags = [section_link(site, "tag", section) for section in site.sections]
        self._teasers: dict[tuple[Role, int, datetime], Teaser] = {}
        self._kept: dict[tuple[BoxPlan, int | None], KeptBox] = {}

    def fill(self, plans: Iterable[tuple[BoxPlan, tuple[Section, ...]]], at: datetime) -> BoxRow:
        """Return the planned boxes, each with stories of its sections."""
        kept = [self._current(plan, sections, at) for plan, sections in plans]
        return BoxRow(tuple([each.box for each in kept]), max([self._site.founded, *[each.changed for each in kept]]))

    def of_stories(  # noqa: PLR0913, PLR0917 - the parts of a list
        self,
        role: Role,
        title: str,
        slots: tuple[Slot, ...],
        at: datetime,
        spot: BoxSpot = "main",
        heading: Link | None = None,
    ) -> KeptBox:
        """Return a box with these stories."""
        stories, until = self._stories.listing(slots, at)
        teasers = tuple([self.teaser(role, story) for story in stories])
        changed = max([self._site.founded, *[story.listed for story in stories]])
        key = hash(tuple([teaser.key for teaser in teasers]))
        return KeptBox(Box(role, title, teasers, spot, heading, key), changed, at, until)

    def teaser(self, role: Role, story: Story) -> Teaser:
        """Return a story as it stands in a list."""
        key = (role, story.number, story.listed)
        teaser = self._teasers.get(key)
        if teaser is None:
            if len(self._teasers) >= _TEASERS_CACHED:
                self._teasers.clear()
            teaser = self._teasers[key] = self._make_teaser(role, story, hash(key))
        return teaser

    def _current(self, plan: BoxPlan, sections: tuple[Section, ...], at: datetime) -> KeptBox:
        key = (plan, sections[0].index if sections else None)
        kept = self._kept.get(key)
        if kept is None or not kept.since <= at < kept.until:
            look = self._lists.last_look(plan, at)
            made = self._make(plan, sections, at, look)
            until = min(made.until, self._lists.next_look(plan, sections, at, look))
            kept = self._kept[key] = KeptBox(made.box, max(made.changed, look), at, until)
        return kept

    def _make(self, plan: BoxPlan, sections: tuple[Section, ...], at: datetime, look: datetime) -> KeptBox:
        if plan.filling == "partners":
            return KeptBox(self._partners(plan), self._site.founded, at, NEVER)
        if plan.filling == "promotions":
            return KeptBox(self._promotions(plan, look), self._site.founded, at, NEVER)
        words = self._site.lexicon.interface
        role = _ROLES.get(plan.filling, "list")
        title = sections[0].name if sections else words.latest
        if role == "most-read":
            title = words.most_read
        changed = self._site.founded
        if plan.filling == "latest":
            newest = self._lists.newest((section.index for section in sections), at)
            slots, changed = self._stories.pick(newest, plan.size, at)
        else:
            slots = self._lists.fill(plan, sections, look)
        heading = self._tags[sections[0].index] if plan.section is not None and sections else None
        made = self.of_stories(role, title, slots, at, plan.spot, heading)
        return KeptBox(made.box, max(changed, made.changed), made.since, made.until)

    def _partners(self, plan: BoxPlan) -> Box:
        names = self._plan.partners[: plan.size]
        teasers = tuple(
            Teaser(Link("partner", f"http://partner-{number}.example/", name), "", None, "", key=-number)
            for number, name in enumerate(names, 1)
        )
        return Box("partner", self._site.lexicon.interface.more, teasers, plan.spot)

    def _promotions(self, plan: BoxPlan, look: datetime) -> Box:
        """Return a box with some of the promoted services, others every few hours."""
        services = self._frame.services
        pool = services[len(services) - self._plan.promoted :]
        first = int((look - self._site.founded) / PROMOTION) % max(1, len(pool))
        chosen = (pool * 2)[first : first + plan.size]
        teasers = tuple(Teaser(link, "", None, "", hash(link)) for link in chosen)
        return Box("service", self._site.lexicon.interface.more, teasers, plan.spot, key=hash(chosen))

    def _make_teaser(self, role: Role, story: Story, key: int) -> Teaser:
        query = f"?utm_source=front&utm_content={role}" if self._plan.tracking else ""
        host = f"http://www.{self._site.host}" if self._is_on_twin(story) else ""
        link = Link(role, host + story.path + query, story.headline)
        tag = self._tags[story.section.index]
        is_listed = role == "list"
        stated = story.section.lexicon.format_date(story.published) if self._plan.timed and is_listed else ""
        pictured = self._plan.pictured and is_listed
        return Teaser(link, story.standfirst, tag, f"/static/{story.number}.svg", key, stated, pictured)

    def _is_on_twin(self, story: Story) -> bool:
        """Return whether links to a story lead to the twin of the site's host: one in five, if it has one."""
        return self._site.knobs.hosts == "twins" and story.number % 5 == 0
