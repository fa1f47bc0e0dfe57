"""The publication date of an article: days mentioned in metadata, URL and visible text, weighed by their signals."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._dates import read_dates
from broadsheet.reading.facts._machine_dates import Moment, read_epoch, read_iso
from broadsheet.reading.facts._relative import read_relative
from broadsheet.reading.facts._scene import NEAR, Place, Scene
from broadsheet.reading.facts._signal_weights import PUBLISHED

#: The maximum length of a line with a date, in characters, and the range of its number of digits.
MAX_LINE, LEAST_DIGITS, MOST_DIGITS = 160, 5, 40
#: The most lines, nearest to the title first, and `time` elements considered.
MAX_LINES, MAX_TIMES = 30, 20
#: Clocks differ, and a date without an offset may be in any time zone.
TOLERANCE = timedelta(days=1)

_STRONG = frozenset(("stated", "address", "near"))
_IN_ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_.-]?)(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)")


class Dated(NamedTuple):
    """A moment and the text it was read from."""

    moment: Moment
    text: str


DateMention = Mention[Dated]


def find_days(scene: Scene) -> list[Candidate[Dated]]:
    """Return the days on which an article may have been published, likeliest first."""
    dates = list(mentions(scene))
    modified = {dated.moment.time.date() for dated, _ in stated_modified(scene)}
    stated = {mention.key for mention in dates if "stated" in mention.signals}
    if stated:
        # The page states its publication date, so days that it states only as modification dates are ruled out.
        dates = [mention for mention in dates if mention.key in stated or mention.key not in modified]
    return pool(dates, PUBLISHED, _relations(scene, dates, stated))


def mentions(scene: Scene) -> Iterator[DateMention]:
    """Yield mentions of possible publication dates, without dates in the future.

    Visible text is read only if the metadata does not agree on one day, and lines far from title and text only if
    there is no better evidence.
    """
    dates = [*_stated(scene), *_address(scene)]
    if not _is_agreed(dates):
        dates += (*_times(scene), *_lines(scene, near=True))
    if all(_STRONG.isdisjoint(mention.signals) for mention in dates):
        dates += _lines(scene, near=False)
    for mention in dates:
        if scene.fetched_at is None or mention.value.moment.time <= scene.fetched_at + TOLERANCE:
            yield mention


def _is_agreed(stated: list[DateMention]) -> bool:
    """Tell whether several sources state the same day, and none another: visible text could not change the result."""
    return len({mention.key for mention in stated}) == 1 and len({mention.signals for mention in stated}) > 1


def stated_modified(scene: Scene) -> Iterator[tuple[Dated, str]]:
    """Yield the modification dates in the metadata, each with its source."""
    for value in scene.document.metadata.modified:
        moment = read_moment(value.value, scene)
        if moment and (scene.fetched_at is None or moment.time <= scene.fetched_at + TOLERANCE):
            yield Dated(moment, value.value), value.source


def unread_dates(scene: Scene) -> Iterator[str]:
    """Yield the texts marked up as dates, for another parser to try if none could be read."""
    yield from (value.value for value in scene.document.metadata.published)
    nodes = scene.document.nodes
    for element in scene.document.metadata.times[:MAX_TIMES]:
        if scene.place(scene.line_of(int(nodes.piece_start[element.node]))) in NEAR:
            yield element.text


def read_moment(text: str, scene: Scene) -> Moment | None:
    """Return the first moment in a text, in any format."""
    moment = read_iso(text) or read_epoch(text)
    if moment is None:
        moment = next((dated.moment for dated in read_dates(text, scene.language, scene.month_first)), None)
    if moment is None and scene.fetched_at is not None:
        moment = read_relative(text, scene.fetched_at)
    return moment


def _relations(scene: Scene, dates: list[DateMention], stated: set[object]) -> dict[object, list[str]]:
    """Return the signals of each day relative to the others: first after the title, before or after all stated ones."""
    relations: dict[object, list[str]] = {mention.key: [] for mention in dates}
    near = [(mention.pieces[0], mention.key) for mention in dates if mention.pieces and "near" in mention.signals]
    if near:
        title = scene.title or 0
        relations[min(near, key=lambda shown: (shown[0] < title, shown[0]))[1]].append("first near")
    days = [day for day in stated if isinstance(day, date)]
    for day, signals in relations.items():
        if days and isinstance(day, date) and day not in stated:
            if day > max(days):
                signals.append("after all stated")
            elif day < min(days):
                signals.append("before all stated")
    return relations


def _mention(dated: Dated, source: str, signals: tuple[str, ...], pieces: tuple[int, int] | None = None) -> DateMention:
    return Mention(dated.moment.time.date(), dated, source, signals, pieces)


def _stated(scene: Scene) -> Iterator[DateMention]:
    for value in scene.document.metadata.published:
        if moment := read_moment(value.value, scene):
            yield _mention(Dated(moment, value.value), value.source, ("stated", _kind(value.source)))


def _kind(source: str) -> str:
    """Return the signal for a source of metadata."""
    markup, _, name = source.partition(" ")
    if markup == "meta":
        return source if name == "article:published_time" else "meta published" if "pub" in name else "meta other"
    thing, _, name = name.rpartition(".")
    if name in ("dateCreated", "uploadDate"):
        return "created"
    return markup if markup == "microdata" else "json-ld article" if thing in ARTICLES else "json-ld other"


def _times(scene: Scene) -> Iterator[DateMention]:
    nodes = scene.document.nodes
    is_first = True
    for element in scene.document.metadata.times[:MAX_TIMES]:
        pieces = int(nodes.piece_start[element.node]), int(nodes.piece_end[element.node])
        place = scene.place(scene.line_of(pieces[0]))
        if scene.in_comments(pieces[0], place):
            continue
        for text in filter(None, (element.datetime, element.text)):
            if moment := read_moment(text, scene):
                signals = (*_place_signals(scene, place, element.node), *(("first time",) if is_first else ()))
                shown = pieces if pieces[0] < pieces[1] else None
                yield _mention(Dated(moment, text), f"time {place}", signals, shown)
                break
        is_first = False


def _lines(scene: Scene, near: bool) -> Iterator[DateMention]:
    for line in _lines_with_digits(scene, near):
        pieces = scene.line_pieces(line)
        place = scene.place(line)
        if scene.in_comments(pieces[0], place):
            continue
        text = " ".join(scene.texts(*pieces))
        signals = None
        for date_in_text in read_dates(text, scene.language, scene.month_first):
            if signals is None:
                signals = _place_signals(scene, place, int(scene.document.pieces.owner[pieces[0]]))
            yield _mention(Dated(date_in_text.moment, text), f"text {place}", signals, pieces)


def _lines_with_digits(scene: Scene, near: bool) -> list[int]:
    """Return the lines that may contain a date: those near title and text, or the nearest to the title overall."""
    fits = (scene.characters <= MAX_LINE) & (scene.digits >= LEAST_DIGITS) & (scene.digits <= MOST_DIGITS)
    lines: list[int] = fits.nonzero()[0].tolist()
    if near:
        lines = scene.near_text(lines)
    if len(lines) > MAX_LINES:
        start = scene.start
        lines = sorted(sorted(lines, key=lambda line: abs(line - start))[:MAX_LINES])
    return lines


def _place_signals(scene: Scene, place: Place, node: int) -> tuple[str, ...]:
    """Return the signals of a visible date: its position and the names of the elements around it."""
    is_near = place in NEAR
    where = ("near",) if is_near else ("closing",) if place == "closing" else ()
    names = scene.names_around(node)
    if any(word in names for word in _marks.UPDATED):
        return (*where, "near, updated") if is_near else where
    return (*where, "marked") if any(word in names for word in _marks.DATE) else where


def _address(scene: Scene) -> Iterator[DateMention]:
    match = _IN_ADDRESS.search(scene.document.url or "")
    moment = read_iso(f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}") if match else None
    if match and moment:
        yield _mention(Dated(moment, match[0]), "address", ("address",))
