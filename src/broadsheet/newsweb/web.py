"""The simulated web: several sites whose pages and ground truth can be fetched at any time, without sockets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from urllib.parse import SplitResult, urlsplit

from broadsheet.base.errors import InputError
from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.records import Kind
from broadsheet.newsweb._editor import Editor
from broadsheet.newsweb._link_order import Occurrence
from broadsheet.newsweb._page_content import PageContent, Subtype, kind_of
from broadsheet.newsweb._planned_editor import PlannedEditor
from broadsheet.newsweb.response import NO_HEADERS, Response, ServedContent, answer, failure
from broadsheet.newsweb.site import Site, make_site
from broadsheet.newsweb.site_knobs import Knobs
from broadsheet.newsweb.templates._render import RenderedTemplate, render
from broadsheet.newsweb.templates._view import PageView
from broadsheet.newsweb.truth import (
    ArticleTruth,
    BarePage,
    PageTruth,
    RevisionTruth,
    article_truth,
    page_truth,
    revision_truths,
)

#: The hosts on which each site is served under a path with its name.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
#: The suffixes that turn a site's name into a host; browsers resolve the second one to the loopback address.
SUFFIXES = (".example", ".localhost")

_FRONT_PAGE_MAX_AGE, _ARTICLE_MAX_AGE, _LONG_MAX_AGE = 60, 300, 86_400
_PERMANENT = frozenset[Subtype]({"legal", "service", "robots", "picture"})


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """A parsed URL: the site, the base URL and root path that precede its own paths, and the path and query."""

    editor: Editor
    base: str
    root: str
    path: str
    query: str


class NewsWeb:
    """A number of sites generated from a seed; adding sites does not change the existing ones."""

    def __init__(self, seed: int = 1, sites: int | Sequence[Site] = 3, knobs: Knobs | None = None) -> None:
        """Generate so many sites, or take the given ones; their content is computed on demand.

        `knobs` are those of all generated sites.
        """
        if isinstance(sites, int):
            sites = tuple(make_site(seed, index, knobs) for index in range(sites))
        if not sites:
            raise InputError("a news web needs at least one site, not 0")
        self.sites: tuple[Site, ...] = tuple(sites)
        self.editors = FrozenMapping({site.slug: _editor(site) for site in self.sites})

    def home(self, site: Site) -> str:
        """Return the URL of a site's home page."""
        return f"http://{site.host}/"

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str] = NO_HEADERS, method: str = "GET") -> Response:
        """Return the response that a server would give to a request at this time."""
        if method not in ("GET", "HEAD"):
            return failure(405, b"This method is not allowed.\n", at, extra={"Allow": "GET, HEAD"})
        parts = _split(url)
        if parts is None:
            return failure(400, b"This is not a valid URL.\n", at, method)
        if parts.hostname in LOOPBACK and parts.path in ("/", "", "/robots.txt"):
            return answer(self._loopback_page(parts), at, headers, method)
        address = self._address(parts)
        if address is None:
            return failure(404, b"Unknown site.\n", at, method)
        knobs = address.editor.site.knobs
        trouble = knobs.trouble.at(address.editor.site.seed, at)
        if trouble == "failing":
            return failure(503, b"The service is not available.\n", at, method)
        response = _elsewhere(address, parts, at, method) or self._answer(address, at, headers, method)
        return replace(response, seconds=knobs.trouble.seconds) if trouble == "slow" else response

    def _answer(self, address: SiteAddress, at: datetime, headers: Mapping[str, str], method: str) -> Response:
        page = _page(address, at)
        if page is None:
            return _not_found(address, at, method)
        rendered = _render(address, page)
        if page.subtype == "missing":
            return failure(200, rendered.body, at, method, extra={"Content-Type": rendered.content_type})
        validators = address.editor.site.knobs.validators
        content = ServedContent(rendered.content_type, rendered.body, page.changed, _max_age(page), validators)
        return answer(content, at, headers, method)

    def truth(self, url: str, at: datetime) -> PageTruth | None:
        """Return the ground truth for a URL at this time, or None if no page exists there yet."""
        address = self._found(url)
        page = address and _page(address, at)
        return _truth(address.editor, page, address.base) if address and page else None

    def kind(self, url: str, at: datetime) -> Kind | None:
        """Return what kind of page a URL leads to at this time, as `truth` does, but without writing articles."""
        address = self._found(url)
        if not address:
            return None
        if address.editor.article_outline(address.path, at, address.query):
            return "article"
        page = _page(address, at)
        return kind_of(page.subtype) if page else None

    def bare_page(self, url: str, at: datetime) -> BarePage | None:
        """Return what a page of a planned site is, its links if it is a front, and its article without the text.

        That is what `truth` and `occurrences` say, in a fraction of the time; of pages that are neither front nor
        article it does not look at what is on them.
        """
        address = self._found(url)
        if not address or not isinstance(address.editor, PlannedEditor) or at < address.editor.site.founded:
            return None
        editor = address.editor
        if story := editor.article_outline(address.path, at, address.query):
            return BarePage("article", "article", story.renewed, (), article_truth(editor.site, story, address.base))
        place = editor.places.find(address.path, address.query)
        if place and place.slot is None and kind_of(place.subtype) == "other":
            return BarePage("other", place.subtype, editor.site.founded)
        page = _page(address, at)
        if page is None:
            return None
        links = editor.links.occurrences(page, address.base) if page.story is None else ()
        return BarePage(kind_of(page.subtype), page.subtype, page.changed, links)

    def articles(  # noqa: PLR0913 - the last arguments are keyword-only
        self,
        start: datetime,
        end: datetime,
        at: datetime | None = None,
        site: Site | None = None,
        *,
        newest: int | None = None,
        outlines: bool = False,
    ) -> tuple[ArticleTruth, ...]:
        """Return the articles published from `start` until before `end`, in order, in their versions as of `at`.

        `at` defaults to `end`. Without a `site`, the articles of all sites are returned. Only so many of the `newest`
        are written, if that is given. With `outlines`, texts are left out where that saves work.
        """
        slots = [
            (editor, slot)
            for editor in self.editors.values()
            if site is None or editor.site.slug == site.slug
            for slot in editor.timeline.between(start, end)
        ]
        if newest is not None and newest < len(slots):
            # Of those published at the same moment, the address decides, which only a written article has.
            since = sorted(slot.published for _, slot in slots)[-newest]
            slots = [(editor, slot) for editor, slot in slots if slot.published >= since]
        articles = sorted(
            (
                article_truth(
                    editor.site,
                    (editor.stories.outline_at if outlines else editor.stories.version_at)(slot, at or end),
                    f"http://{editor.site.host}",
                )
                for editor, slot in slots
            ),
            key=lambda article: (article.published, article.url),
        )
        return tuple(articles if newest is None else articles[max(0, len(articles) - newest) :])

    def occurrences(self, url: str, at: datetime) -> tuple[Occurrence, ...]:
        """Return the links that a crawler would find on a page of a planned site, in their order, without its HTML."""
        address = self._found(url)
        if not address or not isinstance(address.editor, PlannedEditor):
            return ()
        page = _page(address, at)
        return address.editor.links.occurrences(page, address.base) if page else ()

    def revisions(self, url: str) -> tuple[RevisionTruth, ...]:
        """Return how the article at a URL changes over time, past and future, beginning with its publication."""
        address = self._found(url)
        if not address:
            return ()
        editor, place = address.editor, address.editor.places.find(address.path, address.query)
        if place is None or place.slot is None:
            return ()
        return revision_truths(editor.site, editor.stories.versions(place.slot), address.base)

    def permanent_pages(self, site: Site, at: datetime) -> tuple[PageTruth, ...]:
        """Return the ground truth for all pages of a site at this time, except its articles."""
        editor, base = self.editors[site.slug], f"http://{site.host}"
        pages = (editor.page(place, at) for place in editor.places.permanent.values())
        return tuple(_truth(editor, page, base) for page in pages if page)

    def _found(self, url: str) -> SiteAddress | None:
        """Return where a URL leads, None if it is not valid or of no site."""
        parts = _split(url)
        return self._address(parts) if parts else None

    def _address(self, parts: SplitResult) -> SiteAddress | None:
        """Return the site of a URL, found by its host or, on the loopback address, by the first segment of its path."""
        host, path, root = parts.hostname or "", parts.path or "/", ""
        if host in LOOPBACK:
            slug, _, rest = path[1:].partition("/")
            path, root = "/" + rest, "/" + slug
        else:
            slug = next((host.removesuffix(suffix) for suffix in SUFFIXES if host.endswith(suffix)), "")
        editor = self.editors.get(slug)
        if editor is None and (editor := self.editors.get(slug.removeprefix("www."))):
            editor = None if editor.site.knobs.hosts == "one" else editor
        if editor is None:
            return None
        return SiteAddress(editor, _origin(parts) + root, root, path, parts.query)

    def _loopback_page(self, parts: SplitResult) -> ServedContent:
        """Return the root page of the loopback address, which lists the sites, or its permissive `robots.txt`."""
        changed = min(site.founded for site in self.sites)
        if parts.path == "/robots.txt":
            return ServedContent("text/plain; charset=utf-8", b"User-agent: *\nDisallow:\n", changed, _LONG_MAX_AGE)
        items = "\n".join(f'<li><a href="/{site.slug}/">{escape(site.name)}</a></li>' for site in self.sites)
        html = f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Sites</title>\n<ul>\n{items}\n</ul>\n'
        return ServedContent("text/html; charset=utf-8", html.encode(), changed, _LONG_MAX_AGE)


