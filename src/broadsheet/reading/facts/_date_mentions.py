"""Dates that may be those of publication, wherever a page mentions them: metadata, URL, `time` elements, lines."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Literal, NamedTuple

from broadsheet.base.moments import to_utc
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.tags import CODES
from broadsheet.reading._captions import beside_pictures, caption_nodes
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._candidates import Mention
from broadsheet.reading.facts._date_words import PUBLISHED, UPDATED
from broadsheet.reading.facts._dates import DateInText, read_dates
from broadsheet.reading.facts._machine_dates import Moment, read_epoch, read_iso
from broadsheet.reading.facts._months import month_of
from broadsheet.reading.facts._relative import read_relative
from broadsheet.reading.facts._scene import NEAR, Place, Scene

#: The maximum length of a line with a date, in characters, and the range of its number of digits.
MAX_LINE, MIN_DIGITS, MAX_DIGITS = 160, 5, 40
#: The most lines, nearest to the title first, and `time` elements considered.
MAX_LINES, MAX_TIMES = 30, 20
#: The first lines of the text that may open with a date, and the number of characters in which it is.
_DATELINES, _DATELINE = 2, 60
#: Clocks differ, and a date without an offset may be in any time zone.
TOLERANCE = timedelta(days=1)
#: Lines with at most, or more than, so many characters are hardly more than a date, or mostly something else.
_SHORT_LINE, _LONG_LINE = 30, 80
#: Dates in the text of a URL say nothing about the page that shows it.
_URL = "://"
_STRONG = frozenset(("stated", "address", "near"))
_SAYS_PUBLISHED = ("says published",)
_FIGURES = frozenset((CODES["figure"], CODES["figcaption"]))
#: The number of ancestors that may be the caption of a picture, and of characters that may say what a date is.
_LEVELS, _LABEL = 6, 80
_IN_ADDRESS = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_.-]?)(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)")
_NAMED_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)/([a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?!\d)", re.IGNORECASE)


class Dated(NamedTuple):
    """A moment and the text it was read from."""

    moment: Moment
    text: str


DateMention = Mention[Dated]


def mentions(scene: Scene) -> Iterator[DateMention]:
    """Yield mentions of possible publication dates, without dates in the future.

    Visible text is read only if the metadata does not agree on one day, and lines far from title and text only if
    there is no better evidence.
    """
    dates = [*_stated(scene), *_address(scene)]
    if not _is_agreed(dates):
        dates += (*_times(scene), *_lines(scene, near=True), *_datelines(scene))
    # Looking for shown changes takes longer than looking at the signals, and most pages have strong ones.
    is_weak = all(_STRONG.isdisjoint(mention.signals) for mention in dates)
    if is_weak and next(shown_modified(scene), None) is None:
        dates += _lines(scene, near=False)
    for mention in dates:
        if is_possible(mention.value.moment, scene):
            yield mention


def is_possible(moment: Moment, scene: Scene) -> bool:
    """Tell whether a moment is not in the future of the page, as far as its offset is known."""
    return scene.fetched_at is None or to_utc(moment.time) <= to_utc(scene.fetched_at) + TOLERANCE


def _is_agreed(stated: list[DateMention]) -> bool:
    """Tell whether several sources state the same day, and none another: visible text could not change the result."""
    return len({mention.key for mention in stated}) == 1 and len({mention.signals for mention in stated}) > 1


def shown_modified(scene: Scene) -> Iterator[tuple[Dated, str]]:
    """Yield the dates near the title that the page shows as those of a change, each with its place."""
    for line in _lines_with_digits(scene, near=True):
        text = scene.line_text(line)
        if UPDATED.search(text):
            for date_in_text, said in _dates_in(text, scene):
                if said == "updated" and is_possible(date_in_text.moment, scene):
                    yield Dated(date_in_text.moment, text), f"text {scene.place(line)}"


def read_moment(text: str, scene: Scene) -> Moment | None:
    """Return the first moment in a text, in any format."""
    moment = read_iso(text) or read_epoch(text)
    if moment is None:
        moment = next((dated.moment for dated in read_dates(text, scene.language, scene.month_first)), None)
    if moment is None and scene.fetched_at is not None:
        moment = read_relative(text, scene.fetched_at)
    return moment


def mention_of(
    dated: Dated, source: str, signals: tuple[str, ...], pieces: tuple[int, int] | None = None
) -> DateMention:
    """Return the mention of a day at some place."""
    return Mention(dated.moment.time.date(), dated, source, signals, pieces)


def _stated(scene: Scene) -> Iterator[DateMention]:
    for value in scene.document.metadata.published:
        if moment := read_moment(value.value, scene):
            yield mention_of(Dated(moment, value.value), value.source, ("stated", _kind(value.source)))


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
        label = label_of(scene, pieces)
        opens_line = len(label) <= len(element.text)
        if _is_caption(scene, element.node, opens_line=opens_line) or UPDATED.search(label):
            continue
        for text in filter(None, (element.datetime, element.text)):
            if moment := read_moment(text, scene):
                signals = (
                    *_place_signals(scene, place, element.node),
                    *(("first time",) if is_first else ()),
                    *(_SAYS_PUBLISHED if PUBLISHED.search(label) else ()),
                )
                shown = pieces if pieces[0] < pieces[1] else None
                yield mention_of(Dated(moment, text), f"time {place}", signals, shown)
                break
        is_first = False


def _lines(scene: Scene, near: bool) -> Iterator[DateMention]:
    for line in _lines_with_digits(scene, near):
        pieces = scene.line_pieces(line)
        place = scene.place(line)
        if scene.in_comments(pieces[0], place):
            continue
        text = scene.line_text(line)
        if _URL in text:
            continue
        signals = None
        node = int(scene.document.pieces.owner[pieces[0]])
        for date_in_text, said in _dates_in(text, scene):
            if said == "updated":
                continue
            if signals is None:
                if _is_caption(scene, node, opens_line=date_in_text.start == 0):
                    break
                signals = (*_place_signals(scene, place, node), *_line_signals(text))
            said_signals = _SAYS_PUBLISHED if said == "published" else ()
            yield mention_of(Dated(date_in_text.moment, text), f"text {place}", (*signals, *said_signals), pieces)


def _datelines(scene: Scene) -> Iterator[DateMention]:
    """Yield the dates that open the first paragraphs, which are too long for lines with a date: "Berlin, 2 March"."""
    first, last = scene.text_lines
    for line in range(first, min(first + _DATELINES, last + 1, len(scene.characters))):
        if scene.characters[line] > MAX_LINE:
            text = scene.line_text(line)[:_DATELINE]
            for date_in_text, said in _dates_in(text, scene):
                if said != "updated":
                    yield mention_of(Dated(date_in_text.moment, text), "text opening", ("dateline",))


def _dates_in(text: str, scene: Scene) -> Iterator[tuple[DateInText, Literal["updated", "published"] | None]]:
    """Yield the dates in a line, and whether the words before them say that they are of a change or of publication."""
    end = 0
    for date_in_text in read_dates(text, scene.language, scene.month_first):
        if UPDATED.search(text, end, date_in_text.start):
            yield date_in_text, "updated"
        else:
            yield date_in_text, "published" if PUBLISHED.search(text, end, date_in_text.start) else None
        end = date_in_text.end


def label_of(scene: Scene, pieces: tuple[int, int]) -> str:
    """Return what stands before an element in its line, and the element itself."""
    first, _ = scene.line_pieces(scene.line_of(pieces[0]))
    texts = scene.texts(first, max(pieces))
    return " ".join(texts)[-_LABEL:]


def _is_caption(scene: Scene, node: int, *, opens_line: bool) -> bool:
    """Tell whether a date is in the caption of a picture; bylines are called captions, too, but begin with theirs."""
    tag_of, parent_of = scene.document.nodes.tag.item, scene.document.nodes.parent.item
    captions = beside_pictures(scene.document) if opens_line else caption_nodes(scene.document)
    for _ in range(_LEVELS):
        if node < 0:
            break
        if node in captions or tag_of(node) in _FIGURES:
            return True
        node = parent_of(node)
    return False


def _lines_with_digits(scene: Scene, near: bool) -> list[int]:
    """Return the lines that may contain a date: those near title and text, or the nearest to the title overall."""
    lines = scene.lines_with_digits(MAX_LINE, MIN_DIGITS, MAX_DIGITS)
    if near:
        lines = scene.near_text(lines)
    if len(lines) > MAX_LINES:
        start = scene.start
        lines = sorted(sorted(lines, key=lambda line: abs(line - start))[:MAX_LINES])
    return lines


def _place_signals(scene: Scene, place: Place, node: int) -> tuple[str, ...]:
    """Return the signals of a visible date: its position and the names of the elements around it."""
    is_near = place in NEAR
    where = ("near", f"near {place}") if is_near else ("closing",) if place == "closing" else ()
    names = scene.names_around(node)
    if any(word in names for word in _marks.UPDATED):
        return (*where, "near, updated") if is_near else where
    return (*where, "marked") if any(word in names for word in _marks.DATE) else where


def _line_signals(text: str) -> tuple[str, ...]:
    """Return the signal for the length of a line with a date: a line of its own, or part of a sentence."""
    return ("short line",) if len(text) <= _SHORT_LINE else ("long line",) if len(text) > _LONG_LINE else ()


def _address(scene: Scene) -> Iterator[DateMention]:
    url = scene.document.url or ""
    if match := _IN_ADDRESS.search(url):
        year, month, day = match[1], match[3], match[4]
    elif match := _NAMED_IN_ADDRESS.search(url):
        year, month, day = match[1], str(month_of(match[2], "en") or ""), match[3]
    else:
        return
    if moment := read_iso(f"{year}-{month:0>2}-{day:0>2}"):
        yield mention_of(Dated(moment, match[0]), "address", ("address",))
