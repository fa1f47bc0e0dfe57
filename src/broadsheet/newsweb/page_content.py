"""What a page shows, before a template makes HTML of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from broadsheet.base.records import Kind
from broadsheet.newsweb.lexicon import Lexicon
from broadsheet.newsweb.stories import Story

Subtype = Literal[
    "home", "front", "archive", "article", "author", "legal", "feed", "sitemap", "robots", "picture", "missing"
]
Role = Literal["bar", "crumb", "author", "lead", "list", "entry", "tag", "most-read", "related", "pager", "foot"]

_SECTIONS = frozenset[Subtype]({"home", "front", "archive"})


def kind_of(subtype: Subtype) -> Kind:
    """Return the kind of page that a subtype belongs to."""
    if subtype == "article":
        return "article"
    return "section" if subtype in _SECTIONS else "other"


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: what it is there for, where it leads on the site, and what it says."""

    role: Role
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Teaser:
    """A story in a list: its link, and where there is room, its first words and its section."""

    link: Link
    standfirst: str
    tag: Link | None
    picture: str


@dataclass(frozen=True, slots=True)
class Box:
    """A list of stories under a heading, the newest or most read first."""

    role: Role
    title: str
    teasers: tuple[Teaser, ...]


@dataclass(frozen=True, slots=True)
class PageContent:
    """All that a template needs: `changed` is when the page became what it is."""

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

    def groups(self) -> Iterator[tuple[Link, ...]]:
        """Give every link of the page, those that belong together as one group; a page always has the same groups."""
        yield from (self.bar, self.crumbs, self.authors)
        for box in self.boxes:
            yield tuple(teaser.link for teaser in box.teasers)
            yield tuple(teaser.tag for teaser in box.teasers if teaser.tag)
        yield tuple(Link("entry", story.path, story.headline) for story in self.stories)
        yield from (self.pager, self.foot)

    def under(self, root: str) -> "PageContent":
        """Return the page with its links as they are where the site lies under a path of its host."""
        if not root:
            return self

        def moved(links: tuple[Link, ...]) -> tuple[Link, ...]:
            return tuple(_moved(link, root) for link in links)

        boxes = tuple(
            replace(box, teasers=tuple(_shifted(teaser, root) for teaser in box.teasers)) for box in self.boxes
        )
        return replace(
            self,
            bar=moved(self.bar),
            foot=moved(self.foot),
            crumbs=moved(self.crumbs),
            authors=moved(self.authors),
            pager=moved(self.pager),
            boxes=boxes,
        )


def _moved(link: Link, root: str) -> Link:
    return replace(link, path=root + link.path)


def _shifted(teaser: Teaser, root: str) -> Teaser:
    tag = _moved(teaser.tag, root) if teaser.tag else None
    return replace(teaser, link=_moved(teaser.link, root), tag=tag, picture=root + teaser.picture)
