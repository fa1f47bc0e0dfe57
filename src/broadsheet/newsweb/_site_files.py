"""What a site's feed and sitemaps say at any given time, rightly or wrongly."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from broadsheet.newsweb._page_content import PageContent
from broadsheet.newsweb._places import NEWS_FILE, SITEMAP_DAYS, SitePlace, sitemap_of_day
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._stories import Stories
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb._timeline import DAY, Timeline
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_knobs import FileState

#: News sitemaps list the articles of the last two days.
SITEMAP_SPAN = timedelta(hours=48)
#: Where the links of a `foreign` feed or sitemap lead.
FOREIGN_BASE = "http://syndicate.example"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SiteFiles:
    """Produces the feed and the sitemaps of one site."""

    def __init__(self, site: Site, timeline: Timeline, stories: Stories) -> None:
        """Take the parts of a site that the files are made of."""
        self._site = site
        self._timeline = timeline
        self._stories = stories

    def page(self, place: SitePlace, at: datetime) -> PageContent | None:
        """Return the feed or sitemap at a place, or None if it did not exist yet."""
        knobs = self._site.knobs
        state = knobs.feed if place.subtype == "feed" else knobs.sitemap
        if state != "stale":
            return self._damaged(self._fresh(place, at), state)
        # The file is made again once in a period, and is then as old as that period.
        period = timedelta(days=knobs.stale_days)
        made = self._site.founded + (at - self._site.founded) // period * period
        page = self._fresh(place, max(self._site.founded, made - period))
        return page and replace(page, changed=made)

    def _fresh(self, place: SitePlace, at: datetime) -> PageContent | None:
        match place.subtype:
            case "feed":
                return self._feed(place, at)
            case "sitemap-index":
                return self._index(place, at)
            case _:
                return self._day(place, at) if place.day else self._news(place, at)

    def _damaged(self, page: PageContent | None, state: FileState) -> PageContent | None:
        if page is None:
            return None
        match state:
            case "foreign":
                return replace(page, entry_base=FOREIGN_BASE)
            case "misdated":
                return replace(page, stories=tuple(map(_misdated, page.stories)))
            case "broken":
                return replace(page, broken=True)
            case _:
                return page

    def _feed(self, place: SitePlace, at: datetime) -> PageContent:
        stories: list[Story] = []
        changed = self._site.founded
        for slot in self._timeline.before(at):
            story = self._stories.outline_at(slot, at)
            changed = max(changed, story.listed)
            if not story.removed:
                stories.append(story)
            if len(stories) == self._site.knobs.feed_items:
                break
        return self._listing(place, stories, changed)

    def _news(self, place: SitePlace, at: datetime) -> PageContent:
        recent = self._timeline.between(at - 2 * SITEMAP_SPAN, at + timedelta.resolution)
        slots = [slot for slot in reversed(recent) if slot.published > at - SITEMAP_SPAN]
        # It changes when an article is published, is corrected, or becomes too old.
        stories, changed = self._versions(slots, at)
        departures = (slot.published + SITEMAP_SPAN for slot in recent if slot.published <= at - SITEMAP_SPAN)
        return self._listing(place, stories, max((changed, *departures)))

    def _day(self, place: SitePlace, at: datetime) -> PageContent | None:
        """Return the sitemap of one day, which exists from its first article on."""
        slots = [slot for slot in self._timeline.day(place.day) if slot.published <= at] if place.day else []
        return self._listing(place, *self._versions(slots, at)) if slots else None

    def _index(self, place: SitePlace, at: datetime) -> PageContent:
        news = self._news(place, at)
        files = [(NEWS_FILE + self._ending, news.changed)]
        today = at.astimezone(self._site.offset).date()
        for day in (today - number * DAY for number in range(SITEMAP_DAYS)):
            path = sitemap_of_day(self._site, day)
            if page := self._day(SitePlace("sitemap", path, day=day), at):
                files.append((path, page.changed))
        begin = datetime.combine(today, time(), self._site.offset)
        changed = max(min(begin, at), *(changed for _, changed in files))
        return replace(self._listing(place, [], changed), files=tuple(files))

    @property
    def _ending(self) -> str:
        return ".gz" if self._site.knobs.sitemap_gzip else ""

    def _versions(self, slots: list[Slot], at: datetime) -> tuple[list[Story], datetime]:
        stories = [self._stories.outline_at(slot, at) for slot in slots]
        times = (time for story in stories for time in (story.listed, story.changed))
        return [story for story in stories if not story.removed], max((self._site.founded, *times))

    def _listing(self, place: SitePlace, stories: list[Story], changed: datetime) -> PageContent:
        site = self._site
        return PageContent(place.subtype, place.path, site.name, site.lexicon, changed, stories=tuple(stories))


def _misdated(story: Story) -> Story:
    """Return a story with a wrong time of publication: in 1970, years ago, or in days to come."""
    wrong = (
        _EPOCH,
        story.published - timedelta(days=365 + story.number % 100),
        story.published + timedelta(days=2 + story.number % 5),
    )
    return replace(story, published=wrong[story.number % len(wrong)])
