"""Pages that are as they were when they were last read."""

from broadsheet.archive import PageState, VisitReason
from broadsheet.base import statuses
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.source_feeds import SourceFeeds


def is_unchanged(visit: AnsweredVisit, desk: Desk, agenda: Agenda, feeds: SourceFeeds) -> bool:
    """Return whether a page has not changed: the server says so, or its bytes are those that were read before.

    Of a page that scripts write, neither says anything.
    """
    scripts = agenda.sources[visit.source].scripts
    is_scripted = not visit.is_feed and (scripts.fronts if visit.is_front else scripts.articles)
    if is_scripted and visit.answer.status == statuses.OK:
        return False
    answer = visit.answer.exchanges[-1]
    if answer.status != statuses.OK or len(visit.answer.exchanges) > 1:
        return answer.status == statuses.NOT_MODIFIED
    is_article = visit.page.kind == "article"
    if visit.is_feed:
        is_read = bool(desk.links.of(visit.page.key).keys) and feeds.were_read(visit)
    elif visit.is_front:
        # A front that a review took for an article has not been read as one.
        is_read = bool(desk.links.of(visit.page.key).keys) and not is_article
    else:
        # After a soft 404 the last content is not the article.
        is_sound = visit.page.state is PageState.FETCHED and not visit.page.fetch.attempts
        is_read = visit.why is VisitReason.REVISION and is_article and is_sound
    return is_read and desk.batch.repeats(visit.page.key, answer)
