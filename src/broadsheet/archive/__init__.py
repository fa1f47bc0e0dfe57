"""What is kept: the catalogue, WARC files, visits and link occurrences, and the articles.

Other packages import only what `__all__` lists. What needs SQLAlchemy or Arrow is loaded when it is first asked for:
the processes that read pages know the records of an archive, but never open one.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from broadsheet.archive.archive_errors import (
    ArchiveBusy,
    ArchiveError,
    ArchiveTakenOver,
    DamagedRow,
    NoArchive,
    NotMerged,
)
from broadsheet.archive.article_changes import ArticleChange, article_change
from broadsheet.archive.article_json import ArticleForm
from broadsheet.archive.article_records import NearDuplicate, RecordPlace, StoredArticle
from broadsheet.archive.event_records import DEPARTURES, ArchiveEvent, EventKind, RereadRecord, Tombstone
from broadsheet.archive.front_records import (
    FOUND_IN_ROBOTS,
    USUAL_DEPTH,
    FeedRecord,
    FeedStanding,
    FrontRecord,
    OpenLook,
)
from broadsheet.archive.link_rows import LinkRows
from broadsheet.archive.page_history import LinkingPage, PageHistory, RecordedVisit, VersionSummary
from broadsheet.archive.page_records import (
    NEVER_FETCHED,
    PRIORITIES,
    AgendaEntry,
    FeedFacts,
    FetchRecord,
    Membership,
    PageRecord,
    PageState,
    ScheduledPage,
    VerdictRecord,
    VisitReason,
)
from broadsheet.archive.problem import Problem
from broadsheet.archive.source_records import (
    LACKING,
    Order,
    OrderKind,
    Phase,
    PhaseRecord,
    ScriptNeed,
    SourceRecord,
    SourceState,
)

if TYPE_CHECKING:
    from broadsheet.archive.arrow_memory import returned_memory
    from broadsheet.archive.article_versions import LastChange
    from broadsheet.archive.batch import Batch
    from broadsheet.archive.forgetting import ForgetPlan
    from broadsheet.archive.incidents import HOME_PAGE
    from broadsheet.archive.keep_ages import KeepRules
    from broadsheet.archive.lease import Lease
    from broadsheet.archive.merge_policy import MAX_FILES
    from broadsheet.archive.provisional import ProvisionalArchive
    from broadsheet.archive.prunings import Pruning, PruningKey
    from broadsheet.archive.rebuilding import Reread, Rereader
    from broadsheet.archive.repairing import Repaired, repair
    from broadsheet.archive.reread_candidates import RereadCandidate, RereadSelection
    from broadsheet.archive.size_limit import SizePressure
    from broadsheet.archive.status import SourceStatus, Status
    from broadsheet.archive.store import Store
    from broadsheet.archive.stored_graph import source_graph
    from broadsheet.archive.tidy_plan import Tidied, TidyPlan
    from broadsheet.archive.upkeep import Purged
    from broadsheet.archive.visit_counts import REQUESTS_KEPT
    from broadsheet.archive.writer import STEPS, Writer

_HOMES = {
    "HOME_PAGE": "incidents",
    "MAX_FILES": "merge_policy",
    "REQUESTS_KEPT": "visit_counts",
    "STEPS": "writer",
    "Batch": "batch",
    "ForgetPlan": "forgetting",
    "KeepRules": "keep_ages",
    "LastChange": "article_versions",
    "Lease": "lease",
    "ProvisionalArchive": "provisional",
    "Pruning": "prunings",
    "PruningKey": "prunings",
    "Purged": "upkeep",
    "Repaired": "repairing",
    "Reread": "rebuilding",
    "RereadCandidate": "reread_candidates",
    "RereadSelection": "reread_candidates",
    "Rereader": "rebuilding",
    "SizePressure": "size_limit",
    "SourceStatus": "status",
    "Status": "status",
    "Store": "store",
    "Tidied": "tidy_plan",
    "TidyPlan": "tidy_plan",
    "Writer": "writer",
    "repair": "repairing",
    "returned_memory": "arrow_memory",
    "source_graph": "stored_graph",
}

__all__ = [
    "DEPARTURES",
    "FOUND_IN_ROBOTS",
    "HOME_PAGE",
    "LACKING",
    "MAX_FILES",
    "NEVER_FETCHED",
    "PRIORITIES",
    "REQUESTS_KEPT",
    "STEPS",
    "USUAL_DEPTH",
    "AgendaEntry",
    "ArchiveBusy",
    "ArchiveError",
    "ArchiveEvent",
    "ArchiveTakenOver",
    "ArticleChange",
    "ArticleForm",
    "Batch",
    "DamagedRow",
    "EventKind",
    "FeedFacts",
    "FeedRecord",
    "FeedStanding",
    "FetchRecord",
    "ForgetPlan",
    "FrontRecord",
    "KeepRules",
    "LastChange",
    "Lease",
    "LinkRows",
    "LinkingPage",
    "Membership",
    "NearDuplicate",
    "NoArchive",
    "NotMerged",
    "OpenLook",
    "Order",
    "OrderKind",
    "PageHistory",
    "PageRecord",
    "PageState",
    "Phase",
    "PhaseRecord",
    "Problem",
    "ProvisionalArchive",
    "Pruning",
    "PruningKey",
    "Purged",
    "RecordPlace",
    "RecordedVisit",
    "Repaired",
    "Reread",
    "RereadCandidate",
    "RereadRecord",
    "RereadSelection",
    "Rereader",
    "ScheduledPage",
    "ScriptNeed",
    "SizePressure",
    "SourceRecord",
    "SourceState",
    "SourceStatus",
    "Status",
    "Store",
    "StoredArticle",
    "Tidied",
    "TidyPlan",
    "Tombstone",
    "VerdictRecord",
    "VersionSummary",
    "VisitReason",
    "Writer",
    "article_change",
    "export",
    "repair",
    "returned_memory",
    "source_graph",
]


def __getattr__(name: str) -> object:
    """Load a name that needs a database or Arrow."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
