"""`broadsheet why ARCHIVE URL`: tell why a page is in an archive or why it is not."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.crawl_report import paragraph
from broadsheet.cli.text_table import clean

if TYPE_CHECKING:
    from broadsheet.archive import FrontRecord, LinkingPage, PageHistory

FORMATS = ("text", "jsonl")
_EXAMPLES = """\
examples:
  broadsheet why news https://news.example/story            why it is archived, or why it is not
  broadsheet why news news.example/story -f jsonl           everything as one JSON object, as when piped
  broadsheet why news https://news.example/story | jq -r .summary
"""
#: More visits, links and events than these are only counted in the text.
_SHOWN = 10


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the page and the output format."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("url", metavar="URL", help="the address of the page")
    parser.add_argument("-f", "--format", choices=FORMATS, help="output format (default: text, or jsonl when piped)")


def execute(args: Namespace, console: Console) -> int:
    """Write what is known of the page."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    if len(args.url.split()) != 1:
        raise UsageError(f"{args.url!r} is not an address; give that of a page, such as https://news.example/story")
    with Store.open(args.archive) as archive:
        history = archive.why(args.url)
    form = args.format or ("text" if console.is_terminal else "jsonl")
    if form == "jsonl":
        console.stdout.write(json.dumps(history.to_dict(), ensure_ascii=False) + "\n")
        return exits.DONE
    for line in _lines(history):
        if console.is_terminal:
            paragraph(console, line)
        else:
            console.stdout.write(clean(line) + "\n")
    return exits.DONE


def _lines(history: "PageHistory") -> Iterator[str]:
    """Yield a paragraph for each thing that is known, the conclusion first."""
    yield f"{history.url}: {history}"
    yield from _finding(history)
    yield from _judging(history)
    yield from _fetching(history)
    yield from _keeping(history)
    if history.page is None:
        yield from _placing(history)


def _finding(history: "PageHistory") -> Iterator[str]:
    for member in history.members:
        anchor = f' as "{member.anchor}"' if member.anchor else ""
        yield f"found: for {member.source} on {_time(member.first_seen)}, on {member.found_on}{anchor}"
    for link in history.links[:_SHOWN]:
        anchors = "".join(f', "{anchor}"' for anchor in link.anchors[:2])
        yield f"linked: on {link.page} {_seen(link)}{anchors}"
    if len(history.links) > _SHOWN:
        yield f"linked: on {len(history.links) - _SHOWN:,} more pages"
    if not history.all_links:
        yield "linked: the archive has more link occurrences than were searched, so this list may be incomplete"


def _seen(link: "LinkingPage") -> str:
    if link.visits == 1:
        return f"at {_time(link.first_seen)}, in one visit"
    return f"from {_time(link.first_seen)} to {_time(link.last_seen)}, in {link.visits:,} visits"


def _judging(history: "PageHistory") -> Iterator[str]:
    judged = history.page.judged if history.page else None
    if judged is not None:
        verdict = judged.verdict
        kind = f"{verdict.kind} ({verdict.subtype})" if verdict.subtype else verdict.kind
        reasons = f": {'; '.join(verdict.reasons)}" if verdict.reasons else ""
        yield f"judged: {kind}, p={verdict.probability:.2f}, by {verdict.model} on {_time(judged.at)}{reasons}"
        for name, found in judged.evidence.items():
            yield f"evidence: {name} gives {_shares(found)}"


def _fetching(history: "PageHistory") -> Iterator[str]:
    for visit in history.visits[-_SHOWN:]:
        same = f", the same content as visit {visit.same_as}" if visit.same_as is not None else ""
        what = f"status {visit.status}, {visit.bytes:,} bytes{same}"
        why = f" ({visit.why})" if visit.why else ""
        yield f"fetched: {_time(visit.at)}{why}: {what}"
    if len(history.visits) > _SHOWN:
        unchanged = sum(visit.same_as is not None for visit in history.visits)
        yield f"fetched: {len(history.visits):,} times in all, {unchanged:,} of them unchanged"
    removed = sum(not visit.is_kept for visit in history.visits)
    if removed:
        yield f"removed: the responses of {removed:,} of {len(history.visits):,} visits, by a keep rule"
    if history.visits_removed_before is not None:
        moment = _time(history.visits_removed_before)
        yield f"removed: the rows of visits before {moment} of which nothing was left, by a keep rule"
    if history.page is not None and history.page.fetch.attempts:
        yield f"failed: {history.page.fetch.attempts:,} attempts since it was last fetched"
    for incident in history.incidents:
        yield f"{incident.reason.event}: {incident.reason} on {_time(incident.at)}: {incident.detail}"


def _keeping(history: "PageHistory") -> Iterator[str]:
    for version in history.versions:
        read = f", read by {version.model}" if version.model else ""
        title = version.title or "without a title"
        yield f"version {version.version}: {_time(version.fetched_at)}, {version.words:,} words{read}: {title}"
    if history.original is not None:
        yield f"original: {history.original.url}: {history.original}"
    if history.copies:
        yield f"copies: {', '.join(history.copies[:_SHOWN])}"
    for event in history.events[-_SHOWN:]:
        detail = "".join(f", {name}: {value}" for name, value in event.detail.items())
        yield f"event: {event.kind.value} on {_time(event.at)}{detail}"
    for front in history.fronts:
        yield f"front: for {front.source}, {_front(front)}"
    for entry in history.planned:
        again = f", every {entry.every:g} s" if entry.every is not None else ""
        yield f"planned: for {entry.source} on {_time(entry.due)} ({entry.reason.value}){again}"


def _front(front: "FrontRecord") -> str:
    """Say what the visits to a front have shown, and what set its pace."""
    if front.left_at is not None:
        return f"given up on {_time(front.left_at)}: {front.left_because}"
    missed = "" if front.expected_missed is None else f", {front.expected_missed:.2f} a day expected to be missed"
    gaps = f", {front.gaps:,} gaps, the last on {_time(front.last_gap)}" if front.last_gap else ", no gap"
    return f"{front.articles:,} articles listed{missed}{gaps}; its pace was set by {front.set_by or 'default'}"


def _placing(history: "PageHistory") -> Iterator[str]:
    for source in history.sources:
        yield f"source: {source.key} ({source.state}) has its home page at {source.url}"
    for reason, number in history.dropped.items():
        yield f"left out by its source: {reason} ({number:,})"
    for key in history.near:
        yield f"near: {key}"


def _shares(found: Mapping[str, float]) -> str:
    return ", ".join(f"{kind} {share:.2f}" for kind, share in sorted(found.items(), key=lambda pair: -pair[1]))


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"
