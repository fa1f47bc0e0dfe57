"""Where the name of an author may stand: in metadata, marked elements, and links to people."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._name_words import ANDS
from broadsheet.reading.facts._person_names import credits_makers
from broadsheet.reading.facts._scene import Scene
from broadsheet.reading.paragraphs import without_tags

#: The most elements named after an author that are considered, and the maximum size of their text in bytes.
MAX_MARKED, MAX_BYTES = 40, 300
#: The number of different texts in such elements that are many.
_MANY = 5
_PERSON = re.compile(
    rb"/(?:authors?|autor(?:es|en)?|auteurs?|by|profiles?|profil|people|staff|contributors?|reporters?|journalists?"
    rb"|writers?|redaktion|team|columnists?|correspondents|bio)/"
)
_TOPIC = re.compile(
    rb"/(?:tags?|topics?|temas?|themen?|thema|categor(?:y|ies|ia)|kategorie|rubri(?:k|que|c)|section|etiqueta)/"
)
#: Separate from `_PERSON`, because expressions that begin with a fixed character are searched faster.
_QUERY, _PERSON_IN_QUERY = b"author=", re.compile(rb"[?&]author=")

#: The signal of names next to each other.
BESIDE = "beside another"
#: A text, what it was found by, its signals, and its pieces if it is visible.
Place: TypeAlias = tuple[str, str, tuple[str, ...], tuple[int, int] | None]


def leads_to_person(document: Document, link: int) -> bool:
    """Tell whether the URL of a link looks like that of a person's page."""
    hrefs = document.hrefs
    href = document.columns.href_text[hrefs.start[link] : hrefs.end[link]]
    return _QUERY in href or _PERSON.search(href) is not None


def leads_to_topic(document: Document, pieces: tuple[int, int]) -> bool:
    """Tell whether the last of some pieces is in a link whose URL looks like that of a topic."""
    node = document.pieces.link.item(pieces[1] - 1)
    if node < 0:
        return False
    hrefs = document.hrefs
    link = hrefs.node.searchsorted(node).item()
    return _TOPIC.search(document.columns.href_text, hrefs.start.item(link), hrefs.end.item(link)) is not None


def stated(scene: Scene) -> Iterator[Place]:
    """Yield the authors in metadata, with what states them."""
    for value in scene.document.metadata.authors:
        text = without_tags(value.value)
        if credits_makers(text):
            continue
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
    is_first, found = True, list[Place]()
    for number in fits.nonzero()[0][:MAX_MARKED].tolist():
        pieces = int(first[number]), int(end[number])
        place = scene.place(scene.line_of(pieces[0]))
        if not scene.in_comments(pieces[0], place):
            signals = ("marked", f"marked {place}", *(("first marked",) if is_first and place != "elsewhere" else ()))
            is_first = is_first and place == "elsewhere"
            found.append((join_pieces(scene, pieces), f"marked {place}", signals, pieces))
    # Where the elements of many names are marked, most are those of other articles.
    number_of_texts = len({text for text, *_ in found})
    crowd = ("many marked",) if number_of_texts >= _MANY else ()
    for text, source, signals, pieces_of_text in found:
        yield text, source, (*signals, *crowd), pieces_of_text


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
            yield join_pieces(scene, pieces), f"profile {place}", (f"profile {place}",), pieces


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


def join_pieces(scene: Scene, pieces: tuple[int, int]) -> str:
    """Join the texts of pieces with a separator, because separate elements are separate names."""
    return " | ".join(scene.texts(*pieces))
