"""An evaluation as one HTML file: the figures, and the worst pages line by line with each system's hits and errors.

The file has no scripts and loads nothing; content of pages is shown as text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

import numpy as np

from broadsheet.base.provenance import Provenance
from broadsheet.corpora._fields import Line, lines_of
from broadsheet.corpora.alignment import Bools
from broadsheet.corpora.evaluation_tables import MAIN
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.results import Result

#: Longer lines are truncated.
MAX_CHARACTERS = 300

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: .75rem 0 2rem; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .15rem .5rem; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.mark { text-align: center; white-space: nowrap; }
.right { background: #2a92; } .missed { background: #e902; } .wrong { background: #d332; }
.gap td { color: #888; font-style: italic; }
.url { color: #888; overflow-wrap: anywhere; }
"""

_MARKS = {
    (True, True): ("right", "✓"),
    (True, False): ("missed", "missed"),
    (False, True): ("wrong", "wrong"),
    (False, False): ("", ""),
}


def worst(results: Iterable[Result], size: int) -> list[str]:
    """Return the pages with the lowest mean F over all systems, worst first."""
    scores: dict[str, list[float]] = {}
    for result in results:
        scores.setdefault(result.page, []).append(result.overlaps[MAIN].score.f)
    return sorted(scores, key=lambda page: (sum(scores[page]) / len(scores[page]), page))[:size]


def render_report(
    rows: Sequence[Mapping[str, object]],
    pages: Sequence[LabelledPage],
    results: Iterable[Result],
    made_with: Provenance,
) -> Iterator[str]:
    """Yield the parts of the report: a table of systems, then the pages in the given order."""
    by_page: dict[str, list[Result]] = {}
    for result in results:
        by_page.setdefault(result.page, []).append(result)
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Evaluation</title>\n'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    yield f"<style>{_STYLE}</style></head><body>\n<h1>Evaluation</h1>\n"
    yield f"<p>Measured with {escape(str(made_with))}.</p>\n"
    yield from _table(rows)
    yield f"<h2>The {len(pages)} worst pages</h2>\n"
    yield "<p>A line is <span class=right>right</span>, <span class=missed>missed</span>"
    yield " or <span class=wrong>wrong</span>ly extracted; unmarked lines are neither article nor extracted.</p>\n"
    for page in pages:
        yield from _page(page, by_page.get(page.labels.id, []))
    yield "</body></html>\n"


def _table(rows: Sequence[Mapping[str, object]]) -> Iterator[str]:
    if not rows:
        return
    names = list(rows[0])
    yield "<table><thead><tr>"
    yield from (f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    yield "</tr></thead><tbody>\n"
    for row in rows:
        yield "<tr>" + "".join(_cell(row[name]) for name in names) + "</tr>\n"
    yield "</tbody></table>\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"<td class=number>{value:.3f}</td>"
    shown = "" if value is None else escape(str(value))
    return f"<td class=number>{shown}</td>" if isinstance(value, int) else f"<td>{shown}</td>"


def _page(page: LabelledPage, results: Sequence[Result]) -> Iterator[str]:
    truth = Truth.from_page(page)
    size = len(truth.document.pieces)
    extracted = {result.system: _rows(result, size) for result in results}
    yield f'<h3>{escape(page.labels.id)}</h3>\n<p class="url"><bdi>{escape(page.labels.url or "")}</bdi></p>\n'
    yield "<table><thead><tr>"
    for result in results:
        failed = f"<br>failed: {escape(result.error)}" if result.error else ""
        yield f"<th>{escape(result.system)}<br>{result.overlaps[MAIN].score.f:.3f}{failed}</th>"
    yield "<th>line</th></tr></thead><tbody>\n"
    skipped = 0
    for line in lines_of(truth.document):
        marks = [_mark(truth.labelled.body.pieces, rows, line) for rows in extracted.values()]
        if not any(name for name, _ in marks):
            skipped += 1
            continue
        yield from _gap(skipped, len(marks))
        skipped = 0
        cells = "".join(f'<td class="mark {name}">{sign}</td>' for name, sign in marks)
        text = " ".join(line.text.split())
        shown = text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + " …"
        yield f"<tr>{cells}<td><bdi>{escape(shown)}</bdi></td></tr>\n"
    yield from _gap(skipped, len(extracted))
    yield "</tbody></table>\n"


def _gap(lines: int, columns: int) -> Iterator[str]:
    if lines:
        yield f"<tr class=gap><td colspan={columns}></td><td>{lines:,} other lines</td></tr>\n"


def _rows(result: Result, size: int) -> Bools:
    rows = np.zeros(size, np.bool_)
    for first, end in result.took:
        rows[first:end] = True
    return rows


def _mark(body: Bools, extracted: Bools, line: Line) -> tuple[str, str]:
    """Return the style and mark of a line, by the majority of its pieces."""
    pieces = slice(line.first, line.end)
    return _MARKS[bool(body[pieces].mean() >= 0.5), bool(extracted[pieces].mean() >= 0.5)]
