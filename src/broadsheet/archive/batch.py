"""What is to be kept together: visits, pages, sources, articles and counts, in memory until they are committed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa

from broadsheet.archive import article_json, stored_versions, warc
from broadsheet.archive.article_versions import Version
from broadsheet.archive.catalogue import LastContent
from broadsheet.archive.event_records import ArchiveEvent, RereadRecord
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.link_occurrences import LinkOccurrences
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.page_records import AgendaEntry, Membership, PageRecord, VerdictRecord, VisitReason
from broadsheet.archive.parquet_files import VISITS
from broadsheet.archive.source_records import Order, SourceRecord
from broadsheet.archive.warc_draft import ANSWER, ByteSpan, WarcDraft, WrittenWarc
from broadsheet.base import statuses
from broadsheet.base.errors import InputError
from broadsheet.base.exchange import Exchange
from broadsheet.base.incident import Incident
from broadsheet.base.moments import to_utc
from broadsheet.base.records import Article

if TYPE_CHECKING:
    from broadsheet.archive.writer import Writer

#: What the archive counts by itself, by source.
VISITS_KEPT, REQUESTS_KEPT, BYTES_KEPT = "visits kept", "requests kept", "bytes kept"
#: How many of the visits were answered with 304.
NOT_MODIFIED_KEPT = "304 kept"


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
        self.links = LinkOccurrences()
        self.last_visit = 0
        self.first_visit = 0
        self._visits: dict[int, dict[str, Any]] = {}
        #: The visits whose own answers hold a page.
        self._whole: set[int] = set()
        self._draft = WarcDraft(known.archive)
        #: How many bytes the exchanges and rendered pages take that the batch holds.
        self.size = 0
        #: The last body, and its digest.
        self._digested: tuple[bytes, str] | None = None

    @property
    def visits(self) -> int:
        """How many visits the batch holds."""
        return len(self._visits)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to commit."""
        changed = (self.changed_pages, self.changed_sources, self.changed_members, self.changed_agenda)
        added = (self._visits, self.new_versions, self.new_events, self.counts, self.incidents)
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
        if not exchanges:
            raise InputError(f"a visit to {url} needs at least one exchange: count a page without a response as failed")
        if same_as is not None and links is not None:
            raise InputError(f"a visit to {url} has either its own links or those of visit {same_as}, not both")
        for exchange in exchanges:
            if exchange.status not in statuses.ALL:
                raise InputError(f"{exchange.status} is not an HTTP status: the response of {exchange.url} is not kept")
        self._known.admit(self)
        visit = self._known.next_visit()
        self.first_visit, self.last_visit = self.first_visit or visit, visit
        for number, exchange in enumerate(exchanges[:-1]):
            self._draft.add(visit, f"redirect/{number}", exchange, warc.digest(exchange.body))
        answer = exchanges[-1]
        payload = self._payload(answer)
        original = None if answer.rendered is not None else self._repeated(page_key, answer, payload)
        if original is not None:
            payload, same_as, links = original.digest, original.visit, None
        elif _is_content(answer):
            self._whole.add(visit)
            self.changed_contents[page_key] = LastContent(visit, payload, url, answer.at)
        repeated = original and warc.Original(original.visit, original.url, original.at)
        self._draft.add(visit, ANSWER, answer, payload, repeated)
        if links is not None and len(links):
            self.links.add(visit, page_key, links)
        received = sum(map(wire_size, exchanges))
        self.size += received + len(answer.rendered or b"")
        self._visits[visit] = {
            "visit": visit,
            "page": page_key,
            "url": url,
            "source": source,
            "fetched_at": answer.at,
            "status": answer.status,
            "digest": payload,
            "bytes": received,
            "same_as": same_as,
            "why": why and why.value,
        }
        self._tally(self._visits[visit], len(exchanges))
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
        answer, at = self._origin(visit)
        moment = sortable(article.published) or (last.moment if last else at)
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
        """Keep the newest example of what a source's pages are counted as, or of its home page that did not come."""
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

    def warc(self) -> WrittenWarc:
        """Return the batch's WARC file."""
        return self._draft.written()

    def visit_table(self, name: str, answers: Mapping[int, ByteSpan]) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return the batch's visits as a table, given the name of its WARC file, and where their answers are in it."""
        rows = [{**row, "warc": name, **answers[visit]._asdict()} for visit, row in self._visits.items()]
        return pa.Table.from_pylist(rows, schema=VISITS)

    def _payload(self, answer: Exchange) -> str:
        """Return the digest of an answer's body, which is asked for twice where it may be a repetition."""
        if self._digested is None or self._digested[0] is not answer.body:
            self._digested = answer.body, warc.digest(answer.body)
        return self._digested[1]

    def _repeated(self, key: str, answer: Exchange, payload: str) -> LastContent | None:
        """Return the content that an answer repeats: the server says so, or the bytes are the same."""
        says_so = answer.status == statuses.NOT_MODIFIED
        if not says_so and not _is_content(answer):
            return None
        content = self._known.content(key)
        return content if content is not None and (says_so or content.digest == payload) else None

    def _origin(self, visit: int) -> tuple[int, datetime]:
        """Return the visit whose answer holds what a visit found, and when it was made."""
        row = self._visits.get(visit)
        if row is None:
            return visit, self._known.kept(visit).at
        is_repeated = row["same_as"] is not None and visit not in self._whole
        return row["same_as"] if is_repeated else visit, row["fetched_at"]

    def _tally(self, visit: dict[str, Any], requests: int) -> None:
        source = visit["source"] or ""
        self.counts[VISITS_KEPT, "", source] += 1
        self.counts[REQUESTS_KEPT, "", source] += requests
        self.counts[BYTES_KEPT, "", source] += visit["bytes"]
        if visit["status"] == statuses.NOT_MODIFIED:
            self.counts[NOT_MODIFIED_KEPT, "", source] += 1


def _is_content(answer: Exchange) -> bool:
    return answer.status in statuses.CONTENT


def sortable(moment: datetime | None) -> datetime | None:
    """Return a time in UTC, also if its offset is unknown; None where the calendar ends before it gets there."""
    try:
        return to_utc(moment) if moment else None
    except InputError:
        return None


def wire_size(exchange: Exchange) -> int:
    """Return how many bytes of headers and body an answer took."""
    # Each header ends in two characters and has two between its name and its value.
    return len(exchange.body) + len("".join(chain.from_iterable(exchange.headers))) + 4 * len(exchange.headers)
