"""The lines that may name an author without being marked: bylines and signatures near the title and after the text."""

from collections.abc import Iterator
from itertools import chain

from broadsheet.document.tags import CODES
from broadsheet.reading.facts._author_places import Place, join_pieces
from broadsheet.reading.facts._east_asian_names import has_chinese_surname, names_reporter_in_bytes, reported_by
from broadsheet.reading.facts._person_names import (
    after_inner_lead,
    begins_like_byline,
    beside_date,
    has_lead,
    has_preposition,
    has_shape_of_name,
    in_dateline,
    is_signed,
    lists_names,
    may_hold_byline,
    within_line,
)
from broadsheet.reading.facts._scene import Scene

#: The length of an unmarked byline in characters, and its maximum distance from the title in lines, above and below.
SHORTEST_LINE, MAX_LINE, MAX_ABOVE, MAX_BELOW = 3, 120, 4, 14
#: The lines below the title and after the text that may be a name without any mark, and those right below the title.
_SIGNED_BELOW, _SIGNED_AFTER, _BESIDE = 8, 3, 3
#: The number of bytes at either end of a paragraph that may name its reporter, and the words before or after the name.
_EDGE = 150
#: The signals of a line within some elements, and the number of ancestors considered.
_AROUND = {
    **{CODES[name]: "line in a caption" for name in ("figure", "figcaption")},
    **{CODES[name]: "line in a heading" for name in ("h1", "h2", "h3", "h4", "h5", "h6")},
}
_LEVELS = 6
#: A line of at most so many characters with at least so many digits is likely a date.
_DATE_LINE, _DATE_DIGITS = 40, 4


def bylines(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title and after the text that begin like a byline, or have one within them."""
    for line in chain(_promising(scene, _near_title(scene)), _promising(scene, _after_text(scene))):
        pieces, place = scene.line_pieces(line), scene.place(line)
        if scene.characters[line] > MAX_LINE:
            found = _byline_at_edges(scene, pieces)
        else:
            found = _byline_in(join_pieces(scene, pieces), scene.digits[line] > 0)
        if found and not scene.in_comments(pieces[0], place):
            names, signals = found
            yield names, f"byline {place}", ("byline", f"byline {place}", *signals), pieces


def _promising(scene: Scene, lines: range) -> Iterator[int]:
    """Yield the lines that may hold a byline: most do not begin like one and need not be decoded completely."""
    edges = scene.edges[lines.start : lines.stop + 1]
    if len(edges) < 2:
        return
    pieces, text = scene.document.pieces, scene.document.columns.text
    starts, ends = pieces.start.take(edges[:-1]).tolist(), pieces.end.take(edges[1:] - 1).tolist()
    characters = scene.characters[lines.start : lines.stop].tolist()
    for line, start, end, size in zip(lines, starts, ends, characters, strict=True):
        if size < SHORTEST_LINE:
            continue
        if size > MAX_LINE:
            beginning, ending = text[start : start + _EDGE], text[max(start, end - _EDGE) : end]
            is_promising = b"(" in beginning or any(
                not edge.isascii() and names_reporter_in_bytes(edge) for edge in (beginning, ending)
            )
        else:
            words = text[start:end].decode(errors="ignore").lstrip()
            is_promising = begins_like_byline(words) or may_hold_byline(words)
        if is_promising:
            yield line


def _byline_in(text: str, has_digits: bool) -> tuple[str, tuple[str, ...]] | None:
    """Return the byline in a line and its signals."""
    if rest := reported_by(text):
        return rest, ("byline of a reporter",)
    if has_lead(text) or is_signed(text):
        return text, ("byline with a preposition",) if has_preposition(text) else ()
    if has_digits and (rest := after_inner_lead(text)):
        return rest, ("byline after a date",)
    if rest := within_line(text):
        return rest, ("byline within a line",)
    return None


def _byline_at_edges(scene: Scene, pieces: tuple[int, int]) -> tuple[str, tuple[str, ...]] | None:
    """Return the reporter that a paragraph begins or ends with, as in China: "快讯(记者 裴剑飞)今日…"."""
    text, columns = scene.document.columns.text, scene.document.pieces
    start, end = int(columns.start[pieces[0]]), int(columns.end[pieces[1] - 1])
    beginning = " ".join(text[start : start + _EDGE].decode(errors="ignore").split())
    if name := in_dateline(beginning):
        return name, ("byline of a reporter",)
    for edge in (text[start : start + _EDGE], text[max(start, end - _EDGE) : end]):
        if names := reported_by(" ".join(edge.decode(errors="ignore").split())):
            return names, ("byline of a reporter",)
    return None


def signatures(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title and after the text that begin with something of the shape of a name."""
    near = range(max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + _SIGNED_BELOW + 1))
    for line in chain(near, _after_text(scene)):
        pieces, place = scene.line_pieces(line), scene.place(line)
        if line == scene.start or not SHORTEST_LINE <= scene.characters[line] <= MAX_LINE:
            continue
        texts = list(filter(None, scene.texts(*pieces)))
        found = _name_in(texts, scene.digits[line] > 0, scene.language) if texts else None
        if found and not scene.in_comments(pieces[0], place):
            name, signals = found
            distance = line - scene.start
            beside = (f"{distance} lines below",) if 0 < distance <= _BESIDE else ()
            after = line - scene.text_lines[1]
            if 0 <= after <= _BESIDE:
                beside = (*beside, f"{after} lines after the text")
            around = (*_surroundings(scene, pieces), *_dates_beside(scene, line))
            yield name, f"line {place}", ("line", f"line {place}", *beside, *signals, *around), pieces


