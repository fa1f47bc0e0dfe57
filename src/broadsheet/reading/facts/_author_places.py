"""Where the name of an author may stand: in metadata, marked elements, links to people, bylines and signatures."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._person_names import (
    LONGEST_LEAD,
    after_inner_lead,
    begins_like_byline,
    has_lead,
    has_preposition,
    has_shape_of_name,
    is_signed,
)
from broadsheet.reading.facts._scene import Scene
from broadsheet.reading.paragraphs import without_tags

#: The most elements named after an author that are considered, and the maximum size of their text in bytes.
MAX_MARKED, MAX_BYTES = 40, 300
#: The length of an unmarked byline in characters, and its maximum distance from the title in lines, above and below.
SHORTEST_LINE, MAX_LINE, MAX_ABOVE, MAX_BELOW = 3, 120, 4, 14
#: The number of bytes at the beginning of a line that show whether it may be a byline.
_BEGINNING = 40
#: The lines below the title and after the text that may be a name without any mark, and those right below the title.
_SIGNED_BELOW, _SIGNED_AFTER, _BESIDE = 8, 3, 3
_PERSON = re.compile(
    rb"/(?:authors?|autor(?:es|en)?|auteurs?|by|profiles?|profil|people|staff|contributors?|reporters?|journalists?"
    rb"|writers?|redaktion|team|columnists?|correspondents|bio)/"
)
#: Separate from `_PERSON`, because expressions that begin with a fixed character are searched faster.
_QUERY, _PERSON_IN_QUERY = b"author=", re.compile(rb"[?&]author=")

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


def bylines(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title that begin like a byline, or whose part after a date or a separator does."""
    begin, end = max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + MAX_BELOW + 1)
    page_text = scene.document.columns.text
    starts = scene.document.pieces.start.take(scene.edges[begin:end]).tolist()
    counts = zip(starts, scene.characters[begin:end].tolist(), scene.digits[begin:end].tolist(), strict=True)
    for line, (start, characters, digits) in enumerate(counts, begin):
        # Most lines do not begin like a byline and need not be decoded completely.
        if not SHORTEST_LINE <= characters <= MAX_LINE:
            continue
        if not digits and not begins_like_byline(_beginning(page_text, start)):
            continue
        pieces = scene.line_pieces(line)
        text = _join_pieces(scene, pieces)
        if has_lead(text) or is_signed(text):
            signals = ("byline", "byline with a preposition") if has_preposition(text) else ("byline",)
            yield text, f"byline {scene.place(line)}", signals, pieces
        elif digits and (rest := after_inner_lead(text)):
            yield rest, f"byline {scene.place(line)}", ("byline", "byline after a date"), pieces


def signatures(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title and after the text that begin with something of the shape of a name."""
    last = scene.text_lines[1]
    numbers = len(scene.edges) - 1
    near = range(max(0, scene.start - MAX_ABOVE), min(numbers, scene.start + _SIGNED_BELOW + 1))
    after = range(max(near.stop, last), min(numbers, last + _SIGNED_AFTER + 1))
    for line in chain(near, after):
        pieces, place = scene.line_pieces(line), scene.place(line)
        if line == scene.start or not SHORTEST_LINE <= scene.characters[line] <= MAX_LINE:
            continue
        texts = list(filter(None, scene.texts(*pieces)))
        if texts and has_shape_of_name(texts[0]) and not scene.in_comments(pieces[0], place):
            distance = line - scene.start
            beside = (f"{distance} lines below",) if 0 < distance <= _BESIDE else ()
            whole = ("whole line",) if len(texts) == 1 else ()
            yield texts[0], f"line {place}", ("line", f"line {place}", *beside, *whole), pieces


def _beginning(text: bytes, start: int) -> str:
    beginning = text[start : start + _BEGINNING].decode(errors="ignore").lstrip()
    if 0 < len(beginning) < LONGEST_LEAD:
        beginning = text[start : start + 2 * _BEGINNING].decode(errors="ignore").lstrip()
    return beginning


def _join_pieces(scene: Scene, pieces: tuple[int, int]) -> str:
    """Join the texts of pieces with a separator, because separate elements are separate names."""
    return " | ".join(scene.texts(*pieces))
