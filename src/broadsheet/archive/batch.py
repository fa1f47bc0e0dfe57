"""What is to be kept together: visits, pages, sources, articles and counts, in memory until they are committed."""

from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from broadsheet.archive import article_json, stored_versions, visit_counts, warc
from broadsheet.archive.article_versions import Version
from broadsheet.archive.catalogue import LastContent
from broadsheet.archive.event_records import ArchiveEvent, RereadRecord
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.page_records import AgendaEntry, Membership, PageRecord, VerdictRecord, VisitReason
from broadsheet.archive.source_records import Order, SourceRecord
from broadsheet.archive.visit_draft import VisitDraft
from broadsheet.base import statuses
from broadsheet.base.errors import InputError
from broadsheet.base.exchange import Exchange
from broadsheet.base.incident import Incident
from broadsheet.base.records import Article

if TYPE_CHECKING:
    from broadsheet.archive.writer import Writer


class Batch:
    """A unit of work: nothing in it is kept before the writer commits it, and then all of it is.

    `changed_…` and `new_versions` are what the commit writes; the writer reads through them, so that its user sees
    what it has changed.
    """

    def __init__(self, known: "Writer") -> None:
        """Begin with nothing."""
        self._known = known
        self.id = uuid4().hex
        self.changed_pages: dict[str, PageRecord] = {}
        self.changed_sources: dict[str, SourceRecord] = {}
        #: By source and page.
        self.changed_members: dict[tuple[str, str], Membership] = {}
        #: By source and page; None for an entry that was removed.
        self.changed_agenda: dict[tuple[str, str], AgendaEntry | None] = {}
        #: By source and page.
        self.changed_feeds: dict[tuple[str, str], FeedRecord] = {}
        self.changed_fronts: dict[tuple[str, str], FrontRecord] = {}
        self.changed_contents: dict[str, LastContent] = {}
        self.new_versions: list[dict[str, Any]] = []
        self.newest: dict[str, Version] = {}
        #: Of the newest versions, by the articles' keys.
        self.new_sketches: dict[str, bytes] = {}
        self.counts: Counter[tuple[str, str, str]] = Counter()
        #: By source, event and reason.
        self.incidents: dict[tuple[str, str, str], Incident] = {}
        self.new_events: list[ArchiveEvent] = []
        #: Verdicts that are replaced, by page, and when they were.
        self.replaced_verdicts: dict[str, tuple[VerdictRecord, datetime]] = {}
        self.changed_rereads: dict[str, RereadRecord] = {}
        #: By number.
        self.taken_orders: dict[int, Order] = {}
        self.new_visits = VisitDraft(known.archive)
        #: The last body, and its digest.
        self._digested: tuple[bytes, str] | None = None

    @property
    def visits(self) -> int:
        """How many visits the batch holds."""
        return len(self.new_visits)

    @property
    def size(self) -> int:
        """How many bytes the exchanges and rendered pages take that the batch holds."""
        return self.new_visits.size

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to commit."""
        changed = (self.changed_pages, self.changed_sources, self.changed_members, self.changed_agenda)
        added = (self.new_visits, self.new_versions, self.new_events, self.counts, self.incidents)
        noted = (self.changed_rereads, self.taken_orders, self.changed_feeds, self.changed_fronts)
        return not (any(changed) or any(added) or any(noted))

    def visit(  # noqa: PLR0913 - what is known of a visit, each by its name
        self,
        page_key: str,
        url: str,
        exchanges: tuple[Exchange, ...],
        *,
        same_as: int | None = None,
        links: LinkRows | None = None,
        source: str | None = None,
        why: VisitReason | None = None,
    ) -> int:
        """Keep the exchanges of one visit to a page, and its links, and return the visit's id.

        An answer that says the page is as it was (304), or whose body is that of the page's last content, is kept
        as a revisit of that, and its links are those of that visit. A caller who knows as much from elsewhere
        says so with `same_as`; links are then not written either. A rendered page is kept with what its scripts wrote,
        and its links are its own whatever its body is, because scripts may have loaded them from elsewhere.
        """
        _require_sound(url, exchanges)
        if same_as is not None and links is not None:
            raise InputError(f"a visit to {url} has either its own links or those of visit {same_as}, not both")
        self._known.admit(self)
        visit, answer = self._known.next_visit(), exchanges[-1]
        payload = self._payload(answer)
        original = None if answer.rendered is not None else self._repeated(page_key, answer, payload)
        is_whole = original is None and answer.status in statuses.CONTENT
        if original is not None:
            payload, same_as, links = original.digest, original.visit, None
        elif is_whole:
            self.changed_contents[page_key] = LastContent(visit, payload, url, answer.at)
        counts = visit_counts.counted(exchanges)
        row = {
            "visit": visit,
            "page": page_key,
            "url": url,
            "source": source,
            "fetched_at": answer.at,
            "status": answer.status,
            "digest": payload,
            "bytes": counts[visit_counts.BYTES_KEPT],
            "same_as": same_as,
            "why": why and why.value,
        }
        repeated = original and warc.Original(original.visit, original.url, original.at)
        self.new_visits.add(row, exchanges, links, repeated=repeated, is_whole=is_whole)
        self.counts.update({(name, "", source or ""): number for name, number in counts.items()})
        return visit

    def repeats(self, page_key: str, answer: Exchange) -> bool:
        """Return whether an answer is the page's last content again, byte by byte."""
        return self._repeated(page_key, answer, self._payload(answer)) is not None

    def page(self, page: PageRecord) -> None:
        """Keep a page, new or changed: its address, its fetch state and its verdict."""
        self._known.admit(self)
        self.changed_pages[page.key] = page

    def member(self, member: Membership) -> None:
        """Keep that a source leads to a page."""
        self._known.admit(self)
        self.changed_members[member.source, member.page] = member

    def feed(self, feed: FeedRecord) -> None:
        """Keep a feed of a source, new or changed."""
        self._known.admit(self)
        self.changed_feeds[feed.source, feed.page] = feed

    def front(self, front: FrontRecord) -> None:
        """Set what is known of a front."""
        self._known.admit(self)
        self.changed_fronts[front.source, front.page] = front

    def plan(self, entry: AgendaEntry) -> None:
        """Put a visit on the agenda, in place of the one planned for the same source and page."""
        self._known.admit(self)
        self.changed_agenda[entry.source, entry.page] = entry

    def unplan(self, source: str, page: str) -> None:
        """Take a visit off the agenda."""
        self._known.admit(self)
        self.changed_agenda[source, page] = None

    def source(self, source: SourceRecord) -> None:
        """Keep a source, new or changed."""
        self._known.admit(self)
        self.changed_sources[source.key] = source

    def article(  # noqa: PLR0913 - what is known of an article, each by its name
        self,
        key: str,
        source: str,
        article: Article,
        *,
        visit: int,
        form: article_json.ArticleForm | None = None,
        is_first: bool = False,
        reread_at: datetime | None = None,
    ) -> bool:
        """Keep a version of an article that a visit gave, unless it says what the last one says; return whether.

        A caller who knows that there is no version yet saves a look at the catalogue with `is_first`. `reread_at` marks
        a version that the publisher did not write: the archived page of the visit was read again.
        """
        self._known.admit(self)
        form = form or article_json.ArticleForm.of(article)
        said, last = form.fingerprint, None if is_first else self._known.newest(key)
        if last is not None and last.fingerprint == said:
            return False
        answer, at = self.new_visits.origin(visit) or (visit, self._known.kept(visit).at)
        moment = stored_versions.sortable(article.published) or (last.moment if last else at)
        version = Version(last.version + 1 if last else 1, said, moment)
        self.newest[key] = version
        self.new_sketches[key] = form.sketch
        row = {
            "key": key,
            "source": source,
            "article": form.json,
            "model": form.model or (article.verdict.model if article.verdict else None),
            "visit": answer,
            "fetched_at": at,
            "reread_at": reread_at,
            **version._asdict(),
        }
        self.new_versions.append({**row, "digest": stored_versions.version_digest(row, form.digest)})
        return True

    def count(self, name: str, reason: str | None = None, by: int = 1, source: str | None = None) -> None:
        """Count something; the number is kept with the rest."""
        if by < 0:
            raise ValueError(f"{name} cannot be counted by {by}: counters only grow")
        self._known.admit(self)
        self.counts[name, reason or "", source or ""] += by

    def incident(self, source: str, name: str, incident: Incident) -> None:
        """Keep the newest example of what a source's pages are counted as, or of why its home page was not fetched."""
        self._known.admit(self)
        self.incidents[source, name, str(incident.reason)] = incident.cut()

    def event(self, event: ArchiveEvent) -> None:
        """Add something that happened to the log of events."""
        self._known.admit(self)
        self.new_events.append(event)

    def replace_verdict(self, page: PageRecord, judged: VerdictRecord) -> None:
        """Give a page another verdict, and keep the one that it had."""
        if page.judged is not None:
            self.replaced_verdicts[page.key] = page.judged, judged.at
        self.page(replace(page, judged=judged))

    def reread(self, reread: RereadRecord) -> None:
        """Keep how far a run over the archived pages came."""
        self._known.admit(self)
        self.changed_rereads[reread.name] = reread

    def order(self, taken: Order) -> None:
        """Keep what became of an order, together with what it changed."""
        self._known.admit(self)
        self.taken_orders[taken.id] = taken

    def _payload(self, answer: Exchange) -> str:
        """Return the digest of an answer's body, which is asked for twice where it may be a repetition."""
        if self._digested is None or self._digested[0] is not answer.body:
            self._digested = answer.body, warc.digest(answer.body)
        return self._digested[1]

    def _repeated(self, key: str, answer: Exchange, payload: str) -> LastContent | None:
        """Return the content that an answer repeats: the server says so, or the bytes are the same."""
        says_so = answer.status == statuses.NOT_MODIFIED
        if not says_so and answer.status not in statuses.CONTENT:
            return None
        content = self._known.content(key)
        return content if content is not None and (says_so or content.digest == payload) else None


def _require_sound(url: str, exchanges: tuple[Exchange, ...]) -> None:
    if not exchanges:
        raise InputError(f"a visit to {url} needs at least one exchange: count a page without a response as failed")
    for exchange in exchanges:
        if exchange.status not in statuses.ALL:
            raise InputError(f"{exchange.status} is not an HTTP status: the response of {exchange.url} is not kept")
