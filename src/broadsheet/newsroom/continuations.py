"""Articles of several pages: the further pages are fetched at once, and the article is kept when all of it is there.

Until then nothing of it is kept, and its visit stays on the agenda: a crawl that is stopped in between asks for the
article again.
"""

from dataclasses import dataclass, field, replace

from broadsheet.archive import ArticleForm, FetchRecord, PageRecord, PageState, VisitReason
from broadsheet.base import reasons, statuses, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Article
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.filters.keep_filter import KeepFilter
from broadsheet.newsroom.joined_pages import join
from broadsheet.newsroom.kept_pages import AnsweredVisit, PageKeeper
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult, Findings
from broadsheet.newsroom.scripted_pages import ScriptedPages

#: Pages of one article, the first included.
MAX_PAGES = 20
#: What is in hand is fetched before anything else that is wanted once.
PRIORITY = 8
#: Marks requests for further pages: the page itself may be wanted for its own sake at the same time.
_TAG = "continuation "


@dataclass(slots=True)
class _Serial:
    """An article whose further pages are on their way."""

    visit: AnsweredVisit
    found: Findings
    #: The answers that brought further pages, in order, and the articles that were read from them.
    answers: list[FetchAnswer] = field(default_factory=list)
    parts: list[Article] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)


class Continuations:
    """Collects the pages of articles, and has whole articles kept."""

    def __init__(self, desk: Desk, agenda: Agenda, pages: ScriptedPages, keep: KeepFilter) -> None:
        """Take what reads pages, and what keeps them."""
        self._desk = desk
        self._agenda = agenda
        self._pages = pages
        self._keep = keep
        self._keeper = PageKeeper(desk)
        #: By the tag of the request that is under way.
        self._serials: dict[str, _Serial] = {}
        self._outbox: list[Request] = []

    def keep(self, visit: AnsweredVisit, found: FilterResult) -> None:
        """Keep a fetched page; one that is continued on another page waits for it."""
        if not isinstance(found, Findings) or not self._is_continued(visit, found):
            self._keep.keep(visit, found)
            return
        serial = _Serial(visit, found, asked={urls.key(visit.answer.url)})
        assert found.article is not None  # noqa: S101 - only articles are continued
        self._continue(serial, found.article)

    def visit(self, tag: str) -> AnsweredVisit | None:
        """Return the visit to the article that a request continues; None if it continues none."""
        return self._serials[tag].visit if tag in self._serials else None

    async def receive(self, outcome: Outcome) -> None:
        """Take a further page of an article; if it could not be fetched, the article is kept without it."""
        serial = self._serials.pop(outcome.request.tag)
        part = await self._read(serial, outcome)
        if part is None:
            detail = f"continues {serial.visit.page.url}, but could not be fetched"
            self._desk.miss(serial.visit.source, reasons.CONTINUATION, url=outcome.request.url, detail=detail)
            self._finish(serial)
            return
        assert isinstance(outcome, FetchAnswer)  # noqa: S101 - nothing else can be read
        serial.answers.append(outcome)
        serial.parts.append(part)
        self._continue(serial, part)

    def requests(self) -> list[Request]:
        """Return what to fetch next."""
        asked, self._outbox = self._outbox, []
        return asked

    def finish(self) -> None:
        """Keep what was fetched of articles whose further pages will not be fetched any more."""
        while self._serials:
            self._finish(self._serials.popitem()[1])

    def _is_continued(self, visit: AnsweredVisit, found: Findings) -> bool:
        article = found.article
        if article is None or article.next_page is None or visit.is_front or (article.page_number or 1) != 1:
            return False
        # What redirected here is settled as another page.
        return urls.key(visit.answer.url) == visit.page.key

    def _continue(self, serial: _Serial, last: Article) -> None:
        """Ask for the page after the last one, if there is one and all is as it should be."""
        url, visit = last.next_page, serial.visit
        key = urls.key(url) if url else ""
        is_ours = url is not None and registrable_domain(url) == registrable_domain(visit.answer.url)
        if url is None or not is_ours or key in serial.asked:
            self._finish(serial)
            return
        if len(serial.asked) >= MAX_PAGES:
            self._desk.miss(visit.source, reasons.OVER_ARTICLE_PAGES, url=url)
            self._finish(serial)
            return
        serial.asked.add(key)
        # Another article may be continued on the same page, by mistake.
        tag = f"{_TAG}{visit.page.key} {key}"
        self._serials[tag] = serial
        until = self._agenda.sources[visit.source].until
        self._outbox.append(Request(url, tag=tag, priority=PRIORITY, source=visit.source, not_after=until))

    async def _read(self, serial: _Serial, outcome: Outcome) -> Article | None:
        """Return the article of a further page, None if there is none."""
        if not isinstance(outcome, FetchAnswer) or outcome.status != statuses.OK:
            return None
        if registrable_domain(outcome.url) != registrable_domain(serial.visit.answer.url):
            return None
        fetched = FetchedVisit.of(outcome, VisitReason.CONTINUATION, {})
        found = await self._pages.read(replace(serial.visit, answer=outcome), fetched)
        if not isinstance(found, Findings) or found.article is None or not found.article.body:
            return None
        return found.article

    def _finish(self, serial: _Serial) -> None:
        """Keep the further pages as parts of the first, and the article of all of them."""
        first, found = serial.visit, serial.found
        for answer in serial.answers:
            key = urls.key(answer.url)
            record = self._desk.record(key) or PageRecord(key=key, url=answer.url, first_seen=answer.at)
            fetch = FetchRecord(state=PageState.DUPLICATE, fetched_at=answer.at)
            self._desk.batch.page(replace(record, duplicate_of=first.page.key, fetch=fetch))
            part = AnsweredVisit(record, first.source, VisitReason.CONTINUATION, answer)
            self._keeper.visited(part)
        if serial.parts and found.article is not None:
            article = join([found.article, *serial.parts])
            model = found.form.model if found.form else None
            found = replace(found, article=article, form=ArticleForm.of(article, model))
        current = self._desk.record(first.page.key) or first.page
        self._keep.keep(replace(first, page=current), found)
