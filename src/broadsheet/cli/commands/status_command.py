"""`broadsheet status ARCHIVE`: summarise an archive by source, with its writer and disk usage."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.base.keep_rules import RESPONSE_KINDS
from broadsheet.cli import exits
from broadsheet.cli.console import Console
from broadsheet.cli.crawl_report import failure_columns, paragraph, show
from broadsheet.cli.health_check import check_health
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import Status

_EXAMPLES = """\
examples:
  broadsheet status news                          one row per source, the totals, and who is writing
  broadsheet status news --check                  late, failing and silent sources; for a monitor
  broadsheet status news | jq '.source, .articles_by_day'      articles archived on each of the last 14 days
  broadsheet status news | jq .failures           what failed, by reason
  broadsheet status news | jq .failing            the sources that cannot be reached, and what to do
"""
_COLUMNS = (
    *("source", "state", "phase", "sections", "late", "articles", "last_days", "a_day"),
    *("queued", "304s", "failed"),
)
#: Left out one after the other where the terminal is too narrow for all.
_SPARE = ("304s", "queued", "last_days", "a_day")
_SUMMED = (
    *("snapshots", "sections", "late", "articles", "versions", "queued", "visits", "not_modified", "requests", "bytes"),
)
_BARS = "▁▂▃▄▅▆▇█"


def configure(parser: ArgumentParser) -> None:
    """Declare the archive."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument(
        "--check", action="store_true", help="only name late, failing and silent sources; exit with 1 if there are any"
    )


def execute(args: Namespace, console: Console) -> int:
    """Write one row per source, and one with the totals."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        if args.check:
            return check_health(archive, console)
        status = archive.status()
    rows = list(_rows(status))
    console.rows([*rows, _total(rows, status)], _COLUMNS, spare=_SPARE)
    console.text()
    show(console, status.failures, status.skips, status.examples)
    for entry in status.sources:
        if entry.failing is not None:
            paragraph(console, f"failing: {entry.failing.line()}")
    for line in (_cost_line(status), *_removal_lines(status), _state_line(status)):
        console.text(line)
    return exits.DONE


def _rows(status: "Status") -> Iterator[Row]:
    for entry in status.sources:
        source = entry.source
        yield {
            "source": source.key,
            "name": source.name,
            "url": source.url,
            "state": source.state,
            "phase": source.phase.phase.value,
            "phase_since": source.phase_since.isoformat(),
            "phase_because": source.phase.reason,
            "phase_evidence": dict(source.phase.evidence),
            "snapshots": source.snapshots,
            "next_snapshot": entry.next_snapshot and entry.next_snapshot.isoformat(),
            "sections": entry.sections,
            "late": entry.late,
            "articles": entry.articles,
            "versions": entry.versions,
            "articles_by_day": list(entry.articles_by_day),
            "last_days": sparkline(entry.articles_by_day),
            "a_day": round(entry.articles_a_day, 1),
            "queued": entry.queued,
            "planned": dict(entry.planned),
            "visits": entry.visits,
            "not_modified": entry.not_modified,
            "304s": _percent(entry.not_modified, entry.visits),
            "requests": entry.requests,
            "requests_each": _rounded(entry.per_article(entry.requests)),
            "bytes": entry.bytes,
            "bytes_each": _rounded(entry.per_article(entry.bytes)),
            **failure_columns(entry.failures, entry.skips, entry.examples),
            "failing": entry.failing and entry.failing.told(),
            "keep": source.settings.keep,
            "removed": {
                kind: {"number": removed.number, "bytes": removed.bytes, "before": removed.before.isoformat()}
                for kind, removed in entry.removed.items()
            },
            "pages": {kind: dict(states) for kind, states in entry.pages.items()},
        }


def _total(rows: list[Row], status: "Status") -> Row:
    sums = {name: sum(number for row in rows if isinstance(number := row[name], int)) for name in _SUMMED}
    holder = status.holder
    days = [sum(numbers) for numbers in zip(*(entry.articles_by_day for entry in status.sources), strict=True)]
    return {
        "source": "all",
        **sums,
        "articles_by_day": days,
        "last_days": sparkline(days),
        "a_day": round(sum(entry.articles_a_day for entry in status.sources), 1),
        "304s": _percent(sums["not_modified"], sums["visits"]),
        "requests_each": _rounded(sums["requests"] / sums["articles"] if sums["articles"] else None),
        "bytes_each": _rounded(sums["bytes"] / sums["articles"] if sums["articles"] else None),
        # Not from the rows: a failure may belong to no source.
        **failure_columns(status.failures, status.skips, status.examples),
        "disk": dict(status.disk),
        "commits": status.commits,
        "last_commit": status.last_commit and status.last_commit.isoformat(),
        "writer": holder
        and {"host": holder.host, "pid": holder.pid, "since": holder.acquired.isoformat(timespec="seconds")},
    }


def sparkline(numbers: Sequence[int]) -> str:
    """Draw numbers as bars, the largest one in full height; a day without anything has a dot."""
    top = max(numbers, default=0)
    return "".join(_BARS[(number * len(_BARS) - 1) // top] if number else "·" for number in numbers)


def _percent(part: int, whole: int) -> str | None:
    return f"{part / whole:.0%}" if whole else None


def _rounded(number: float | None) -> float | int | None:
    return None if number is None else round(number, 1) if number < 100 else round(number)


def _cost_line(status: "Status") -> str:
    articles = sum(entry.articles for entry in status.sources) or 1
    requests = sum(entry.requests for entry in status.sources)
    received = sum(entry.bytes for entry in status.sources)
    return f"{requests / articles:,.1f} requests and {received / articles:,.0f} bytes per article"


def _removal_lines(status: "Status") -> Iterator[str]:
    every = [(kind, removed) for entry in status.sources for kind, removed in entry.removed.items()]
    if every:
        links = sum(removed.number for kind, removed in every if kind == "links")
        responses = sum(removed.number for kind, removed in every if kind in RESPONSE_KINDS)
        total = sum(removed.bytes for _, removed in every)
        visits = sum(removed.number for kind, removed in every if kind == "visits")
        rows = f" and {visits:,} rows of visits" if visits else ""
        yield f"keep rules have removed {responses:,} responses and {links:,} links{rows}, about {total:,} bytes"


def _state_line(status: "Status") -> str:
    disk = f"{sum(status.disk.values()):,} bytes on disk"
    last = f"last commit {status.last_commit:%Y-%m-%d %H:%M:%S} UTC" if status.last_commit else "nothing committed yet"
    holder = status.holder
    writing = f"process {holder.pid} on {holder.host} is writing" if holder else "no process is writing"
    return f"{disk}; {last}; {writing}"
