"""The ground truth of the simulated web, as records to measure against."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Kind
from broadsheet.newsweb._link_order import Occurrence
from broadsheet.newsweb._page_content import PageContent, Role, Subtype, kind_of
from broadsheet.newsweb._story_history import RevisionKind, Story, StoryForm
from broadsheet.newsweb.site import Rendering, Site


@dataclass(frozen=True, slots=True)
class ArticleTruth:
    """A version of an article; times have the UTC offset that its page states."""

    url: str
    site: str
    section: str
    language: str
    title: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime | None
    standfirst: str
    crosshead: str
    paragraphs: tuple[str, ...]
    form: StoryForm = "text"


@dataclass(frozen=True, slots=True)
class LinkTruth:
    """A link on a page: its target, its role, its group of links, and its position in the group, from 0."""

    url: str
    role: Role
    group: int
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class PageTruth:
    """The kind and content of a page at some time; `changed` is when it last changed.

    Of an article of several pages, `article` is the whole, `part` what this page has of it, and `number` which page it
    is. On fronts of a site with `scripted_fronts`, the links of lists are there only for clients that run scripts.
    """

    url: str
    kind: Kind
    subtype: Subtype
    site: str
    template: Rendering
    language: str
    changed: datetime
    links: tuple[LinkTruth, ...]
    article: ArticleTruth | None
    part: tuple[str, ...] = ()
    number: int = 1


@dataclass(frozen=True, slots=True)
class BarePage:
    """What a page is and when it last changed, the links of a front, and an article without its text.

    Links are those that a crawler would find, in their order.
    """

    kind: Kind
    subtype: Subtype
    changed: datetime
    links: tuple[Occurrence, ...] = ()
    article: ArticleTruth | None = None


@dataclass(frozen=True, slots=True)
class RevisionTruth:
    """A change of an article: when, how, and what it is from then on (None once removed).

    `kind` is None for the publication itself. A `silent` change leaves the stated time of modification as it was.
    """

    at: datetime
    kind: RevisionKind | None
    silent: bool
    article: ArticleTruth | None


def article_truth(site: Site, story: Story, base: str) -> ArticleTruth:
    """Return the ground truth for a story on a site with this base URL."""
    return ArticleTruth(
        url=base + story.path,
        site=site.slug,
        section=story.section.name,
        language=story.section.lexicon.language,
        title=story.headline,
        authors=story.authors,
        published=story.published,
        modified=story.modified,
        standfirst=story.standfirst,
        crosshead=story.crosshead,
        paragraphs=story.paragraphs,
        form=story.form,
    )


def page_truth(site: Site, page: PageContent, base: str, links: Iterable[LinkTruth] | None = None) -> PageTruth:
    """Return the ground truth for a page on a site with this base URL; its links are those of its content or given."""
    return PageTruth(
        url=base + page.path,
        kind=kind_of(page.subtype),
        subtype=page.subtype,
        site=site.slug,
        template=site.template,
        language=page.lexicon.language,
        changed=page.changed,
        links=tuple(_links(page, base) if links is None else links),
        article=article_truth(site, page.whole or page.story, base) if page.story else None,
        part=page.story.paragraphs if page.story else (),
        number=page.number,
    )


def revision_truths(site: Site, versions: Sequence[Story], base: str) -> tuple[RevisionTruth, ...]:
    """Return the ground truth for all versions of a story."""
    return tuple(
        RevisionTruth(
            at=story.renewed,
            kind=story.revision,
            silent=story.revised is not None and story.modified != story.revised,
            article=None if story.removed else article_truth(site, story, base),
        )
        for story in versions
    )


def _links(page: PageContent, base: str) -> Iterator[LinkTruth]:
    for group, links in enumerate(page.groups()):
        for position, link in enumerate(links):
            start = page.entry_base or base if link.role == "entry" else base
            yield LinkTruth(link.url(start), link.role, group, position, link.text)
