"""A page on its way to a reader: what it shows, and under which address."""

from dataclasses import dataclass
from html import escape

from broadsheet.newsweb.page_content import Box, Link, PageContent
from broadsheet.newsweb.site import Site


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of a site at an address: `base` is all that stands before the site's own paths, `root` its path.

    Without a charset the page does not declare one, and whoever reads it must find out.
    """

    site: Site
    page: PageContent
    base: str
    root: str
    charset: str | None

    @property
    def url(self) -> str:
        """The page's own address."""
        return self.base + self.page.path

    @property
    def title(self) -> str:
        """What stands in the page's title, safe for markup."""
        return f"{escape(self.page.title)} | {escape(self.site.name)}"

    def boxes(self, *roles: str) -> list[Box]:
        """Return the boxes of some roles, in their order."""
        return [box for box in self.page.boxes if box.role in roles]


def anchor(link: Link, attributes: str = "") -> str:
    """Write a link."""
    return f'<a{attributes} href="{escape(link.path)}">{escape(link.text)}</a>'


def paragraphs(texts: tuple[str, ...], attributes: str = "") -> str:
    """Write paragraphs, a line each."""
    return "\n".join(f"<p{attributes}>{escape(text)}</p>" for text in texts)
