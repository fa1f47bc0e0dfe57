"""What is kept: the catalogue, WARC files, visits and link occurrences, and the articles."""

from broadsheet.archive.archive_errors import (
    ArchiveBusy,
    ArchiveError,
    ArchiveTakenOver,
    DamagedRow,
    NoArchive,
    NotMerged,
)
from broadsheet.archive.archive_records import LinkRows, PageRecord, PageState, RecordPlace, SourceRecord, StoredArticle
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
    "STEPS",
    "ArchiveBusy",
    "ArchiveError",
    "ArchiveTakenOver",
    "Batch",
    "DamagedRow",
    "Lease",
    "LinkRows",
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
    "SourceRecord",
    "SourceStatus",
    "Status",
    "Store",
    "StoredArticle",
    "Writer",
    "repair",
]
