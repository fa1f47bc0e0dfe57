"""Pages that only scripts write: which sources have them is learned, and a browser runs their scripts."""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Literal, Protocol

from broadsheet.archive import ScriptNeed
from broadsheet.base import counter_names, reasons
from broadsheet.base.domains import registrable_domain
from broadsheet.crawling.rendering import BrowserFailed, BrowserMissing, RenderedPage, Renderer, RenderError
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.archived_content import RENDERED_TYPE
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judging import judge_addresses
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult, Findings
from broadsheet.newsroom.render_budget import RenderBudget

#: A front with fewer links to articles, by their addresses, may be one that scripts write; real fronts have dozens.
FEW_LINKS = 3
#: Scripts are needed if there are so many times as many links, or words, with them, and so many more.
GAIN, MORE_LINKS, MORE_WORDS = 3, 5, 60
#: An article with fewer words may be one that scripts write.
FEW_WORDS = 60
#: Where scripts gave nothing more, they are tried again after this time: a site may have been rebuilt.
TRY_AGAIN = timedelta(days=7)

#: A page whose address says that it is an article with this probability should be one.
LIKELY = 0.5
NO_LINKS = PageLinks((), (), (), ())
_Pages = Literal["fronts", "articles"]

_log = logging.getLogger(__name__)


class VisitReaders(Protocol):
    """Sends pages through the filters, in other processes or in this one."""

    async def apply(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page."""
        ...


class PageRenderer(Protocol):
    """Runs the scripts of pages."""

    async def render(self, fetched: FetchedVisit) -> RenderedPage:
        """Return a page as its scripts leave it."""
        ...


class LocalRenderer:
    """Renders pages while everything else waits, as a simulated crawl needs it."""

    def __init__(self, renderer: Renderer) -> None:
        """Take the renderer."""
        self._renderer = renderer

    async def render(self, fetched: FetchedVisit) -> RenderedPage:
        """Return a page as its scripts leave it."""
        return _render(self._renderer, fetched)


class ThreadRenderer:
    """Renders one page after the other in a thread, so that a crawl goes on meanwhile."""

    def __init__(self, renderer: Renderer, thread: ThreadPoolExecutor) -> None:
        """Take the renderer, and the one thread that uses it."""
        self._renderer = renderer
        self._thread = thread

    async def render(self, fetched: FetchedVisit) -> RenderedPage:
        """Return a page as its scripts leave it; it waits for the pages before it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _render, self._renderer, fetched)


@contextmanager
def rendering_thread(networks: tuple[str, ...]) -> Iterator[ThreadRenderer | None]:
    """Give a renderer for a live crawl; None where there is no browser, so that scripts cannot be run."""
    try:
        renderer = Renderer(public=networks)
    except BrowserMissing as error:
        _log.info("pages that only scripts write cannot be read: %s", error)
        yield None
        return
    with renderer, ThreadPoolExecutor(1, "rendering") as thread:
        yield ThreadRenderer(renderer, thread)


