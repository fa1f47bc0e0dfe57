"""Files that no commit names: unfinished ones, and whole ones that may hold what the archive lacks."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from broadsheet.archive import scan, warc
from broadsheet.archive.durable_files import unfinished, unnamed
from broadsheet.archive.folder import lost
from broadsheet.archive.problem import Problem
from broadsheet.base import statuses, urls


@dataclass(frozen=True, slots=True)
class Holdings:
    """What an archive has: its visits by number, and their answers by address and digest; and what it must not have."""

    visits: Collection[int]
    answers: Collection[tuple[str, str]]
    forgotten: Collection[str] = ()


def leftovers(
    folder: Path, named: Collection[tuple[str, str]], holdings: Callable[[], Holdings], *, is_written_to: bool
) -> Iterator[Problem]:
    """Give all files that no commit names; those that hold what the archive lacks are problems.

    While somebody writes, files that are not named yet are about to be.
    """
    aside: list[tuple[Path, str]] = []
    if not is_written_to:
        for path in unfinished(folder):
            what = "is an unfinished file of a writer that was killed; the next writer removes it"
            yield Problem(_where(folder, path), what, True)
        aside = [(path, "the next writer moves it to lost+found") for path in unnamed(folder, named)]
    aside += [(path, "it can be deleted") for path in lost(folder)]
    if not aside:
        return
    known = holdings()
    for path, fate in aside:
        missing = _answers(path, known) if path.parent.name == "warc" else _visits(path, known)
        if missing:
            what = (
                f"contains {missing} but is not part of any commit; `broadsheet repair` recovers what the archive lacks"
            )
            yield Problem(_where(folder, path), what)
        else:
            yield Problem(_where(folder, path), f"contains nothing that the archive lacks; {fate}", True)


def _answers(path: Path, known: Holdings) -> str:
    number = 0
    for found in scan.records(path):
        headers = found.record.headers
        answer = headers.get("warc-target-uri", ""), headers.get("warc-payload-digest", "")
        # What a revisit repeats is in another record, and a redirect is not an answer of its own.
        is_missing = answer not in known.answers and urls.key(answer[0]) not in known.forgotten
        if found.record.type == "response" and is_missing:
            number += warc.exchange(found.record, None).status not in statuses.NOT_THE_PAGE
    return _counted(number, "answer")


def _visits(path: Path, known: Holdings) -> str:
    try:
        table = pq.read_table(path, columns=["visit", "page"])
        visits = {
            visit
            for visit, page in zip(table["visit"].to_pylist(), table["page"].to_pylist(), strict=True)
            if page not in known.forgotten
        }
    except (pa.ArrowException, OSError):
        # Whatever it was, nothing can be brought back from it.
        return ""
    number = len(visits.difference(known.visits))
    return _counted(number, "visit")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}" if number else ""


def _where(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()
