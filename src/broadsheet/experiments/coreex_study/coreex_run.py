"""The run: every page under every setting, the constants chosen on some sites and judged on others."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from broadsheet.corpora.labelled_page import LabelledPage, PageLabels, Split
from broadsheet.corpora.results import digest
from broadsheet.experiments.coreex_study.coreex_report import findings
from broadsheet.experiments.coreex_study.grid import REPEATS, SETTINGS, GridMeasurements, measure
from broadsheet.experiments.coreex_study.judged import JudgedPage
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults
from broadsheet.experiments.journal import Journal
from broadsheet.experiments.labelled import LabelledPages, labelled_pages
from broadsheet.experiments.spreading import spread

NAME = "coreex"
HELP = "CoreEx: its constants by a grid, then precision, recall and time, word-weighted and by node"

#: The paper, too, chose its constants on 500 pages; all others of ours are judged on.
SIZES: dict[Split, int | None] = {"train": 500, "dev": None}


def run(context: Context) -> ExperimentResults:
    """Measure the pages that are not measured yet, and report on all."""
    pages = labelled_pages(context, SIZES)
    with Journal(context.folder / "pages.jsonl", _conditions()) as journal:
        if journal.replaced:
            context.say("what is in the folder was measured by other code: all pages are measured again")
        _measure(context, pages, journal)
        judged = list(_judged(context, pages, journal))
    return findings(judged, pages.origin)


def _measure(context: Context, pages: LabelledPages, journal: Journal) -> None:
    """Measure what is missing, in as many processes as there may be."""

    def missing() -> Iterator[LabelledPage]:
        sources = pages.read(pages.chosen, context.counters)
        for _, page in zip(context.track(pages.chosen), sources, strict=False):
            known = journal.known.get(page.labels.id)
            if known is None or known["digest"] != digest(page):
                digests[page.labels.id] = digest(page)
                yield page

    digests: dict[str, str] = {}
    for outcome in spread(measure, missing(), context.workers):
        journal.append(outcome.page, {"digest": digests[outcome.page], **outcome.row})


def _judged(context: Context, pages: LabelledPages, journal: Journal) -> Iterator[JudgedPage]:
    """Give the chosen pages with their figures, always in the same order; those without are counted."""
    for labels in sorted(pages.chosen, key=_by_id):
        row = journal.known.get(labels.id)
        if row is None:
            # A page that is not there was counted when it was looked for.
            continue
        if reason := row.get("left_out"):
            context.counters.count("left out", reason)
        else:
            yield JudgedPage(labels, GridMeasurements.from_row(row))


def _by_id(labels: PageLabels) -> str:
    return labels.id


def _conditions() -> dict[str, object]:
    """Return what the figures depend on besides the pages: settings, and the code that measures and reads."""
    package = Path(__file__).parents[2]
    rooms = [package / room for room in ("base", "document", "reading", "corpora")]
    files = sorted(path for room in [*rooms, Path(__file__).parent] for path in room.rglob("*.py"))
    code = sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:16]
    return {"experiment": NAME, "settings": len(SETTINGS), "repeats": REPEATS, "code": code}
