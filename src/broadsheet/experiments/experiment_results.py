"""The results of an experiment: tables, plots and figures, written as Markdown, SVG and JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from broadsheet.base.provenance import Provenance

Cell = str | int | float | None

#: Decimals of figures that are not counts.
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A titled table of figures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        """Refuse a row with too few or too many cells."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: {len(row)} cells for {len(self.columns)} columns")

    def to_dicts(self) -> list[dict[str, Cell]]:
        """Return the rows as dictionaries by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_markdown(self) -> Iterator[str]:
        """Yield the lines of the table; columns of numbers are right-aligned."""
        indices = range(len(self.columns))
        numeric = [all(not isinstance(row[index], str) for row in self.rows) for index in indices]
        yield f"| {' | '.join(map(_escape, self.columns))} |"
        yield f"|{'|'.join('---:' if is_numeric else '---' for is_numeric in numeric)}|"
        for row in self.rows:
            yield f"| {' | '.join(map(format_cell, row))} |"


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, with the name of its file without suffix and its caption."""

    name: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResults:
    """All results of an experiment."""

    name: str
    title: str
    #: Paragraphs on what was done, on which pages, and how to read the figures.
    remarks: tuple[str, ...]
    tables: tuple[ResultTable, ...]
    plots: tuple[Plot, ...] = ()
    #: All other figures, as JSON-compatible types.
    figures: Mapping[str, object] = field(default_factory=dict)
    #: What `--json` writes, if not all figures: one object per row.
    rows: Sequence[Mapping[str, Cell]] | None = None

    def to_dict(self, day: date, made_with: Provenance) -> dict[str, object]:
        """Return every figure, and the code and models behind it, as JSON-compatible types."""
        return {
            "experiment": self.name,
            "date": day.isoformat(),
            "made_with": made_with.to_dict(),
            "title": self.title,
            "remarks": list(self.remarks),
            "tables": {table.title: table.to_dicts() for table in self.tables},
            **self.figures,
        }

    def to_markdown(self, day: date, made_with: Provenance) -> str:
        """Return remarks, tables and plots as one document."""
        lines = [f"# {self.title}", "", f"{day.isoformat()}, measured with {made_with}.", ""]
        for remark in self.remarks:
            lines += [remark, ""]
        for table in self.tables:
            lines += [f"## {table.title}", "", *table.to_markdown(), ""]
        for plot in self.plots:
            lines += [f"![{_escape(plot.caption)}]({plot.name}.svg)", ""]
        return "\n".join(lines)


def write(results: ExperimentResults, folder: Path, day: date, made_with: Provenance) -> list[Path]:
    """Write `results.json`, `results.md` and one file per plot into a folder, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "results.json": to_json(results, day, made_with),
        "results.md": results.to_markdown(day, made_with),
        **{f"{plot.name}.svg": plot.svg for plot in results.plots},
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def to_json(results: ExperimentResults, day: date, made_with: Provenance) -> str:
    """Return every figure as JSON."""
    return json.dumps(results.to_dict(day, made_with), ensure_ascii=False, indent=1) + "\n"


def rows_or_all(results: ExperimentResults, day: date, made_with: Provenance) -> str:
    """Return the rows of results that have some as a JSON list, else every figure."""
    if results.rows is None:
        return to_json(results, day, made_with)
    return json.dumps(list(map(dict, results.rows)), ensure_ascii=False, indent=1) + "\n"


def format_cell(cell: Cell) -> str:
    """Format a cell: counts with commas, other numbers with three decimals."""
    if isinstance(cell, float):
        return f"{cell:.{_DIGITS}f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return _escape(cell or "")


def _escape(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
