"""The publication date of an article: days mentioned in metadata, URL and visible text, weighed by their signals."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from broadsheet.base.domains import registrable_domain
from broadsheet.base.moments import NO_OFFSET, to_utc
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.tags import CODES
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._dates import DateInText, read_dates
from broadsheet.reading.facts._machine_dates import Moment, read_epoch, read_iso
from broadsheet.reading.facts._relative import read_relative
from broadsheet.reading.facts._scene import NEAR, Place, Scene
from broadsheet.reading.facts._signal_weights import shipped_weights
from broadsheet.reading.facts._zones import at_offset, country_offset

#: The maximum length of a line with a date, in characters, and the range of its number of digits.
MAX_LINE, LEAST_DIGITS, MOST_DIGITS = 160, 5, 40
#: The most lines, nearest to the title first, and `time` elements considered.
MAX_LINES, MAX_TIMES = 30, 20
#: Clocks differ, and a date without an offset may be in any time zone.
TOLERANCE = timedelta(days=1)
#: Statements this close to each other are made in the same offset.
_SAME_OFFSET = timedelta(days=1)

#: Words before the date of a change, not of publication.
_UPDATED = re.compile(
    r"\b(?:updated|modified|revised|aktualisiert|geändert|actualizad[oa]|modificad[oa]|atualizad[oa]|aggiornat[oa]"
    r"|aggiornamento|bijgewerkt|gewijzigd|uppdatera[dt]|ändrad|oppdatert|opdateret|päivitetty|muokattu|zaktualizowan[oe]"
    r"|aktualizacja|aktualizováno|aktualizované|frissítve|módosítva|actualizat|güncelle(?:me|nme|ndi)|diperbarui)\b"
    r"|mis(?:e|es)? à jour|modifié|обновлен|изменен|оновлен|ενημ[έε]ρωσ|تحديث|עודכן|更新|수정|업데이트|cập nhật"
    r"|อัปเดต|अपडेट",
    re.IGNORECASE,
)
_MONTHS = 12
#: A day and a month in numbers, in either order.
_NUMBERS = re.compile(r"(?<!\d)\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]")
#: Lines with at most, or more than, so many characters are hardly more than a date, or mostly something else.
_SHORT_LINE, _LONG_LINE = 30, 80
#: Dates in the text of a URL say nothing about the page that shows it.
_URL = "://"
_STRONG = frozenset(("stated", "address", "near"))
_CAPTIONS = frozenset((CODES["figure"], CODES["figcaption"]))
#: The number of ancestors that may be the caption of a picture, and of characters that may say what a date is.
_LEVELS, _LABEL = 6, 80
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
    dates = list(_in_stated_order(dates, stated | modified | {each.key for each in dates if each.source == "address"}))
    if stated:
        # The page states its publication date, so days that it states only as modification dates are ruled out.
        dates = [mention for mention in dates if mention.key in stated or mention.key not in modified]
    return pool(dates, shipped_weights().published, _relations(scene, dates, stated))


def _in_stated_order(dates: list[DateMention], known: set[object]) -> Iterator[DateMention]:
    """Yield the dates, with day and month exchanged where they are numbers and only that agrees with other places."""
    for mention in dates:
        time = mention.value.moment.time
        if mention.key not in known and time.day <= _MONTHS and _NUMBERS.search(mention.value.text):
            exchanged = time.replace(month=time.day, day=time.month)
            if exchanged.date() in known:
                dated = mention.value._replace(moment=mention.value.moment._replace(time=exchanged))
                yield _mention(dated, mention.source, mention.signals, mention.pieces)
                continue
        yield mention


def mentions(scene: Scene) -> Iterator[DateMention]:
    """Yield mentions of possible publication dates, without dates in the future.

    Visible text is read only if the metadata does not agree on one day, and lines far from title and text only if
    there is no better evidence.
    """
    dates = [*_stated(scene), *_address(scene)]
    if not _is_agreed(dates):
        dates += (*_times(scene), *_lines(scene, near=True))
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


def with_known_offset(moment: Moment, scene: Scene) -> tuple[Moment, str]:
    """Give a time the offset that it must have, and say how that is known; a day and an unknown offset stay as stated.

    It is the offset that the page states for a time within a day, or that of the country of its domain.
    """
    if moment.has_offset or moment.precision == "day":
        return moment, ""
    for value in (*scene.document.metadata.published, *scene.document.metadata.modified):
        other = read_iso(value.value)
        offset = other.time.utcoffset() if other else None
        # An offset of zero may mean that a time was converted, and not where the site is.
        if other and offset and abs(other.time.replace(tzinfo=None) - moment.time) < _SAME_OFFSET:
            return moment._replace(time=at_offset(moment.time, offset)), f"with the offset of {value.source}"
    domain = registrable_domain(scene.document.url) if scene.document.url else ""
    offset = country_offset(domain, moment.time)
    if offset is None:
        return moment, NO_OFFSET
    return moment._replace(time=at_offset(moment.time, offset)), "with the offset of its country"


def _is_agreed(stated: list[DateMention]) -> bool:
    """Tell whether several sources state the same day, and none another: visible text could not change the result."""
    return len({mention.key for mention in stated}) == 1 and len({mention.signals for mention in stated}) > 1


def stated_modified(scene: Scene) -> Iterator[tuple[Dated, str]]:
    """Yield the modification dates in the metadata, each with its source."""
    for value in scene.document.metadata.modified:
        moment = read_moment(value.value, scene)
        if moment and is_possible(moment, scene):
            yield Dated(moment, value.value), value.source


def shown_modified(scene: Scene) -> Iterator[tuple[Dated, str]]:
    """Yield the dates near the title that the page shows as those of a change, each with its place."""
    for line in _lines_with_digits(scene, near=True):
        text = scene.line_text(line)
        if _UPDATED.search(text):
            for date_in_text, is_updated in _dates_in(text, scene):
                if is_updated and is_possible(date_in_text.moment, scene):
                    yield Dated(date_in_text.moment, text), f"text {scene.place(line)}"


def unread_dates(scene: Scene) -> Iterator[str]:
    """Yield the texts marked up as dates, for another parser to try if none could be read."""
    nodes = scene.document.nodes
    texts = [value.value for value in scene.document.metadata.published]
    for element in scene.document.metadata.times[:MAX_TIMES]:
        pieces = int(nodes.piece_start[element.node]), int(nodes.piece_end[element.node])
        if scene.place(scene.line_of(pieces[0])) in NEAR and not _UPDATED.search(_label_of(scene, pieces)):
            texts.append(element.text)
    # What could be read was rejected.
    yield from (text for text in texts if read_moment(text, scene) is None)


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
        if _is_caption(scene, element.node) or _UPDATED.search(_label_of(scene, pieces)):
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
        text = scene.line_text(line)
        if _URL in text:
            continue
        signals = None
        node = int(scene.document.pieces.owner[pieces[0]])
        for date_in_text, is_updated in _dates_in(text, scene):
            if is_updated:
                continue
            if signals is None:
                if _is_caption(scene, node):
                    break
                signals = (*_place_signals(scene, place, node), *_line_signals(text))
            yield _mention(Dated(date_in_text.moment, text), f"text {place}", signals, pieces)


def _dates_in(text: str, scene: Scene) -> Iterator[tuple[DateInText, bool]]:
    """Yield the dates in a line, and whether the words before them say that they are those of a change."""
    end = 0
    for date_in_text in read_dates(text, scene.language, scene.month_first):
        yield date_in_text, _UPDATED.search(text, end, date_in_text.start) is not None
        end = date_in_text.end


def _label_of(scene: Scene, pieces: tuple[int, int]) -> str:
    """Return what stands before an element in its line, and the element itself."""
    first, _ = scene.line_pieces(scene.line_of(pieces[0]))
    texts = scene.texts(first, max(pieces))
    return " ".join(texts)[-_LABEL:]


def _is_caption(scene: Scene, node: int) -> bool:
    """Tell whether an element belongs to the caption of a picture."""
    tag_of, parent_of = scene.document.nodes.tag.item, scene.document.nodes.parent.item
    for _ in range(_LEVELS):
        if node < 0:
            break
        if tag_of(node) in _CAPTIONS:
            return True
        node = parent_of(node)
    return False


def _lines_with_digits(scene: Scene, near: bool) -> list[int]:
    """Return the lines that may contain a date: those near title and text, or the nearest to the title overall."""
    lines = scene.lines_with_digits(MAX_LINE, LEAST_DIGITS, MOST_DIGITS)
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
    match = _IN_ADDRESS.search(scene.document.url or "")
    moment = read_iso(f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}") if match else None
    if match and moment:
        yield _mention(Dated(moment, match[0]), "address", ("address",))
