"""The third step of a round: fetch what looks new, archive the articles, and follow the sections."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from broadsheet.archive import PageRecord, PageState
from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.base.records import Article
from broadsheet.crawling.messages import Outcome, Page, Request
from broadsheet.document import Document
from broadsheet.newsroom.arrival import document_of, reason
from broadsheet.newsroom.cycle import Cycle, tagged
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.filters.classify import classify, judged, link_evidence
from broadsheet.newsroom.judge import LinkEvidence
from broadsheet.newsroom.visits import LEFT, keep_visit
from broadsheet.reading import extract

#: How often a page is asked for that refuses, and one whose whole site may be down for a while.
MAX_ATTEMPTS, PASSING_ATTEMPTS = 3, 24
GONE = frozenset({404, 410})
PASSING = frozenset({408, 429, 500, 502, 503, 504})
#: What may be a section is fetched first, as it leads to articles of this same round.
SECTION_PRIORITY, ARTICLE_PRIORITY = 5, 0


class Collect:
    """Fetches every wanted page once; one that fails is tried again in the next rounds."""

    name = "collect"

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        self._desk = desk

    def begin(self, cycle: Cycle) -> Iterator[Request]:
        """Ask for what the round wants, and for what earlier rounds wanted and did not get."""
        wanted = {record.key: record for record in cycle.wanted}
        for record in self._desk.writer.queued(cycle.source.key):
            wanted.setdefault(record.key, record)
        wanted.pop(cycle.source.key, None)
        # What earlier rounds did not get counts as well, or it would add up; what is new goes first.
        most = self._desk.quotas.max_fetches
        self._desk.fail(cycle.source.key, "over the round's budget", max(0, len(wanted) - most))
        return self._ask(cycle, list(wanted.values())[:most])

    def take(self, cycle: Cycle, outcome: Outcome) -> Iterator[Request]:
        """Judge the page that came by what it holds, and keep it accordingly."""
        self._desk.count(outcome)
        record = self._desk.record(tagged(outcome)[1])
        if record is None:
            raise AssertionError(f"no record of {outcome.request.url}")
        if not isinstance(outcome, Page):
            self._give_up(record, PASSING_ATTEMPTS)
        elif outcome.status == 200:
            yield from self._keep(cycle, record, outcome)
        else:
            self._desk.fail(cycle.source.key, f"answered {outcome.status}")
            self._desk.batch.visit(page_key=record.key, url=outcome.url, exchanges=outcome.exchanges)
            if outcome.status in GONE:
                self._desk.batch.page(replace(record, state=PageState.GONE))
            else:
                self._give_up(record, PASSING_ATTEMPTS if outcome.status in PASSING else MAX_ATTEMPTS)

    def _ask(self, cycle: Cycle, records: Iterable[PageRecord]) -> Iterator[Request]:
        for record in records:
            priority = ARTICLE_PRIORITY if record.kind == "article" else SECTION_PRIORITY
            yield cycle.request(record, priority)

    def _give_up(self, record: PageRecord, most: int) -> None:
        attempts = record.attempts + 1
        state = PageState.FAILED if attempts >= most else PageState.QUEUED
        self._desk.batch.page(replace(record, attempts=attempts, state=state))

    def _keep(self, cycle: Cycle, asked: PageRecord, page: Page) -> Iterator[Request]:
        record = self._settled(cycle, asked, page)
        if record is None:
            return
        try:
            document = document_of(page, self._desk.limits)
            article = extract(document, reader=self._desk.reader, fetched_at=page.at)
        except InputError as error:
            self._desk.fail(cycle.source.key, reason(error))
            keep_visit(self._desk, replace(record, kind="other", reasons=(str(error),)), page)
            return
        verdict = self._desk.judge.page(document, article, self._desk.judge.link(link_evidence(cycle, record)))
        record = judged(record, verdict)
        if verdict.kind == "section":
            yield from self._follow(cycle, record, page, document)
        elif verdict.kind == "article" and article is not None:
            self._archive(cycle, record, page, replace(article, verdict=verdict))
        else:
            keep_visit(self._desk, record, page)

    def _settled(self, cycle: Cycle, asked: PageRecord, page: Page) -> PageRecord | None:
        """Return the record under which the page belongs, which is another where the request was sent on.

        None where there is nothing more to do: the page is known already, or lies on another site.
        """
        if asked.state is PageState.DUPLICATE:
            self._drop(asked, page, "duplicate")
            return None
        key = urls.key(page.url)
        if key == asked.key:
            return asked
        if registrable_domain(page.url) != registrable_domain(cycle.source.url):
            self._drop(replace(asked, state=PageState.FAILED), page, LEFT)
            return None
        known = self._desk.record(key)
        if known is not None and known.state is PageState.FETCHED:
            self._drop(replace(asked, state=PageState.DUPLICATE, duplicate_of=key), page, "duplicate")
            return None
        self._desk.batch.page(replace(asked, state=PageState.DUPLICATE, duplicate_of=key))
        return replace(known or asked, key=key, url=page.url)

    def _drop(self, record: PageRecord, page: Page, reason: str) -> None:
        self._desk.fail(record.source, reason)
        keep_visit(self._desk, record, page, state=record.state)

    def _follow(self, cycle: Cycle, record: PageRecord, page: Page, document: Document) -> Iterator[Request]:
        """Visit a section from now on, and collect what it links to already in this round."""
        if len(self._desk.writer.followed(cycle.source.key)) >= self._desk.quotas.max_sections:
            self._desk.fail(cycle.source.key, "too many sections")
            keep_visit(self._desk, record, page)
            return
        links, rows = self._desk.linked(cycle.source.key, document)
        keep_visit(self._desk, replace(record, every=cycle.source.every), page, rows)
        self._desk.links.remember(record.key, links)
        self._desk.progress.sections += 1
        cycle.sections.append(record.key)
        sightings = list(links.on_site(cycle.source.url, from_home=False))
        self._desk.fail(cycle.source.key, "too many links in a round", cycle.see(sightings))
        yield from self._ask(cycle, list(classify(self._desk, cycle, sightings)))

    def _archive(self, cycle: Cycle, record: PageRecord, page: Page, article: Article) -> None:
        """Keep an article, unless the address that it calls its own is archived already."""
        twin = self._twin(cycle, record, article)
        if twin is not None:
            self._desk.fail(cycle.source.key, "duplicate")
            keep_visit(self._desk, replace(record, duplicate_of=twin), page, state=PageState.DUPLICATE)
            return
        visit = keep_visit(self._desk, record, page)
        if self._desk.batch.article(record.key, cycle.source.key, article, visit=visit):
            self._desk.archived(record.key, article)
            self._desk.progress.articles += 1
            self._desk.progress.latest = article.title or record.anchor or record.url
            cycle.articles.append(record.key)

    def _twin(self, cycle: Cycle, record: PageRecord, article: Article) -> str | None:
        """Return the key of the same article at its own address; where that is not archived, it never will be."""
        own = article.canonical_url
        if own is not None and len(own) > urls.MAX_LENGTH:
            self._desk.fail(cycle.source.key, "address too long")
            return None
        if own is None or registrable_domain(own) != registrable_domain(cycle.source.url):
            return None
        key = urls.key(own)
        # Some sites call the home page the address of every page.
        if key == record.key or self._desk.judge.link(LinkEvidence(own)).kind != "article":
            return None
        known = self._desk.record(key)
        if known is not None and known.state is PageState.FETCHED:
            # Some sites call one and the same article the address of all.
            return key if known.kind == "article" and self._desk.is_archived(key, article) else None
        other = known or replace(record, key=key, url=own, rounds_seen=0)
        self._desk.batch.page(replace(other, state=PageState.DUPLICATE, duplicate_of=record.key))
        return None
