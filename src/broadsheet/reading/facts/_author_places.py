"""Where the name of an author may stand: in metadata, marked elements, links to people, bylines and signatures."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import TypeAlias

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.tags import CODES
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._name_words import ANDS
from broadsheet.reading.facts._person_names import (
    after_inner_lead,
    begins_like_byline,
    beside_date,
    has_lead,
    has_preposition,
    has_shape_of_name,
    is_signed,
    lists_names,
    may_hold_byline,
    reported_by,
    within_line,
)
from broadsheet.reading.facts._scene import Scene
from broadsheet.reading.paragraphs import without_tags

#: The most elements named after an author that are considered, and the maximum size of their text in bytes.
MAX_MARKED, MAX_BYTES = 40, 300
#: The length of an unmarked byline in characters, and its maximum distance from the title in lines, above and below.
SHORTEST_LINE, MAX_LINE, MAX_ABOVE, MAX_BELOW = 3, 120, 4, 14
#: The lines below the title and after the text that may be a name without any mark, and those right below the title.
_SIGNED_BELOW, _SIGNED_AFTER, _BESIDE = 8, 3, 3
_PERSON = re.compile(
    rb"/(?:authors?|autor(?:es|en)?|auteurs?|by|profiles?|profil|people|staff|contributors?|reporters?|journalists?"
    rb"|writers?|redaktion|team|columnists?|correspondents|bio)/"
)
#: The number of bytes of a paragraph that may name its reporter, and the words before or after the name.
_BEGINNING = 120
_REPORTERS = tuple(title.encode() for title in ("记者", "記者", "기자"))
#: Separate from `_PERSON`, because expressions that begin with a fixed character are searched faster.
_QUERY, _PERSON_IN_QUERY = b"author=", re.compile(rb"[?&]author=")

#: The signals of a line within some elements, and the number of ancestors considered.
_AROUND = {
    **{CODES[name]: "line in a caption" for name in ("figure", "figcaption")},
    **{CODES[name]: "line in a heading" for name in ("h1", "h2", "h3", "h4", "h5", "h6")},
}
_LEVELS = 6
#: A line of at most so many characters with at least so many digits is likely a date.
_DATE_LINE, _DATE_DIGITS = 40, 4
#: The signal of names next to each other.
BESIDE = "beside another"
#: A text, what it was found by, its signals, and its pieces if it is visible.
Place: TypeAlias = tuple[str, str, tuple[str, ...], tuple[int, int] | None]


def leads_to_person(document: Document, link: int) -> bool:
    """Tell whether the URL of a link looks like that of a person's page."""
    hrefs = document.hrefs
    href = document.columns.href_text[hrefs.start[link] : hrefs.end[link]]
    return _QUERY in href or _PERSON.search(href) is not None


def stated(scene: Scene) -> Iterator[Place]:
    """Yield the authors in metadata, with what states them."""
    for value in scene.document.metadata.authors:
        text = without_tags(value.value)
        if value.source.endswith("citation_author") and text.count(",") == 1:
            text = " ".join(part.strip() for part in reversed(text.split(",")))
        markup, _, name = value.source.partition(" ")
        path, _, kind = name.partition("/")
        if markup == "json-ld":
            markup = "json-ld article" if path.rpartition(".")[0] in ARTICLES else "json-ld other"
        elif value.source == "meta author":
            markup = value.source
        yield text, value.source, ("stated", markup, *(("stated organisation",) if kind else ())), None


def marked(scene: Scene) -> Iterator[Place]:
    """Yield the texts of small elements named after an author."""
    nodes = scene.document.nodes
    rows = _marks.marked_rows(scene.document, scene.names, _marks.AUTHOR)
    if not rows:
        return
    first, end = nodes.piece_start[rows], nodes.piece_end[rows]
    fits = (first < end) & (nodes.text_end[rows] - nodes.text_start[rows] <= MAX_BYTES)
    is_first = True
    for number in fits.nonzero()[0][:MAX_MARKED].tolist():
        pieces = int(first[number]), int(end[number])
        place = scene.place(scene.line_of(pieces[0]))
        if not scene.in_comments(pieces[0], place):
            signals = ("marked", f"marked {place}", *(("first marked",) if is_first and place != "elsewhere" else ()))
            is_first = is_first and place == "elsewhere"
            yield _join_pieces(scene, pieces), f"marked {place}", signals, pieces


def linked(scene: Scene) -> Iterator[Place]:
    """Yield the texts of links near the title and after the text that lead to a person's page on the same site."""
    document, nodes, hrefs = scene.document, scene.document.nodes, scene.document.hrefs
    text = document.columns.href_text
    own = registrable_domain(document.url).encode() if document.url else b""
    for row in _people(scene):
        href = text[hrefs.start[row] : hrefs.end[row]]
        if own and own not in href and b"//" in href[:8]:
            continue
        node = int(hrefs.node[row])
        pieces = int(nodes.piece_start[node]), int(nodes.piece_end[node])
        is_short = nodes.text_end[node] - nodes.text_start[node] <= MAX_BYTES
        place = scene.place(scene.line_of(pieces[0]))
        if pieces[0] < pieces[1] and is_short and not scene.in_comments(pieces[0], place):
            yield _join_pieces(scene, pieces), f"profile {place}", (f"profile {place}",), pieces


