"""The third step of a round: fetch what looks new, archive the articles, and follow the sections."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace

from broadsheet.archive import PageRecord, PageState
from broadsheet.base import reasons, statuses, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason
from broadsheet.base.records import Article
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.newsroom.arrival import ArrivalLinks
from broadsheet.newsroom.cycle import Cycle
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.filters.classify import classify, link_evidence
from broadsheet.newsroom.judge import LinkEvidence
from broadsheet.newsroom.kept_visit import keep_visit
from broadsheet.newsroom.newsroom_errors import PageRefused

#: How often a page is asked for that refuses, and one whose whole site may be down for a while.
MAX_ATTEMPTS, PASSING_ATTEMPTS = 3, 24
#: What may be a section is fetched first, as it leads to articles of this same round.
SECTION_PRIORITY, ARTICLE_PRIORITY = 5, 0

_log = logging.getLogger(__name__)


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
        self._desk.miss(cycle.source.key, reasons.OVER_BUDGET, max(0, len(wanted) - most))
        return self._ask(cycle, list(wanted.values())[:most])

    def take(self, cycle: Cycle, outcome: Outcome) -> Iterator[Request]:
        """Judge the page that came by what it holds, and keep it accordingly."""
        self._desk.count(outcome)
        record = self._desk.record(outcome.request.tag)
        if record is None:
            raise AssertionError(f"no record of {outcome.request.url}")
        if not isinstance(outcome, FetchAnswer):
            self._give_up(record, PASSING_ATTEMPTS)
        elif outcome.status == statuses.OK:
            yield from self._keep(cycle, record, outcome)
        else:
            self._desk.miss(cycle.source.key, reasons.answered(outcome.status), url=outcome.url)
            self._desk.batch.visit(page_key=record.key, url=outcome.url, exchanges=outcome.exchanges)
            if outcome.status in statuses.GONE:
                self._desk.batch.page(replace(record, state=PageState.GONE))
            else:
                self._give_up(record, PASSING_ATTEMPTS if outcome.status in statuses.PASSING else MAX_ATTEMPTS)

    def _ask(self, cycle: Cycle, records: Iterable[PageRecord]) -> Iterator[Request]:
        for record in records:
            priority = ARTICLE_PRIORITY if record.kind == "article" else SECTION_PRIORITY
            yield cycle.request(record, priority)

    def _give_up(self, record: PageRecord, most: int) -> None:
        attempts = record.attempts + 1
        state = PageState.FAILED if attempts >= most else PageState.QUEUED
        self._desk.batch.page(replace(record, attempts=attempts, state=state))

    def _keep(self, cycle: Cycle, asked: PageRecord, page: FetchAnswer) -> Iterator[Request]:
        record = self._settled(cycle, asked, page)
        if record is None:
            return
        try:
            found = self._desk.findings(page, self._desk.judge.link(link_evidence(cycle, record)))
        except PageRefused as error:
            self._desk.miss(cycle.source.key, error.reason, url=page.url, detail=error.told)
            keep_visit(self._desk, replace(record, kind="other", reasons=(str(error),)), page)
            return
        verdict = found.verdict
        assert verdict is not None  # noqa: S101 - it was asked for
        record = record.judged(verdict)
        if found.links is not None:
            yield from self._follow(cycle, record, page, found.links)
        elif verdict.kind == "article" and found.article is not None:
            self._archive(cycle, record, page, replace(found.article, verdict=verdict))
        else:
            keep_visit(self._desk, record, page)

    def _settled(self, cycle: Cycle, asked: PageRecord, page: FetchAnswer) -> PageRecord | None:
        """Return the record under which the page belongs, which is another where the request was sent on.

        None where there is nothing more to do: the page is known already, or lies on another site.
        """
        key = urls.key(page.url)
        if key == asked.key:
            return asked
        if registrable_domain(page.url) != registrable_domain(cycle.source.url):
            self._drop(replace(asked, state=PageState.FAILED), page, reasons.LEFT)
            return None
        known = self._desk.record(key)
        if known is not None and known.state is PageState.FETCHED:
            self._drop(replace(asked, state=PageState.DUPLICATE, duplicate_of=key), page, reasons.DUPLICATE)
            return None
        if self._desk.keeper(key, known, cycle.source) is not None:
            # Who sends on to a page of another source must not take it from that source.
            self._drop(replace(asked, state=PageState.DUPLICATE, duplicate_of=key), page, reasons.KEPT_ELSEWHERE)
            return None
        self._desk.batch.page(replace(asked, state=PageState.DUPLICATE, duplicate_of=key))
        return replace(known or asked, key=key, url=page.url)

    def _drop(self, record: PageRecord, page: FetchAnswer, reason: Reason) -> None:
        self._desk.miss(record.source, reason, url=record.url, detail=f"redirects to {page.url}")
        keep_visit(self._desk, record, page, state=record.state)

    def _follow(self, cycle: Cycle, record: PageRecord, page: FetchAnswer, found: ArrivalLinks) -> Iterator[Request]:
        """Visit a section from now on, and collect what it links to already in this round."""
        if len(self._desk.writer.followed(cycle.source.key)) >= self._desk.quotas.max_sections:
            self._desk.miss(cycle.source.key, reasons.OVER_SECTIONS, url=record.url)
            keep_visit(self._desk, record, page)
            return
        links = self._desk.linked(cycle.source.key, page.url, found).targets
        keep_visit(self._desk, replace(record, every=cycle.source.every), page, found.rows)
        self._desk.links.remember(record.key, links)
        self._desk.progress.sections += 1
        cycle.sections.append(record.key)
        sightings = list(links.on_site(cycle.source.url, from_home=False))
        self._desk.miss(cycle.source.key, reasons.OVER_ROUND_LINKS, cycle.see(sightings), url=record.url)
        yield from self._ask(cycle, list(classify(self._desk, cycle, sightings)))

    def _archive(self, cycle: Cycle, record: PageRecord, page: FetchAnswer, article: Article) -> None:
        """Keep an article, unless it is archived already at another address of its own."""
        own = self._own_address(cycle, record, article)
        twin = self._twin(cycle, record, own, article)
        if twin is not None:
            self._desk.miss(cycle.source.key, reasons.DUPLICATE, url=record.url, detail=f"is the same as {twin}")
            keep_visit(self._desk, replace(record, duplicate_of=twin), page, state=PageState.DUPLICATE)
            return
        if own is not None:
            self._claim(cycle, record, own)
        visit = keep_visit(self._desk, replace(record, duplicate_of=None), page)
        if self._desk.batch.article(record.key, cycle.source.key, article, visit=visit):
            self._desk.archived(record.key, article)
            _log.info("archived %s: %s", record.url, article.title or "without a title")
            self._desk.progress.articles += 1
            self._desk.progress.latest = article.title or record.anchor or record.url
            cycle.articles.append(record.key)

    def _own_address(self, cycle: Cycle, record: PageRecord, article: Article) -> str | None:
        """Return the address of an article on the site that a page calls its own and that is not the page's."""
        own = article.canonical_url
        if own is not None and len(own) > urls.MAX_LENGTH:
            self._desk.miss(cycle.source.key, reasons.ADDRESS_TOO_LONG, url=own)
            return None
        if own is None or registrable_domain(own) != registrable_domain(cycle.source.url):
            return None
        # Some sites call the home page the address of every page.
        is_article = urls.key(own) != record.key and self._desk.judge.link(LinkEvidence(own)).kind == "article"
        return own if is_article else None

    def _twin(self, cycle: Cycle, record: PageRecord, own: str | None, article: Article) -> str | None:
        """Return the key of an archived copy of an article: one of the two names the other, and their texts agree.

        What pages of another source say of this one is not heard.
        """
        named = self._desk.record(urls.key(own)) if own else None
        if named is not None and named.kind == "article" and self._desk.is_archived(named.key, article):
            return named.key
        for key in (named and named.duplicate_of, record.duplicate_of):
            other = self._desk.record(key) if key else None
            if other is not None and other.source == cycle.source.key and self._desk.is_archived(other.key, article):
                return other.key
        return None

    def _claim(self, cycle: Cycle, record: PageRecord, own: str) -> None:
        """Note at an address that was not fetched yet that this page calls itself its copy.

        The address stays as fetchable as it was: when it comes, its text says whether the claim was true.
        """
        key = urls.key(own)
        known = self._desk.record(key)
        if known is None:
            # No page links to it yet, so it belongs to whichever source sees it first.
            known = PageRecord(key=key, url=own, source=cycle.source.key)
        if known.source == cycle.source.key and known.state in {PageState.KNOWN, PageState.QUEUED}:
            self._desk.batch.page(replace(known, duplicate_of=record.key))
