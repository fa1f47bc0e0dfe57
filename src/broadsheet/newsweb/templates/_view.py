"""A page together with the URL and encoding in which it is served."""

from dataclasses import dataclass
from html import escape

from broadsheet.newsweb._page_content import Box, Link, PageContent, kind_of
from broadsheet.newsweb.site import Site


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a site as served: `base` is the URL that precedes the site's own paths, `root` the path part of it.

    If `charset` is None, the page does not declare its encoding.
    """

    site: Site
    page: PageContent
    base: str
    root: str
    charset: str | None

    @property
    def url(self) -> str:
        """The page's own URL."""
        return self.base + self.page.path

    @property
    def title(self) -> str:
        """The content of the `title` element, escaped."""
        return f"{escape(self.page.title)} | {escape(self.site.name)}"

    @property
    def entry_base(self) -> str:
        """What precedes the paths of the entries of a feed or sitemap."""
        return self.page.entry_base or self.base

    @property
    def feed(self) -> str | None:
        """The path of the feed, if pages name it in their head."""
        knobs = self.site.knobs
        return self.root + self.site.paths.feed if knobs.announced and knobs.feed != "missing" else None

    @property
    def neighbours(self) -> str:
        """The elements that name the pages before and after this one, if the site states them."""
        pages = {"prev": self.page.earlier, "next": self.page.later}
        return "".join(f'\n<link rel="{rel}" href="{escape(path)}">' for rel, path in pages.items() if path)

    @property
    def scripted(self) -> bool:
        """Whether scripts write the lists of this page."""
        return self.site.knobs.scripted_fronts and kind_of(self.page.subtype) == "section"

    def boxes(self, *roles: str) -> list[Box]:
        """Return the boxes with one of these roles, in order; none if a script writes them."""
        return [] if self.scripted else [box for box in self.page.boxes if box.role in roles]

    def boxes_at(self, spot: str) -> list[Box]:
        """Return the boxes at one spot, in order; none if a script writes them."""
        return [] if self.scripted else [box for box in self.page.boxes if box.spot == spot]


def anchor(link: Link, attributes: str = "") -> str:
    """Render a link."""
    return f'<a{attributes} href="{escape(link.path)}">{escape(link.text)}</a>'


def feed_link(view: PageView) -> str:
    """Render the line that names the feed."""
    if view.feed is None:
        return ""
    types = {"rss": "application/rss+xml", "atom": "application/atom+xml", "json": "application/feed+json"}
    return f'\n<link rel="alternate" type="{types[view.site.knobs.feed_format]}" href="{view.feed}">'


def paragraphs(texts: tuple[str, ...], attributes: str = "") -> str:
    """Render paragraphs, one per line."""
    return "\n".join(f"<p{attributes}>{escape(text)}</p>" for text in texts)
