"""Articles and sections that are gone, have moved, or are back: what an answer says, as events of the archive."""

from http import HTTPStatus
from urllib.parse import urlsplit

from broadsheet.archive import FetchRecord, PageRecord, PageState, VisitReason
from broadsheet.base import statuses, urls
from broadsheet.base.records import Article, Kind
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_visit import Findings
from broadsheet.newsroom.soft_404 import ReplacedArticles, is_soft_404
from broadsheet.newsroom.twin_pages import TwinPages


class Departures:
    """Tells what became of a page that was known, from what came in its place."""

    def __init__(self, desk: Desk, agenda: Agenda, fronts: Fronts, twins: TwinPages) -> None:
        """Take what it writes to, who gives up sections, and who knows the addresses that pages call their own."""
        self._desk = desk
        self._agenda = agenda
        self._fronts = fronts
        self._events = fronts.events
        self._twins = twins
        self._replaced = ReplacedArticles()

    def gone(self, visit: AnsweredVisit) -> None:
        """Note that a page is gone, for everybody who wants it."""
        page, status = visit.page, visit.answer.status
        fetch = FetchRecord(state=PageState.GONE, fetched_at=page.fetch.fetched_at)
        self._desk.batch.page(page.with_fetch(fetch))
        for source, entry in self._agenda.planned(page.key).items():
            if entry.every is None:
                self._agenda.unplan(source, page.key)
            else:
                self._fronts.lose(source, page, f"answers with status {status}")
        self._events.deleted(visit.source, page, visit.answer.at, "404" if status == HTTPStatus.NOT_FOUND else "410")

    def is_replaced(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> bool:
        """Return whether something else stands at the address of an archived article."""
        is_same_page = page.key == visit.page.key
        if visit.why is not VisitReason.REVISION or page.kind != "article" or not is_same_page:
            return False
        before = self._desk.last_article(page.key)
        return before is not None and is_soft_404(found, before)

    def replaced(self, visit: AnsweredVisit) -> bool:
        """Note that something else stands at the address of an article; return whether it is taken for gone.

        That takes two visits, and another article of the source that came in between.
        """
        page, at = visit.page, visit.answer.at
        is_gone = page.state is PageState.GONE or self._replaced.is_gone(visit.source, page.key, at)
        state = PageState.GONE if is_gone else page.state
        fetch = FetchRecord(state=state, attempts=page.fetch.attempts + 1, fetched_at=page.fetch.fetched_at)
        self._desk.batch.page(page.with_fetch(fetch))
        if is_gone:
            self._events.deleted(visit.source, page, at, "soft 404")
        return is_gone

    def left(self, visit: AnsweredVisit) -> None:
        """Note that an article redirects to another site.

        Only a permanent redirect is a move: a temporary one may lead to a page that asks for consent or an account.
        """
        if not visit.is_front and visit.answer.exchanges[0].status in statuses.PERMANENT_REDIRECTS:
            self._events.moved(visit.source, visit.page, visit.answer.at, "redirect", visit.answer.url)

    def redirected(self, visit: AnsweredVisit, kind: Kind | None) -> None:
        """Note that an article redirects to another page of the site; `kind` is what lies there, if that is known."""
        source, page, at, to = visit.source, visit.page, visit.answer.at, visit.answer.url
        if urls.key(to) in self._agenda.sources or urlsplit(to).path in {"", "/"}:
            self._events.deleted(source, page, at, "redirect to the home page", to)
        elif kind == "article":
            self._events.moved(source, page, at, "redirect", to)
        elif kind is not None:
            self._events.deleted(source, page, at, "redirect to a section" if kind == "section" else "redirect", to)

    def copied(self, visit: AnsweredVisit, page: PageRecord, twin: str) -> None:
        """Note that a page calls an article its own that is archived at another address."""
        known = self._desk.record(twin)
        to = known.url if known else twin
        self._events.moved(visit.source, page, visit.answer.at, "canonical", to)

    def came(self, visit: AnsweredVisit) -> None:
        """Note that an article has come as one."""
        self._replaced.came(visit.source, visit.page.key, visit.answer.at)

    def came_again(self, visit: AnsweredVisit, page: PageRecord, article: Article) -> None:
        """Note that an article is back that was gone, or that it calls another address its own now."""
        if page.state is not PageState.FETCHED:
            self._events.returned(visit.source, page, visit.answer.at)
        before = self._desk.last_article(page.key)
        if before is not None and before.canonical_url != article.canonical_url:
            home = self._agenda.sources[visit.source].url
            own = self._twins.own_address(visit.source, home, page, article)
            if own is not None:
                self._events.moved(visit.source, page, visit.answer.at, "canonical", own)
