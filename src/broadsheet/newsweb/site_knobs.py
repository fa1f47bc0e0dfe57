"""The knobs of a site: how its feeds, sitemaps, fronts and articles behave; by default they behave well."""

from dataclasses import dataclass, field
from typing import Literal

from broadsheet.newsweb.server_trouble import TroubleKnobs

#: What is wrong with a feed or sitemap, if anything.
FileState = Literal["good", "missing", "stale", "foreign", "misdated", "broken"]
FeedFormat = Literal["rss", "atom", "json"]
SitemapForm = Literal["news", "index"]
Pagination = Literal["own", "path", "query"]
Removal = Literal["404", "410", "soft-404"]
Delays = Literal["even", "early"]
#: How well `ETag` and `Last-Modified` are done.
Validators = Literal["good", "none", "restless", "lazy"]
#: What `www.` before the host gives.
Hosts = Literal["one", "twins", "redirect"]
Schemes = Literal["both", "upgrade"]


@dataclass(frozen=True, slots=True)
class RevisionKnobs:
    """How articles change after publication; each share is a share of all articles.

    With `even` delays, changes come 20 minutes to 30 hours after publication; with `early` ones half of them come in
    the first two hours. A `silent` change does not update the time of modification that the page states.
    """

    corrected: float = 0.08
    retitled: float = 0.0
    rewritten: float = 0.0
    live: float = 0.0
    moved: float = 0.0
    removed: float = 0.0
    silent: float = 0.0
    delays: Delays = "even"


#: About one article in seven changes, most of them within hours, and a third of the changes without saying so.
LIFELIKE_REVISIONS = RevisionKnobs(
    corrected=0.06, retitled=0.05, rewritten=0.03, live=0.015, moved=0.008, removed=0.006, silent=0.35, delays="early"
)


@dataclass(frozen=True, slots=True)
class Knobs:
    """What can be set on a site.

    `feed` and `sitemap` say what is wrong with these files: `missing`; `stale` (at least `stale_days` old); `foreign`
    (its links lead to another site); `misdated` (wrong times of publication); `broken` (cut off in mid-element).
    `announced` files are named by `robots.txt` and by `link rel=alternate`. The sitemap is one file with the `news` of
    two days, or an `index` of that and of the days of a week; it may be a gzip file.

    `pagination` says how the later pages of a front are addressed: as the template does, by path (`/page/2/`) or by
    query (`?page=2`); `archive_pages` is how many pages a front has. An article longer than `paragraphs_per_page` is
    split into several pages (0: never). `rel_next` states neighbouring pages in the head. On a site with
    `scripted_fronts`, scripts write the lists of stories on fronts. `removal` is the answer for a removed article; with
    `soft-404` all unknown paths are answered with status 200.

    `validators` are `good`; `none` at all; `restless` (new in every answer); or `lazy` (those of the day, so that a
    changed page is answered with 304). With `twins` as `hosts`, the site is also at `www.` before its host, and some of
    its links lead there; with `redirect`, that leads to the host itself. With `upgrade` as `schemes`, `http` is
    redirected to `https`. `trouble` says how often the server fails or is slow.
    """

    feed: FileState = "good"
    feed_format: FeedFormat = "rss"
    feed_items: int = 20
    sitemap: FileState = "good"
    sitemap_form: SitemapForm = "news"
    sitemap_gzip: bool = False
    announced: bool = True
    stale_days: float = 3.0
    revisions: RevisionKnobs = field(default_factory=RevisionKnobs)
    removal: Removal = "404"
    pagination: Pagination = "own"
    archive_pages: int = 3
    paragraphs_per_page: int = 0
    rel_next: bool = False
    scripted_fronts: bool = False
    validators: Validators = "good"
    hosts: Hosts = "one"
    schemes: Schemes = "both"
    trouble: TroubleKnobs = field(default_factory=TroubleKnobs)
