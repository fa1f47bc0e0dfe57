"""What is known of a page before it is read: what its address, and a feed that lists it, say of its kind."""

from dataclasses import replace

from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judging import FEED, LINKS, address_evidence
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_visit import FetchedVisit


def fetched_visit(desk: Desk, agenda: Agenda, visit: AnsweredVisit) -> FetchedVisit:
    """Return a page for the filters, with what its address and feeds say of it."""
    key, judged = visit.page.key, visit.page.judged
    if visit.is_feed or agenda.is_home(key):
        return FetchedVisit.of(visit.answer, visit.why, {})
    fetched = FetchedVisit.of(visit.answer, visit.why, address_evidence(visit.page, visit.why))
    if judged is not None and LINKS in judged.evidence:
        fetched = replace(fetched, links=judged.evidence[LINKS])
    if judged is None or FEED not in judged.evidence:
        return fetched
    member = desk.writer.members(visit.source, (key,)).get(key)
    return replace(fetched, feed=judged.evidence[FEED], listed=member.listed if member else None)