def _name_in(texts: list[str], has_digits: bool, language: str | None) -> tuple[str, tuple[str, ...]] | None:
    """Return what may be a name in the pieces of a line without any mark, and its signals."""
    whole = " ".join(texts)
    if has_shape_of_name(texts[0]):
        return texts[0], ("whole line",) if len(texts) == 1 else ()
    if lists_names(whole):
        return whole, ("whole line", "line of names")
    if not has_digits:
        return None
    name = beside_date(whole)
    if name is None and language == "zh":
        name = next(filter(has_chinese_surname, texts), None)
    return (name, ("line with a date",)) if name else None


def _surroundings(scene: Scene, pieces: tuple[int, int]) -> Iterator[str]:
    """Yield the signals of a line within a link, as most words of menus are, a heading, or the caption of a picture."""
    columns, nodes = scene.document.pieces, scene.document.nodes
    if columns.link.item(pieces[0]) >= 0 <= columns.link.item(pieces[1] - 1):
        yield "line in a link"
    node = columns.owner.item(pieces[0])
    for _ in range(_LEVELS):
        if node < 0:
            break
        if around := _AROUND.get(nodes.tag.item(node)):
            yield around
        node = nodes.parent.item(node)


def _dates_beside(scene: Scene, line: int) -> tuple[str, ...]:
    """Return the signal of a line right before or after a date."""
    lines = (beside for beside in (line - 1, line + 1) if 0 <= beside < len(scene.characters))
    is_date = (scene.characters[beside] <= _DATE_LINE and scene.digits[beside] >= _DATE_DIGITS for beside in lines)
    return ("line beside a date",) if any(is_date) else ()


def near_lines(scene: Scene) -> Iterator[int]:
    """Yield the lines near the title and after the text, where bylines are."""
    return chain(_near_title(scene), _after_text(scene))


def _near_title(scene: Scene) -> range:
    return range(max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + MAX_BELOW + 1))


def _after_text(scene: Scene) -> range:
    last = scene.text_lines[1]
    return range(max(_near_title(scene).stop, last), min(len(scene.edges) - 1, last + _SIGNED_AFTER + 1))
