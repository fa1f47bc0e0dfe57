"""What a crawl and `status` say of sources and pages that failed, in rows and in lines to read."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from broadsheet.base import events
from broadsheet.base.incident import Incident
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import clean


def missed(failures: Mapping[str, int], skips: Mapping[str, int], examples: Iterable[Incident]) -> dict[str, object]:
    """Return the columns that say how many pages failed and were skipped, why, and one example of each reason."""
    return {
        events.FAILED: sum(failures.values()),
        "failures": dict(failures),
        events.SKIPPED: sum(skips.values()),
        "skips": dict(skips),
        "examples": [example.told() for example in examples],
    }


def failing_rows(failing: Mapping[str, Incident]) -> list[dict[str, str]]:
    """Return the sources whose home page did not come, with the reason and what can be done about it."""
    return [{"source": source, **incident.told()} for source, incident in failing.items()]


def show(console: Console, failures: Mapping[str, int], skips: Mapping[str, int], examples: Iterable[Incident]) -> None:
    """Write one paragraph for each reason, the most frequent first, where a person reads."""
    by_reason = {str(example.reason): example for example in examples}
    for event, counts in ((events.FAILED, failures), (events.SKIPPED, skips)):
        for reason, number in sorted(counts.items(), key=lambda pair: -pair[1]):
            example = by_reason.get(reason)
            # What was left out on purpose needs no advice.
            said = "" if example is None else example.line() if event == events.FAILED else example.url
            paragraph(console, f"{event}: {reason} ({number:,})" + (f", such as {said}" if said else ""))


def paragraph(console: Console, text: str) -> None:
    """Write a text in as many lines as it takes, where a person reads."""
    for line in _wrapped(clean(text), console.width):
        console.text(line)


def _wrapped(text: str, width: int) -> Iterator[str]:
    yield from textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
