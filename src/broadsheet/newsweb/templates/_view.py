"""A page together with the URL and encoding in which it is served."""

from dataclasses import dataclass
from html import escape

from broadsheet.newsweb._page_content import Box, Link, PageContent
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

    def boxes(self, *roles: str) -> list[Box]:
        """Return the boxes with one of these roles, in order."""
        return [box for box in self.page.boxes if box.role in roles]


def anchor(link: Link, attributes: str = "") -> str:
    """Render a link."""
    return f'<a{attributes} href="{escape(link.path)}">{escape(link.text)}</a>'


def paragraphs(texts: tuple[str, ...], attributes: str = "") -> str:
    """Render paragraphs, one per line."""
    return "\n".join(f"<p{attributes}>{escape(text)}</p>" for text in texts)
