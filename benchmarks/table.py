"""Aligned Markdown tables, readable on a terminal and ready for the documentation."""

from collections.abc import Sequence

from benchmarks.scaling import Scaling
from benchmarks.summary import Row


def of_rows(rows: Sequence[Row]) -> str:
    """Format the summary."""
    head = [
        "system",
        "version",
        "median ms",
        "mean ms",
        "p95 ms",
        "ratio",
        "ratio of medians",
        "errors",
        "peak MB",
    ]
    cells = [
        [
            row.name,
            row.version or "",
            _figure(row.median_ms, 3),
            _figure(row.mean_ms, 3),
            _figure(row.p95_ms, 3),
            _figure(row.ratio, 2),
            _figure(row.ratio_of_medians, 2),
            str(sum(row.errors.values())),
            _figure(row.peak_mb, 1),
        ]
        for row in rows
    ]
    return lay_out(head, cells, left=2)


def of_scaling(rows: Sequence[Scaling]) -> str:
    """Format the growth of time with size: nanoseconds per byte at each multiple, and the slope."""
    multiples = sorted({multiple for row in rows for multiple in row.ns_per_byte})
    head = [
        "system",
        *(f"\N{MULTIPLICATION SIGN} {multiple}" for multiple in multiples),
        "slope",
        "steepest",
        "errors",
    ]
    cells = [
        [
            row.name,
            *(_figure(row.ns_per_byte.get(multiple), 2) for multiple in multiples),
            _figure(row.slope, 2),
            _figure(row.steepest, 2),
            str(sum(row.errors.values())),
        ]
        for row in rows
    ]
    return lay_out(head, cells, left=1)


def lay_out(head: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Pad the cells to columns, the first `left` of them left-aligned and the others right-aligned."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    rule = ["-" * width if column < left else "-" * (width - 1) + ":" for column, width in enumerate(widths)]
    lines = []
    for row in [head, rule, *rows]:
        padded = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"| {' | '.join(padded)} |")
    return "\n".join(lines)


def _figure(value: float | None, digits: int) -> str:
    """Format a figure, or a dash if there is none."""
    return "\N{EN DASH}" if value is None else f"{value:,.{digits}f}"
