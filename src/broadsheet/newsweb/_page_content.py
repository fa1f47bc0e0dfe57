"""The content of a page, before a template renders it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, NamedTuple

from broadsheet.base.records import Kind
from broadsheet.newsweb._lexicon import Lexicon
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.site_plan import BoxSpot, PageLayout

Subtype = Literal[
    "home",
    "front",
    "archive",
    "article",
    "author",
    "legal",
    "service",
    "tag",
    "day",
    "edition",
    "search",
    "calendar",
    "feed",
    "sitemap",
    "sitemap-index",
    "robots",
    "picture",
    "missing",
]
Role = Literal[
    "bar",
    "crumb",
    "author",
    "lead",
    "list",
    "entry",
    "tag",
    "most-read",
    "related",
    "pager",
    "foot",
    "menu",
    "service",
    "kept",
    "partner",
    "keyword",
    "tool",
    "day",
    "edition",
    "filter",
    "month",
    "search",
]
#: What a reader can fill in on a page.
PageForm = Literal["contact", "login", "newsletter", "quiz", "search"]
#: The versions of an article besides its own page.
Twin = Literal["print", "amp"]

_FILES = frozenset[Subtype]({"feed", "sitemap", "sitemap-index", "robots", "picture"})
_SECTIONS = frozenset[Subtype]({"home", "front", "archive", "tag", "day", "edition", "search"})


def kind_of(subtype: Subtype) -> Kind:
    """Return the kind of page that a subtype belongs to."""
    if subtype == "article":
        return "article"
    return "section" if subtype in _SECTIONS else "other"


# A named tuple is hashed without running any Python, and the links around a page are looked up for every page.
class Link(NamedTuple):
    """A link on a page: its role, the path it leads to, and its text."""

    role: Role
    path: str
    text: str

    def url(self, base: str) -> str:
        """Return the address that it leads to from a site with this base; a link to another site has it already."""
        return self.path if "://" in self.path else base + self.path


@dataclass(frozen=True, slots=True)
class Teaser:
    """A story in a list: its link, standfirst, section and picture; templates may leave out all but the link."""

    # Hashing every text would make cache lookups slow; `key` tells teasers apart well enough.
    link: Link = field(hash=False)
    standfirst: str = field(hash=False)
    tag: Link | None = field(hash=False)
    picture: str = field(hash=False)
    key: int = field(default=0, compare=False, hash=True)
    #: When it was published, if lists say so.
    stated: str = field(default="", hash=False)
    #: Whether cards show its picture even where the picture is not a link.
    pictured: bool = field(default=False, hash=False)


@dataclass(frozen=True, slots=True)
class Box:
    """A list of stories under a heading, the newest or most read first."""

    role: Role
    title: str
    # Hashing every text would make cache lookups slow; `key` tells boxes apart well enough.
    teasers: tuple[Teaser, ...] = field(hash=False)
    spot: BoxSpot = "main"
    #: The link in its heading, if it leads to a section.
    heading: Link | None = None
    key: int = field(default=0, compare=False, hash=True)


@dataclass(frozen=True, slots=True)
class Surround:
    """What surrounds every page of a planned site: links at the top, menus, columns and text of the foot, a banner."""

    top: tuple[Link, ...] = ()
    menus: tuple[tuple[Link, ...], ...] = ()
    columns: tuple[tuple[Link, ...], ...] = ()
    banner: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the text of a page that is not an article: a heading, paragraphs of one or more lines, a list."""

    heading: str = ""
    paragraphs: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageContent:
    """Everything that a template needs; `changed` is when the page last changed.

    An article of several pages has the text of one page in `story` and that of all in `whole`. The entries of a feed or
    sitemap have addresses below `entry_base`, if it is not the site itself; a `broken` file is cut off. `files` are the
    paths in an index of sitemaps, with the time of their last change.
    """

    subtype: Subtype
    path: str
    title: str
    lexicon: Lexicon
    changed: datetime
    bar: tuple[Link, ...] = ()
    foot: tuple[Link, ...] = ()
    crumbs: tuple[Link, ...] = ()
    authors: tuple[Link, ...] = ()
    boxes: tuple[Box, ...] = ()
    pager: tuple[Link, ...] = ()
    paragraphs: tuple[str, ...] = ()
    story: Story | None = None
    stories: tuple[Story, ...] = ()
    whole: Story | None = None
    number: int = 1
    earlier: str | None = None
    later: str | None = None
    entry_base: str | None = None
    broken: bool = False
    files: tuple[tuple[str, datetime], ...] = ()
    surround: Surround | None = None
    subscribe: str = ""
    #: What introduces a front.
    intro: str = ""
    #: What a page that is not an article states as the time of its publication.
    dated: datetime | None = None
    form: PageForm | None = None
    #: What the fields of its form are called.
    labels: tuple[str, ...] = ()
    #: The text of a page that is not an article, apart from `paragraphs`.
    passages: tuple[Passage, ...] = ()
    #: The headings of `paragraphs`.
    headings: tuple[str, ...] = ()
    #: Further links of the main column, in groups with a name.
    extras: tuple[tuple[str, tuple[Link, ...]], ...] = ()
    layout: PageLayout | None = None
    twin: Twin | None = None

    @property
    def is_file(self) -> bool:
        """Whether it is read by machines only."""
        return self.subtype in _FILES

    def groups(self) -> Iterator[tuple[Link, ...]]:
        """Yield all links of the page in groups that belong together; a page has the same groups at all times."""
        yield from (self.bar, self.crumbs, self.authors)
        for box in self.boxes:
            yield tuple(teaser.link for teaser in box.teasers)
            yield tuple(teaser.tag for teaser in box.teasers if teaser.tag)
        yield (
            *(Link("entry", path, "") for path, _ in self.files),
            *(Link("entry", story.path, story.headline) for story in self.stories),
        )
        yield from (self.pager, *(links for _, links in self.extras), self.foot)
        if self.surround:
            yield from (self.surround.top, *self.surround.menus, *self.surround.columns)

    def with_path_prefix(self, root: str) -> "PageContent":
        """Return the page with all its links prefixed by `root`, the path at which the site is served."""
        if not root:
            return self

        def prefixed(links: tuple[Link, ...]) -> tuple[Link, ...]:
            return tuple(_prefix_link(link, root) for link in links)

        boxes = tuple(
            replace(
                box,
                teasers=tuple(_prefix_teaser(teaser, root) for teaser in box.teasers),
                heading=box.heading and _prefix_link(box.heading, root),
            )
            for box in self.boxes
        )
        return replace(
            self,
            bar=prefixed(self.bar),
            foot=prefixed(self.foot),
            crumbs=prefixed(self.crumbs),
            authors=prefixed(self.authors),
            pager=prefixed(self.pager),
            extras=tuple((name, prefixed(links)) for name, links in self.extras),
            boxes=boxes,
            surround=self.surround and _prefix_surround(self.surround, root),
            earlier=None if self.earlier is None else root + self.earlier,
            later=None if self.later is None else root + self.later,
        )


def _prefix_link(link: Link, root: str) -> Link:
    return link._replace(path=link.url(root))


def _prefix_surround(surround: Surround, root: str) -> Surround:
    top, *groups = (
        tuple(_prefix_link(link, root) for link in links)
        for links in (surround.top, *surround.menus, *surround.columns)
    )
    menus = len(surround.menus)
    return replace(surround, top=top, menus=tuple(groups[:menus]), columns=tuple(groups[menus:]))


def _prefix_teaser(teaser: Teaser, root: str) -> Teaser:
    tag = _prefix_link(teaser.tag, root) if teaser.tag else None
    return replace(teaser, link=_prefix_link(teaser.link, root), tag=tag, picture=root + teaser.picture)
