"""When an article was published: what metadata, address and visible text say, weighed day by day."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.reading.facts import marks
from broadsheet.reading.facts.candidates import Candidate, Saying, pool
from broadsheet.reading.facts.dates import read_dates
from broadsheet.reading.facts.machine_dates import Moment, read_epoch, read_iso
from broadsheet.reading.facts.relative import read_relative
from broadsheet.reading.facts.scene import NEAR, Place, Scene
from broadsheet.reading.facts.signal_weights import PUBLISHED

#: A line that shows a date has at most so many characters, and between so many digits.
MAX_LINE, LEAST_DIGITS, MOST_DIGITS = 160, 5, 40
#: So many lines, those nearest to the title, and `time` elements are looked at.
MAX_LINES, MAX_TIMES = 30, 20
#: Clocks differ, and a date without an offset may be of any.
_TOLERANCE = timedelta(days=1)

_STRONG = frozenset(("stated", "address", "near"))
_IN_ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_.-]?)(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)")


class Dated(NamedTuple):
    """A moment, and the text that names it."""

    moment: Moment
    text: str


DateSaying = Saying[Dated]


def find_days(scene: Scene) -> list[Candidate[Dated]]:
    """Return the days that an article may have been published on, the likeliest first."""
    found = list(sayings(scene))
    modified = {dated.moment.time.date() for dated, _ in stated_modified(scene)}
    stated = {saying.key for saying in found if "stated" in saying.signals}
    if stated:
        # The page names a day of publication, so one that it names only for a change is another.
        found = [saying for saying in found if saying.key in stated or saying.key not in modified]
    return pool(found, PUBLISHED, _relations(scene, found, stated))


def sayings(scene: Scene) -> Iterator[DateSaying]:
    """Give what on a page may be the day of publication, nothing of it in the future.

    What is shown is looked at only where what is stated does not agree, and
    lines far from title and text are looked at only where nothing better says anything.
    """
    found = [*_stated(scene), *_address(scene)]
    if not _is_agreed(found):
        found += (*_times(scene), *_lines(scene, near=True))
    if all(_STRONG.isdisjoint(saying.signals) for saying in found):
        found += _lines(scene, near=False)
    for saying in found:
        if scene.fetched_at is None or saying.value.moment.time <= scene.fetched_at + _TOLERANCE:
            yield saying


def _is_agreed(stated: list[DateSaying]) -> bool:
    """Tell whether several places state one day, and none another: then nothing that is shown would change it."""
    return len({saying.key for saying in stated}) == 1 and len({saying.signals for saying in stated}) > 1


def stated_modified(scene: Scene) -> Iterator[tuple[Dated, str]]:
    """Give the moments that the metadata state for the last change, each with its source."""
    for value in scene.document.metadata.modified:
        moment = read_moment(value.value, scene)
        if moment and (scene.fetched_at is None or moment.time <= scene.fetched_at + _TOLERANCE):
            yield Dated(moment, value.value), value.source


def unread_dates(scene: Scene) -> Iterator[str]:
    """Give the texts that are dates by their markup; where none could be read, somebody else may read one."""
    yield from (value.value for value in scene.document.metadata.published)
    nodes = scene.document.nodes
    for element in scene.document.metadata.times[:MAX_TIMES]:
        if scene.place(scene.line_of(int(nodes.piece_start[element.node]))) in NEAR:
            yield element.text


def read_moment(text: str, scene: Scene) -> Moment | None:
    """Return the first moment that a text names, in whatever form."""
    moment = read_iso(text) or read_epoch(text)
    if moment is None:
        moment = next((dated.moment for dated in read_dates(text, scene.language, scene.month_first)), None)
    if moment is None and scene.fetched_at is not None:
        moment = read_relative(text, scene.fetched_at)
    return moment


def _relations(scene: Scene, found: list[DateSaying], stated: set[object]) -> dict[object, list[str]]:
    """Tell which day is the first to be read from the title on, and which lie outside of all that are stated."""
    relations: dict[object, list[str]] = {saying.key: [] for saying in found}
    near = [(saying.pieces[0], saying.key) for saying in found if saying.pieces and "near" in saying.signals]
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


def _saying(dated: Dated, source: str, signals: tuple[str, ...], pieces: tuple[int, int] | None = None) -> DateSaying:
    return Saying(dated.moment.time.date(), dated, source, signals, pieces)


def _stated(scene: Scene) -> Iterator[DateSaying]:
    for value in scene.document.metadata.published:
        if moment := read_moment(value.value, scene):
            yield _saying(Dated(moment, value.value), value.source, ("stated", _kind(value.source)))


def _kind(source: str) -> str:
    """Return what kind of place a source of metadata is."""
    markup, _, name = source.partition(" ")
    if markup == "meta":
        return source if name == "article:published_time" else "meta published" if "pub" in name else "meta other"
    thing, _, name = name.rpartition(".")
    if name in ("dateCreated", "uploadDate"):
        return "created"
    return markup if markup == "microdata" else "json-ld article" if thing in ARTICLES else "json-ld other"


def _times(scene: Scene) -> Iterator[DateSaying]:
    nodes = scene.document.nodes
    is_first = True
    for element in scene.document.metadata.times[:MAX_TIMES]:
        pieces = int(nodes.piece_start[element.node]), int(nodes.piece_end[element.node])
        place = scene.place(scene.line_of(pieces[0]))
        if scene.in_comments(pieces[0], place):
            continue
        for text in filter(None, (element.datetime, element.text)):
            if moment := read_moment(text, scene):
                signals = (*_of_place(scene, place, element.node), *(("first time",) if is_first else ()))
                shown = pieces if pieces[0] < pieces[1] else None
                yield _saying(Dated(moment, text), f"time {place}", signals, shown)
                break
        is_first = False


def _lines(scene: Scene, near: bool) -> Iterator[DateSaying]:
    for line in _lines_with_digits(scene, near):
        pieces = scene.line_pieces(line)
        place = scene.place(line)
        if scene.in_comments(pieces[0], place):
            continue
        text = " ".join(scene.texts(*pieces))
        signals = None
        for written in read_dates(text, scene.language, scene.month_first):
            if signals is None:
                signals = _of_place(scene, place, int(scene.document.pieces.owner[pieces[0]]))
            yield _saying(Dated(written.moment, text), f"text {place}", signals, pieces)


def _lines_with_digits(scene: Scene, near: bool) -> list[int]:
    """Return the lines that may hold a date: those near title and text, or those nearest to the title of all."""
    fits = (scene.characters <= MAX_LINE) & (scene.digits >= LEAST_DIGITS) & (scene.digits <= MOST_DIGITS)
    lines: list[int] = fits.nonzero()[0].tolist()
    if near:
        lines = scene.near_text(lines)
    if len(lines) > MAX_LINES:
        start = scene.start
        lines = sorted(sorted(lines, key=lambda line: abs(line - start))[:MAX_LINES])
    return lines


def _of_place(scene: Scene, place: Place, node: int) -> tuple[str, ...]:
    """Return the signals of a visible date: where it stands and what the elements around it are called."""
    is_near = place in NEAR
    where = ("near",) if is_near else ("closing",) if place == "closing" else ()
    names = scene.names_around(node)
    if any(word in names for word in marks.UPDATED):
        return (*where, "near, updated") if is_near else where
    return (*where, "marked") if any(word in names for word in marks.DATE) else where


def _address(scene: Scene) -> Iterator[DateSaying]:
    match = _IN_ADDRESS.search(scene.document.url or "")
    moment = read_iso(f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}") if match else None
    if match and moment:
        yield _saying(Dated(moment, match[0]), "address", ("address",))
