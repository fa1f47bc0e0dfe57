"""How `crawl` and `status` report failed and skipped pages, as columns and as text."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from broadsheet.base import counter_names
from broadsheet.base.incident import Incident
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import clean


def failure_columns(
    failures: Mapping[str, int], skips: Mapping[str, int], examples: Iterable[Incident]
) -> dict[str, object]:
    """Return columns with the numbers of failed and skipped pages, by reason, and one example of each reason."""
    return {
        counter_names.FAILED: sum(failures.values()),
        "failures": dict(failures),
        counter_names.SKIPPED: sum(skips.values()),
        "skips": dict(skips),
        "examples": [example.told() for example in examples],
    }


def failing_rows(failing: Mapping[str, Incident]) -> list[dict[str, str]]:
    """Return the sources whose home page could not be fetched, with the reason and a suggested fix."""
    return [{"source": source, **incident.told()} for source, incident in failing.items()]


def show(console: Console, failures: Mapping[str, int], skips: Mapping[str, int], examples: Iterable[Incident]) -> None:
    """Write one paragraph per reason, most frequent first, on a terminal."""
    by_reason = {str(example.reason): example for example in examples}
    for event, counts in ((counter_names.FAILED, failures), (counter_names.SKIPPED, skips)):
        for reason, number in sorted(counts.items(), key=lambda pair: -pair[1]):
            example = by_reason.get(reason)
            # Pages are skipped on purpose, so no fix is suggested.
            detail = "" if example is None else example.line() if event == counter_names.FAILED else example.url
            paragraph(console, f"{event}: {reason} ({number:,})" + (f", such as {detail}" if detail else ""))


def paragraph(console: Console, text: str) -> None:
    """Write a text on a terminal, wrapped to its width."""
    for line in _wrapped(clean(text), console.width):
        console.text(line)


def _wrapped(text: str, width: int) -> Iterator[str]:
    yield from textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
