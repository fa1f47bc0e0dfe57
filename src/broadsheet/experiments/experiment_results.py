"""What an experiment found: tables, plots and every figure, written as Markdown, SVG and JSON."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from broadsheet.base.provenance import Provenance

Cell = str | int | float | None

#: Figures that are no counts are shown with so many digits.
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Rows of figures under one title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        """Refuse a row that has not a cell for every column."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: {len(row)} cells for {len(self.columns)} columns")

    def to_dicts(self) -> list[dict[str, Cell]]:
        """Return the rows by column, in plain types."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_markdown(self) -> Iterator[str]:
        """Give the lines of the table; columns of numbers stand right."""
        numeric = [all(not isinstance(row[at], str) for row in self.rows) for at in range(len(self.columns))]
        yield f"| {' | '.join(map(_escaped, self.columns))} |"
        yield f"|{'|'.join('---:' if is_numeric else '---' for is_numeric in numeric)}|"
        for row in self.rows:
            yield f"| {' | '.join(map(shown, row))} |"


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, the name of its file without the ending, and what it shows."""

    name: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResults:
    """All that an experiment found."""

    name: str
    title: str
    #: What was done, on which pages, and what is to be known about it: a paragraph each.
    remarks: tuple[str, ...]
    tables: tuple[ResultTable, ...]
    plots: tuple[Plot, ...] = ()
    #: Everything else that was measured, in plain types.
    figures: Mapping[str, object] = field(default_factory=dict)

    def to_dict(self, day: date, made_with: Provenance) -> dict[str, object]:
        """Return every figure in plain types, and what it was measured with."""
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
        """Return the remarks, tables and plots as one document."""
        lines = [f"# {self.title}", "", f"{day.isoformat()}, measured with {made_with}.", ""]
        for remark in self.remarks:
            lines += [remark, ""]
        for table in self.tables:
            lines += [f"## {table.title}", "", *table.to_markdown(), ""]
        for plot in self.plots:
            lines += [f"![{_escaped(plot.caption)}]({plot.name}.svg)", ""]
        return "\n".join(lines)


def write(findings: ExperimentResults, folder: Path, day: date, made_with: Provenance) -> list[Path]:
    """Write `results.json`, `results.md` and one file per plot into a folder, and return what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "results.json": to_json(findings, day, made_with),
        "results.md": findings.to_markdown(day, made_with),
        **{f"{plot.name}.svg": plot.svg for plot in findings.plots},
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def to_json(findings: ExperimentResults, day: date, made_with: Provenance) -> str:
    """Return every figure as JSON."""
    return json.dumps(findings.to_dict(day, made_with), ensure_ascii=False, indent=1) + "\n"


def shown(cell: Cell) -> str:
    """Return a cell as people read it: counts with commas, other numbers with three digits."""
    if isinstance(cell, float):
        return f"{cell:.{_DIGITS}f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return _escaped(cell or "")


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
