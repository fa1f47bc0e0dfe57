"""Live blogs: the timed entries of a page that is still being written."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

import numpy as np

from broadsheet.base import urls
from broadsheet.base.records import Entry, Label, Reading
from broadsheet.document import Document
from broadsheet.document.metadata import TimeElement
from broadsheet.document.metadata.collector import clean
from broadsheet.document.metadata.things import first_text, iter_values
from broadsheet.reading._stated_text import to_plain_text
from broadsheet.reading._timed_blocks import CLOCK, PieceSpan, find_stated_blocks, find_timed_blocks
from broadsheet.reading.facts._machine_dates import read_iso
from broadsheet.reading.paragraphs import Labels, in_headings, to_paragraphs

#: A page with fewer entries is not a live blog; entries beyond the maximum are dropped.
MIN_ENTRIES, MAX_ENTRIES = 2, 1_000
#: JSON-LD objects searched for updates, and characters in the text of one update.
MAX_OBJECTS, MAX_TEXT = 200, 100_000
#: The title of an entry is among its first blocks.
TITLE_WITHIN = 2
#: A line with a time and no more than this many other words, such as a name or a zone, only states the time.
FEW_WORDS = 4

_AROUND = " \t\n:|-\u2013\u2014,;\u2022\u00b7"
_UPDATES = "liveBlogUpdate"


class LiveBlog(NamedTuple):
    """The entries of a live blog in page order, and where they come from."""

    entries: tuple[Entry, ...]
    evidence: str


def find_live_blog(document: Document, reading: Reading) -> LiveBlog | None:
    """Return the entries in a page's metadata or text, or None if it is not a live blog."""
    _, stated = max(_stated(document), key=lambda blog: (blog[0], len(blog[1])), default=(False, ()))
    if stated:
        return LiveBlog(stated, f"json-ld {_UPDATES}")
    for spans, evidence in (
        (find_stated_blocks(document), f"microdata {_UPDATES}"),
        (find_timed_blocks(document, reading), "repeated blocks that begin with a time"),
    ):
        entries = tuple(_shown(document, reading, spans[:MAX_ENTRIES]))
        if len(entries) >= MIN_ENTRIES:
            return LiveBlog(entries, evidence)
    return None


def _stated(document: Document) -> Iterator[tuple[bool, tuple[Entry, ...]]]:
    """Yield the entries of each JSON-LD object with enough of them, and whether it describes this page."""
    for thing in document.metadata.json_ld[:MAX_OBJECTS]:
        if _UPDATES not in thing:
            continue
        updates = islice(iter_values(thing[_UPDATES]), MAX_ENTRIES)
        entries = tuple(entry for update in updates if (entry := _stated_entry(update)))
        if len(entries) >= MIN_ENTRIES:
            address = first_text(dict(thing), "url", "@id") or ""
            key = urls.key(urls.resolve(address, document.base_url) or address)
            yield key in _own_keys(document), entries


def _own_keys(document: Document) -> set[str]:
    """Return the keys of the page's own URLs."""
    canonical = (value.value for value in document.metadata.canonical[:1])
    return {urls.key(address) for address in (document.url, *canonical) if address}


def _stated_entry(update: object) -> Entry | None:
    """Turn a JSON-LD update into an entry; return None if it has no text."""
    if not isinstance(update, Mapping):
        return None
    stated = dict(update)
    title = clean(first_text(stated, "headline", "name") or "") or None
    text = to_plain_text((first_text(stated, "articleBody", "text", "description") or "")[:MAX_TEXT])
    if not title and not text:
        return None
    raw = first_text(stated, "datePublished", "dateCreated", "dateModified")
    moment = read_iso(raw) if raw else None
    return Entry(moment.time if moment else None, title, text, raw)


def _shown(document: Document, reading: Reading, spans: list[PieceSpan]) -> Iterator[Entry]:
    """Yield the entries in some slices of the page, leaving out empty ones."""
    if not spans:
        return
    is_text = np.isin(reading.labels, (Label.BODY, Label.HEADING))
    kinds = np.where(in_headings(document), np.int8(Label.HEADING), np.int8(Label.BODY))
    times = {int(document.nodes.piece_start[time.node]): time for time in reversed(document.metadata.times)}
    for span in spans:
        labels = np.zeros(len(kinds), np.int8)
        # Text that the reader rejected stays out, unless it rejected the whole entry.
        chosen = is_text[span.start : span.end]
        labels[span.start : span.end] = kinds[span.start : span.end] * (chosen if chosen.any() else 1)
        time = next((times[piece] for piece in range(span.start, span.end) if piece in times), None)
        if time is not None:
            labels[document.nodes.piece_start[time.node] : document.nodes.piece_end[time.node]] = Label.GARBAGE
        entry = _shown_entry(document, labels, time)
        if entry.title or entry.text:
            yield entry


def _shown_entry(document: Document, labels: Labels, time: TimeElement | None) -> Entry:
    parts = [(paragraph.label, paragraph.text) for paragraph in to_paragraphs(document, labels)]
    raw = _cut_clock(parts) if time is None else time.text or time.datetime
    moment = read_iso(time.datetime) if time is not None and time.datetime else None
    headings = [index for index, (label, _) in enumerate(parts[:TITLE_WITHIN]) if label == Label.HEADING]
    title = parts.pop(headings[0])[1] if headings else None
    return Entry(moment.time if moment else None, title, "\n\n".join(text for _, text in parts), raw)


def _cut_clock(parts: list[tuple[Label, str]]) -> str | None:
    """Remove the time of day from the beginning of an entry's parts, with its line if that has little else."""
    for index, (label, text) in enumerate(parts[:TITLE_WITHIN]):
        if clock := CLOCK.match(text):
            rest = text[clock.end() :]
            is_alone = label != Label.HEADING and len(rest.split()) <= FEW_WORDS and len(parts) > 1
            parts[index : index + 1] = [(label, rest)] if rest and not is_alone else []
            return text if is_alone else clock[0].strip(_AROUND)
    return None
