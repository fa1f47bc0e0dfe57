"""The whole invented web: several sites, fetched at any moment without a socket, and what is true of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape
from urllib.parse import SplitResult, urlsplit

from broadsheet.base.errors import InputError
from broadsheet.base.frozen import FrozenMapping
from broadsheet.newsweb.editor import Editor
from broadsheet.newsweb.page_content import PageContent, Subtype
from broadsheet.newsweb.response import NO_HEADERS, Response, ServedContent, answer, failure
from broadsheet.newsweb.site import Site, make_site
from broadsheet.newsweb.templates.render import RenderedTemplate, render
from broadsheet.newsweb.templates.view import PageView
from broadsheet.newsweb.truth import ArticleTruth, PageTruth, article_truth, page_truth

#: The hosts at which each site lies under a path with its name.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
#: The ends that make a host of a site's name; browsers take the second to the loopback address by themselves.
SUFFIXES = (".example", ".localhost")

_FRONT_PAGE_AGE, _ARTICLE_AGE, _LASTING_AGE = 60, 300, 86_400
_LASTING = frozenset[Subtype]({"legal", "robots", "picture"})


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """A URL understood: the site, all that stands before its own paths, and the path and query on it."""

    editor: Editor
    base: str
    root: str
    path: str
    query: str


class NewsWeb:
    """Some sites from one seed; the same seed gives the same web, and more sites leave the first ones as they are."""

    def __init__(self, seed: int = 1, sites: int = 3) -> None:
        """Invent the sites; what they publish is computed when it is asked for."""
        if sites < 1:
            raise InputError(f"a news web has at least one site, not {sites}")
        self.sites: tuple[Site, ...] = tuple(make_site(seed, place) for place in range(sites))
        self.editors = FrozenMapping({site.slug: Editor(site) for site in self.sites})

    def home(self, site: Site) -> str:
        """Return the address of a site's home page on the invented web."""
        return f"http://{site.host}/"

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str] = NO_HEADERS, method: str = "GET") -> Response:
        """Answer a request for a URL at a moment, as a server would."""
        if method not in ("GET", "HEAD"):
            return failure(405, b"This method is not allowed.\n", at, extra={"Allow": "GET, HEAD"})
        parts = _split(url)
        if parts is None:
            return failure(400, b"This is no address.\n", at, method)
        if parts.hostname in LOOPBACK and parts.path in ("/", "", "/robots.txt"):
            return answer(self._entrance(parts), at, headers, method)
        address = self._address(parts)
        if address is None:
            return failure(404, b"There is no such site.\n", at, method)
        page = _page(address, at)
        if page is None:
            return _missing(address, at, method)
        written = _written(address, page)
        return answer(ServedContent(written.content_type, written.body, page.changed, _age(page)), at, headers, method)

    def truth(self, url: str, at: datetime) -> PageTruth | None:
        """Return what is true of a URL at a moment; None where no page of a site lies there yet."""
        parts = _split(url)
        address = parts and self._address(parts)
        page = address and _page(address, at)
        return page_truth(address.editor.site, page, address.base) if address and page else None

    def articles(
        self, start: datetime, end: datetime, at: datetime | None = None, site: Site | None = None
    ) -> tuple[ArticleTruth, ...]:
        """Return what is published from one moment until before another, in order, as it reads at a third.

        Without the third moment the articles read as they do at the end; without a site all sites are meant.
        """
        found = [
            article_truth(editor.site, editor.stories.at(slot, at or end), f"http://{editor.site.host}")
            for editor in self.editors.values()
            if site is None or editor.site.slug == site.slug
            for slot in editor.timeline.between(start, end)
        ]
        return tuple(sorted(found, key=lambda article: (article.published, article.url)))

    def lasting(self, site: Site, at: datetime) -> tuple[PageTruth, ...]:
        """Return what is true of the pages of a site at a moment, but for its articles, which are too many."""
        editor, base = self.editors[site.slug], f"http://{site.host}"
        pages = (editor.page(place, at) for place in editor.places.lasting.values())
        return tuple(page_truth(site, page, base) for page in pages if page)

    def _address(self, parts: SplitResult) -> SiteAddress | None:
        """Find the site of a URL, by its host or, on the loopback address, by the first part of its path."""
        host, path, root = parts.hostname or "", parts.path or "/", ""
        if host in LOOPBACK:
            slug, _, rest = path[1:].partition("/")
            path, root = "/" + rest, "/" + slug
        else:
            slug = next((host.removesuffix(suffix) for suffix in SUFFIXES if host.endswith(suffix)), "")
        editor = self.editors.get(slug)
        if editor is None:
            return None
        return SiteAddress(editor, _origin(parts) + root, root, path, parts.query)

    def _entrance(self, parts: SplitResult) -> ServedContent:
        """Return what stands before the sites on the loopback address: a list of them, and no rule for crawlers."""
        changed = min(site.founded for site in self.sites)
        if parts.path == "/robots.txt":
            return ServedContent("text/plain; charset=utf-8", b"User-agent: *\nDisallow:\n", changed, _LASTING_AGE)
        items = "\n".join(f'<li><a href="/{site.slug}/">{escape(site.name)}</a></li>' for site in self.sites)
        html = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Sites</title>\n<ul>\n{items}\n</ul>\n'
        return ServedContent("text/html; charset=utf-8", html.encode(), changed, _LASTING_AGE)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        # The port is read only when asked for, and may be none.
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if valid else None


def _origin(parts: SplitResult) -> str:
    """Return scheme, host and port alone: a user's name before them has no place in the links of a page."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if parts.port is None else f":{parts.port}")


def _page(address: SiteAddress, at: datetime) -> PageContent | None:
    return address.editor.find(address.path, at, address.query)


def _written(address: SiteAddress, page: PageContent) -> RenderedTemplate:
    site = address.editor.site
    return render(PageView(site, page.under(address.root), address.base, address.root, site.charset))


def _missing(address: SiteAddress, at: datetime, method: str) -> Response:
    """Answer where no page lies: with the way to it where only a slash is missing, else with the site's own page."""
    editor, path = address.editor, address.path
    if at < editor.site.founded:
        return failure(404, b"This site has not opened yet.\n", at, method)
    if editor.places.find(path + "/"):
        return failure(301, b"", at, method, extra={"Location": f"{address.base}{path}/"})
    written = _written(address, editor.missing())
    return failure(404, written.body, at, method, extra={"Content-Type": written.content_type})


def _age(page: PageContent) -> int:
    if page.subtype == "article":
        return _ARTICLE_AGE
    return _LASTING_AGE if page.subtype in _LASTING else _FRONT_PAGE_AGE