class ScriptedPages:
    """Reads pages; those that only scripts write are rendered first, within a budget."""

    def __init__(self, desk: Desk, agenda: Agenda, readers: VisitReaders, renderer: PageRenderer | None) -> None:
        """Take what reads pages, and what runs their scripts, if anything does."""
        self._desk = desk
        self._agenda = agenda
        self._readers = readers
        self._renderer = None if desk.settings.render == "never" else renderer
        self._budget = RenderBudget(desk.quotas.max_renders)
        #: Fronts that have links enough as they come.
        self._rich: set[str] = set()

    async def read(self, visit: AnsweredVisit, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters find in a page, after its scripts have run if that gives more."""
        plain = await self._readers.apply(fetched)
        pages: _Pages = "fronts" if visit.is_front else "articles"
        if self._renderer is None or not self._is_wanted(visit, fetched, plain, pages):
            return plain
        rendered = await self._rendered(self._renderer, visit, fetched)
        if rendered is None:
            return plain
        as_written = replace(fetched, content=rendered.html.encode(), content_type=RENDERED_TYPE)
        found = await self._readers.apply(as_written)
        before, after = _amount(fetched, plain, pages), _amount(fetched, found, pages)
        is_needed = after >= GAIN * before and after - before >= (MORE_LINKS if pages == "fronts" else MORE_WORDS)
        self._learn(visit, pages, before, after, is_needed=is_needed)
        if not is_needed or not isinstance(found, Findings):
            return plain
        return replace(found, rendered=as_written.content)

    def _is_wanted(self, visit: AnsweredVisit, fetched: FetchedVisit, plain: FilterResult, pages: _Pages) -> bool:
        """Return whether a page may have more to it than was read."""
        source = self._agenda.sources[visit.source]
        if source.settings.render == "never":
            return False
        if pages == "fronts" and (source.settings.render == "always" or source.scripts.fronts):
            return _has_script(fetched)
        is_needed, tried = getattr(source.scripts, pages), source.scripts.tried_at
        is_open = is_needed is None or tried is None or self._desk.clock.now() - tried >= TRY_AGAIN
        # Most pages are rich enough, so that their bytes need not be searched.
        return (is_needed or is_open) and self._is_poor(visit, fetched, plain, pages) and _has_script(fetched)

    def _is_poor(self, visit: AnsweredVisit, fetched: FetchedVisit, found: FilterResult, pages: _Pages) -> bool:
        """Return whether a page holds less than pages of its kind do."""
        if pages == "articles":
            is_expected = fetched.address.get("article", 0.0) >= LIKELY
            return is_expected and _amount(fetched, found, pages) < FEW_WORDS
        if visit.page.key not in self._rich and _amount(fetched, found, pages) >= FEW_LINKS:
            self._rich.add(visit.page.key)
        return visit.page.key not in self._rich

    async def _rendered(
        self, renderer: PageRenderer, visit: AnsweredVisit, fetched: FetchedVisit
    ) -> RenderedPage | None:
        if not self._budget.take(visit.source, self._desk.clock.now()):
            self._desk.miss(visit.source, reasons.OVER_RENDERS, url=fetched.url)
            return None
        try:
            rendered = await renderer.render(fetched)
        except (BrowserMissing, BrowserFailed) as error:
            _log.warning("pages that only scripts write cannot be read: %s", error)
            self._renderer = None
            return None
        except RenderError as error:
            self._desk.miss(visit.source, reasons.NOT_RENDERED, url=fetched.url, detail=str(error))
            return None
        self._desk.batch.count(counter_names.RENDERED, source=visit.source)
        self._agenda.spend(visit.source, rendered.requests, rendered.received, self._desk.clock.now())
        return rendered

    def _learn(self, visit: AnsweredVisit, pages: _Pages, before: int, after: int, *, is_needed: bool) -> None:
        """Keep whether a source's pages need their scripts; one page that does not changes nothing."""
        source = self._agenda.sources[visit.source]
        known = getattr(source.scripts, pages)
        if known == is_needed or (known and not is_needed):
            return
        _log.info(
            "%s: scripts are %s (%s %d without them, %d with them)",
            source.url,
            "needed" if is_needed else "not needed",
            "links" if pages == "fronts" else "words",
            before,
            after,
        )
        values = {"fronts": source.scripts.fronts, "articles": source.scripts.articles, pages: is_needed}
        need = ScriptNeed(**values, tried_at=self._desk.clock.now())
        self._agenda.sources[visit.source] = replace(source, scripts=need)
        self._desk.batch.source(self._agenda.sources[visit.source])


def _render(renderer: Renderer, fetched: FetchedVisit) -> RenderedPage:
    return renderer.render(fetched.content, fetched.url, content_type=fetched.content_type)


def _has_script(fetched: FetchedVisit) -> bool:
    return b"<script" in fetched.content.lower()


def _amount(fetched: FetchedVisit, found: FilterResult, pages: _Pages) -> int:
    """Return how many links to articles of its own site a front has, or how many words an article."""
    if not isinstance(found, Findings):
        return 0
    if pages == "articles":
        return len(found.article.body.split()) if found.article and found.article.body else 0
    links = found.links.targets if found.links else NO_LINKS
    rows = links.on_site(registrable_domain(fetched.url))
    if not rows:
        return 0
    judged = judge_addresses([links.urls[row] for row in rows], [links.anchors[row] for row in rows])
    return sum(judged.verdict(number).kind == "article" for number in range(len(rows)))
