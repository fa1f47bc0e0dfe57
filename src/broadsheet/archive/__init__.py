"""What is kept: the catalogue, WARC files, visits and link occurrences, and the articles.

Other packages import only what `__all__` lists.
"""

from broadsheet.archive.archive_errors import (
    ArchiveBusy,
    ArchiveError,
    ArchiveTakenOver,
    DamagedRow,
    NoArchive,
    NotMerged,
)
from broadsheet.archive.archive_records import (
    NEVER_FETCHED,
    AgendaEntry,
    ArchiveEvent,
    EventKind,
    FeedFacts,
    FeedRecord,
    FeedStanding,
    FetchRecord,
    LinkRows,
    Membership,
    PageRecord,
    PageState,
    RecordPlace,
    ScheduledPage,
    SourceRecord,
    StoredArticle,
    VerdictRecord,
    VisitReason,
)
from broadsheet.archive.article_json import ArticleForm
from broadsheet.archive.batch import Batch
from broadsheet.archive.incidents import HOME_PAGE
from broadsheet.archive.lease import Lease
from broadsheet.archive.merge_policy import MOST_FILES
from broadsheet.archive.problem import Problem
from broadsheet.archive.provisional import ProvisionalArchive
from broadsheet.archive.rebuilding import Reread, Rereader
from broadsheet.archive.repair import Repaired, repair
from broadsheet.archive.status import SourceStatus, Status
from broadsheet.archive.store import Store
from broadsheet.archive.writer import STEPS, Writer

__all__ = [
    "HOME_PAGE",
    "MOST_FILES",
    "NEVER_FETCHED",
    "STEPS",
    "AgendaEntry",
    "ArchiveBusy",
    "ArchiveError",
    "ArchiveEvent",
    "ArchiveTakenOver",
    "ArticleForm",
    "Batch",
    "DamagedRow",
    "EventKind",
    "FeedFacts",
    "FeedRecord",
    "FeedStanding",
    "FetchRecord",
    "Lease",
    "LinkRows",
    "Membership",
    "NoArchive",
    "NotMerged",
    "PageRecord",
    "PageState",
    "Problem",
    "ProvisionalArchive",
    "RecordPlace",
    "Repaired",
    "Reread",
    "Rereader",
    "ScheduledPage",
    "SourceRecord",
    "SourceStatus",
    "Status",
    "Store",
    "StoredArticle",
    "VerdictRecord",
    "VisitReason",
    "Writer",
    "export",
    "repair",
]