def _elsewhere(address: SiteAddress, parts: SplitResult, at: datetime, method: str) -> Response | None:
    """Return a redirect to the host or scheme under which a site wants to be reached, if this is another one."""
    knobs = address.editor.site.knobs
    host = parts.hostname or ""
    scheme = "https" if knobs.schemes == "upgrade" and host not in LOOPBACK else parts.scheme
    wanted = host.removeprefix("www.") if knobs.hosts == "redirect" else host
    if (scheme, wanted) == (parts.scheme, host):
        return None
    location = parts._replace(scheme=scheme, netloc=wanted if parts.port is None else f"{wanted}:{parts.port}")
    return failure(301, b"", at, method, extra={"Location": location.geturl()})


def _editor(site: Site) -> Editor:
    return Editor(site) if site.plan is None else PlannedEditor(site, site.plan)


def _truth(editor: Editor, page: PageContent, base: str) -> PageTruth:
    links = editor.links.truths(page, base) if isinstance(editor, PlannedEditor) and not page.is_file else None
    return page_truth(editor.site, page, base, links)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        # An invalid port raises a ValueError only when it is accessed.
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if valid else None


def _origin(parts: SplitResult) -> str:
    """Return scheme, host and port, without user information, which must not appear in the links of a page."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if parts.port is None else f":{parts.port}")


def _page(address: SiteAddress, at: datetime) -> PageContent | None:
    """Return the page at an address; on a site with soft 404s, that is never None once the site is open."""
    editor = address.editor
    page = editor.find(address.path, at, address.query)
    if page is None and editor.site.knobs.removal == "soft-404" and at >= editor.site.founded:
        return None if _redirect(address, at) else replace(editor.missing(), path=address.path)
    return page


def _redirect(address: SiteAddress, at: datetime) -> str | None:
    """Return the path to which a path is redirected: where an article moved, or what has a slash at its end."""
    editor, path = address.editor, address.path
    if moved := editor.moved_to(path, at, address.query):
        return moved
    return path + "/" if editor.places.find(path + "/") else None


def _render(address: SiteAddress, page: PageContent) -> RenderedTemplate:
    site = address.editor.site
    return render(PageView(site, page.with_path_prefix(address.root), address.base, address.root, site.charset))


def _not_found(address: SiteAddress, at: datetime, method: str) -> Response:
    """Return a redirect to where the page is now, otherwise the site's own 404 page."""
    editor = address.editor
    if at < editor.site.founded:
        return failure(404, b"This site has not opened yet.\n", at, method)
    if path := _redirect(address, at):
        return failure(301, b"", at, method, extra={"Location": address.base + path})
    rendered = _render(address, editor.missing())
    is_gone = editor.site.knobs.removal == "410" and editor.is_removed(address.path, at, address.query)
    return failure(410 if is_gone else 404, rendered.body, at, method, extra={"Content-Type": rendered.content_type})


def _max_age(page: PageContent) -> int:
    if page.subtype == "article":
        return _ARTICLE_MAX_AGE
    return _LONG_MAX_AGE if page.subtype in _PERMANENT else _FRONT_PAGE_MAX_AGE