def _people(scene: Scene) -> list[int]:
    """Return the links near the title and after the text whose URLs look like people's pages."""
    hrefs, text = scene.document.hrefs, scene.document.columns.href_text
    rows: dict[int, None] = {}
    for first, end in scene.links_near:
        if first < end:
            begin, stop = int(hrefs.start[first]), int(hrefs.end[end - 1])
            offsets = [match.start() for match in _PERSON.finditer(text, begin, stop)]
            if text.find(_QUERY, begin, stop) >= 0:
                offsets += (match.start() for match in _PERSON_IN_QUERY.finditer(text, begin, stop))
            if offsets:
                rows |= dict.fromkeys((hrefs.start.searchsorted(sorted(offsets), "right") - 1).tolist())
    return list(rows)


def with_neighbours(scene: Scene, places: Iterable[Place]) -> list[Place]:
    """Add a signal to visible names that are separated by nothing but a comma, "and" or the like."""
    found = list(places)
    if len(found) < 2:
        return found
    beside: set[int] = set()
    for number, (before, after) in enumerate(pairwise(found)):
        if before[3] and after[3] and before[3][1] <= after[3][0] <= before[3][1] + 1:
            between = "".join(scene.texts(before[3][1], after[3][0])).strip(" ,;|&/·•").casefold()
            if not between or between in ANDS:
                beside |= {number, number + 1}
    return [
        (text, source, (*signals, BESIDE), pieces) if number in beside else (text, source, signals, pieces)
        for number, (text, source, signals, pieces) in enumerate(found)
    ]


def bylines(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title and after the text that begin like a byline, or have one within them."""
    for line in chain(_promising(scene, _near_title(scene)), _promising(scene, _after_text(scene))):
        pieces, place = scene.line_pieces(line), scene.place(line)
        if scene.characters[line] > MAX_LINE:
            found = _byline_at_beginning(scene, pieces[0])
        else:
            found = _byline_in(_join_pieces(scene, pieces), scene.digits[line] > 0)
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
            beginning = text[start : start + _BEGINNING]
            is_promising = not beginning.isascii() and any(title in beginning for title in _REPORTERS)
        else:
            words = text[start:end].decode(errors="ignore").lstrip()
            is_promising = begins_like_byline(words) or may_hold_byline(words)
        if is_promising:
            yield line


def _byline_in(text: str, has_digits: bool) -> tuple[str, tuple[str, ...]] | None:
    """Return the byline in a line and its signals."""
    if has_lead(text) or is_signed(text):
        return text, ("byline with a preposition",) if has_preposition(text) else ()
    if has_digits and (rest := after_inner_lead(text)):
        return rest, ("byline after a date",)
    if rest := reported_by(text) or within_line(text):
        return rest, ("byline within a line",)
    return None


def _byline_at_beginning(scene: Scene, piece: int) -> tuple[str, tuple[str, ...]] | None:
    """Return the reporter that the first paragraph names, as in China and Korea: "新京报快讯(记者 裴剑飞)今日…"."""
    start = int(scene.document.pieces.start[piece])
    names = reported_by(scene.document.columns.text[start : start + _BEGINNING].decode(errors="ignore"))
    return (names, ("byline within a line",)) if names else None


def signatures(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title and after the text that begin with something of the shape of a name."""
    near = range(max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + _SIGNED_BELOW + 1))
    for line in chain(near, _after_text(scene)):
        pieces, place = scene.line_pieces(line), scene.place(line)
        if line == scene.start or not SHORTEST_LINE <= scene.characters[line] <= MAX_LINE:
            continue
        texts = list(filter(None, scene.texts(*pieces)))
        found = _name_in(texts, scene.digits[line] > 0) if texts else None
        if found and not scene.in_comments(pieces[0], place):
            name, signals = found
            distance = line - scene.start
            beside = (f"{distance} lines below",) if 0 < distance <= _BESIDE else ()
            around = (*_surroundings(scene, pieces), *_dates_beside(scene, line))
            yield name, f"line {place}", ("line", f"line {place}", *beside, *signals, *around), pieces


def _name_in(texts: list[str], has_digits: bool) -> tuple[str, tuple[str, ...]] | None:
    """Return what may be a name in the pieces of a line without any mark, and its signals."""
    whole = " ".join(texts)
    if has_shape_of_name(texts[0]):
        return texts[0], ("whole line",) if len(texts) == 1 else ()
    if lists_names(whole):
        return whole, ("whole line", "line of names")
    if has_digits and (name := beside_date(whole)):
        return name, ("line with a date",)
    return None


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


def _near_title(scene: Scene) -> range:
    return range(max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + MAX_BELOW + 1))


def _after_text(scene: Scene) -> range:
    last = scene.text_lines[1]
    return range(max(_near_title(scene).stop, last), min(len(scene.edges) - 1, last + _SIGNED_AFTER + 1))


def _join_pieces(scene: Scene, pieces: tuple[int, int]) -> str:
    """Join the texts of pieces with a separator, because separate elements are separate names."""
    return " | ".join(scene.texts(*pieces))
