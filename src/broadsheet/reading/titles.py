"""The title: among what headings and metadata say, what most signals speak for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, repeat
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.text_weight import weight
from broadsheet.document import Document
from broadsheet.document.metadata import Value
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.tags import CODES
from broadsheet.reading.facts.candidates import Saying, pool
from broadsheet.reading.facts.signal_weights import TITLE
from broadsheet.reading.facts.sites import site_names
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.subtrees import rows_of, tag_mask

#: So many headings of each kind may be the title, and none with more bytes.
MAX_HEADINGS = {"h1": 6, "h2": 8, "h3": 4}
MAX_HEADING_BYTES = 600
#: A stated title is cut at no more places than these, and none that is longer is looked at.
MAX_SEPARATORS = 8
MAX_STATED = 400

#: A heading is early with less than this share of the page's text before it, and late with more than the other.
_EARLY, _LATE = 0.1, 0.4
#: Text follows where the pieces behind a heading, so many, have as many characters outside links.
_PIECES_BEHIND, _TEXT, _LITTLE_TEXT = 40, 800, 200
#: A heading is unlike a stated title with less than this F in words.
_UNLIKE = 0.3
_MOST_LINKS = 0.6
#: A heading of so many words that is the only one of its kind is no section's.
_PLAIN_WORDS = 4
#: What stands behind a heading in the metadata, mostly the site's name, leaves at least this share to it.
_MOST_OF_IT = 0.6
#: The part of a stated title that the page shows has at least this share of it, or any word would do.
_LEAST_PART = 0.4
#: With more characters a word, a text is of a script that writes no spaces.
_UNSPACED = 10

_SEPARATOR = re.compile(r"(?<!\s)\s++[|\-–—·•:»«<>/]++\s++|(?:(?<!\s)\s++)?[|｜»]\s*+|:\s++")
_WORD = re.compile(r"\w+")
_HEADINGS = tag_mask(frozenset(MAX_HEADINGS))
#: What a heading's signals are called by its level, which would else be put together for each anew.
_SIGNALS = {
    level: {
        signal: f"{level} {signal}"
        for signal in (
            "early", "late", "before text", "before nothing", "in a link", "within a stated one", "unlike",
        )
    }
    for level in ("h1", "lower")
}  # fmt: skip
_H1, _BODY = CODES["h1"], CODES["body"]
_NAMES = {CODES[name]: name for name in MAX_HEADINGS}
#: A text that a stated title has, and its signals.
_Form: TypeAlias = tuple[str, tuple[str, ...]]


class Title(NamedTuple):
    """A title, the signal that gave it, and the heading that holds it, where one does."""

    text: str
    evidence: str
    node: int | None


class TitleSaying(NamedTuple):
    """A title as one place says it, and the heading that it is, if it is one."""

    text: str
    node: int | None


def find_title(document: Document) -> Title | None:
    """Return the page's title by its headings and metadata; None where neither says anything."""
    title = _in_plain_sight(document)
    if title is None and (found := pool(title_sayings(document), TITLE)):
        best = found[0].sayings
        shown = next((saying for saying in best if saying.value.node is not None), best[0])
        is_stated = any(saying.value.node is None for saying in best)
        repeated = f"{shown.source} repeated in the metadata" if is_stated else shown.source
        title = Title(shown.value.text, repeated if shown.value.node is not None else shown.source, shown.value.node)
        if title.node is None:
            title = title._replace(text=part_shown(title.text, _visible(document)))
    return title


def part_shown(title: str, text: bytes) -> str:
    """Return the longest part of a title, cut at its separators, that the page itself shows; else all of it."""
    separators = islice(_SEPARATOR.finditer(title), MAX_SEPARATORS)
    cuts = [0, *(edge for match in separators for edge in match.span()), len(title)]
    parts = [title[start:end] for start in cuts[::2] for end in cuts[1::2] if start < end]
    least = _LEAST_PART * weight(title)
    widest = sorted((part for part in parts if weight(part) >= least), key=weight, reverse=True)
    return next((part for part in widest if part.encode() in text), title)


def _visible(document: Document) -> bytes:
    """Return the text of the page without its head, which holds the title itself."""
    bodies = (document.nodes.tag == _BODY).nonzero()[0]
    return document.columns.text[document.nodes.text_start[bodies[0]] :] if len(bodies) else b""


def _in_plain_sight(document: Document) -> Title | None:
    """Return the only `h1` where the metadata repeat it, with little behind it: most titles need no weighing."""
    nodes = document.nodes
    rows = (nodes.tag == _H1).nonzero()[0]
    if len(rows) != 1:
        return None
    row = int(rows[0])
    first, end = int(nodes.piece_start[row]), int(nodes.piece_end[row])
    if nodes.text_end[row] - nodes.text_start[row] > MAX_HEADING_BYTES or (document.pieces.link[first:end] >= 0).any():
        return None
    text = shown_text(document, first, end)
    plain = _plain(text)
    if plain.count(" ") < _PLAIN_WORDS - 1:
        return None
    stated = (_plain(value.value) for value in document.metadata.titles)
    if any(title.startswith(plain) and len(plain) >= _MOST_OF_IT * len(title) for title in stated):
        return Title(text, "h1 repeated in the metadata", row)
    return None


def title_sayings(document: Document) -> Iterator[Saying[TitleSaying]]:
    """Give all that may be the title, each with its signals."""
    known = {_plain(name) for name in site_names(document)}
    words_of_address = frozenset(_WORD.findall(unquote(document.url or "").casefold().replace("_", " ")))
    titles = [value for value in document.metadata.titles if 0 < len(value.value) <= MAX_STATED]
    # Metadata and headings mostly repeat each other, and each text is looked at once.
    written = dict.fromkeys(value.value for value in titles)
    stated = {plain for title in written if (plain := _plain(title))}
    forms = {title: tuple(_forms(title, known - {""})) for title in written}
    of_texts: dict[str, tuple[str, tuple[str, ...]]] = {}
    for text, source, node, signals in (
        *((text, value.source, None, signals) for value in titles for text, signals in _stated(value, forms)),
        *_shown(document, stated),
    ):
        if text not in of_texts:
            words = _WORD.findall(text.casefold())
            is_site = ("site",) if " ".join(words) in known else ()
            of_texts[text] = "".join(words), (*_of_length(text, words), *_of_address(words, words_of_address), *is_site)
        key, of_text = of_texts[text]
        if key:
            yield Saying(key, TitleSaying(text, node), source, (*signals, *of_text))


def without_site(title: str, names: Iterable[str]) -> str:
    """Return a title without the site's name at its beginning or end."""
    return _without(title, {plain for name in names if (plain := _plain(name))})


def _without(title: str, known: set[str]) -> str:
    parts = list(islice(_SEPARATOR.finditer(title), MAX_SEPARATORS))
    for match in parts:
        if _plain(title[: match.start()]) in known and _plain(title[match.end() :]):
            return _without(title[match.end() :], known)
    for match in reversed(parts):
        if _plain(title[match.end() :]) in known and _plain(title[: match.start()]):
            return _without(title[: match.start()], known)
    return title.strip()


def _forms(title: str, known: set[str]) -> Iterator[_Form]:
    """Give a stated title without the site's name, with it, and without what a separator divides from its rest."""
    bare = _without(title, known)
    yield bare, ("stated",)
    if bare != title.strip():
        yield title.strip(), ("with the site",)
    cuts = list(islice(_SEPARATOR.finditer(bare), MAX_SEPARATORS))
    if cuts:
        yield bare[: cuts[-1].start()], ("without its end",)
        yield bare[cuts[0].end() :], ("without its beginning",)
    if len(cuts) > 1:
        yield bare[: cuts[0].start()], ()


def _stated(value: Value, forms: Mapping[str, Iterable[_Form]]) -> Iterator[_Form]:
    """Give the forms of a stated title; where it is stated speaks for the first alone."""
    first, *others = forms[value.value]
    yield first[0], (*first[1], _kind(value.source))
    yield from others


def _kind(source: str) -> str:
    if source in ("meta og:title", "meta twitter:title", "title"):
        return source
    _, _, name = source.partition(" ")
    thing, _, property_name = name.rpartition(".")
    return "headline" if property_name == "headline" and thing in ARTICLES else "other"


def _shown(document: Document, stated: set[str]) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    """Give the headings that may be the title, in the order of the page, with what speaks for each."""
    nodes, rows = document.nodes, rows_of(document, _HEADINGS)
    is_only = np.count_nonzero(nodes.tag.take(rows) == _H1) == 1
    size = nodes.text_end.take(rows) - nodes.text_start.take(rows)
    rows = rows[(size > 0) & (size <= MAX_HEADING_BYTES)]
    tags = [_NAMES[tag] for tag in nodes.tag.take(rows).tolist()]
    spaced = [f" {title} " for title in stated]
    words = [frozenset(title.split()) for title in stated]
    numbers = dict.fromkeys(MAX_HEADINGS, 0)
    for row, name, (first, end, *amounts) in zip(rows.tolist(), tags, _surroundings(document, rows), strict=True):
        if numbers[name] < MAX_HEADINGS[name] and (text := shown_text(document, first, end)):
            numbers[name] += 1
            of_heading = (*_of_surroundings(*amounts), *_likeness(_plain(text), spaced, words))
            of_level = _SIGNALS["h1" if name == "h1" else "lower"]
            signals = (name, *map(of_level.__getitem__, of_heading))
            yield text, name, row, (*signals, "only h1") if name == "h1" and is_only else signals


def _surroundings(document: Document, rows: NDArray[np.intp]) -> Iterator[tuple[int, ...]]:
    """Give for each heading its pieces, `[first, end)`, and what `_of_surroundings` takes, for all of them at once."""
    nodes, sums = document.nodes, document.sums
    outside = sums.characters - sums.link_characters
    first, end = nodes.piece_start.take(rows), nodes.piece_end.take(rows)
    behind = outside.take(np.minimum(end + _PIECES_BEHIND, len(document.pieces))) - outside.take(end)
    characters = sums.characters.take(end) - sums.characters.take(first)
    in_links = sums.link_characters.take(end) - sums.link_characters.take(first)
    columns = (first, end, outside.take(first), behind, characters, in_links)
    return zip(*(column.tolist() for column in columns), repeat(int(outside[-1])), strict=False)


def _of_surroundings(before: int, behind: int, characters: int, in_links: int, total: int) -> Iterator[str]:
    """Tell what stands before and behind a heading, outside links, and whether most of its own characters are in one.

    `total` are the characters of the whole page outside links.
    """
    if before < _EARLY * total:
        yield "early"
    elif before > _LATE * total:
        yield "late"
    if behind >= _TEXT:
        yield "before text"
    elif behind < _LITTLE_TEXT:
        yield "before nothing"
    if in_links > _MOST_LINKS * characters:
        yield "in a link"


def _likeness(plain: str, stated: list[str], words_of_stated: list[frozenset[str]]) -> Iterator[str]:
    """Tell whether the metadata, whose titles have a space on each side, hold a heading, or hardly a word of it."""
    spaced = f" {plain} "
    if any(spaced in title for title in stated):
        yield "within a stated one"
    words = frozenset(plain.split())
    if all(2 * len(words & other) < _UNLIKE * (len(words) + len(other)) for other in words_of_stated):
        yield "unlike"


def _of_length(text: str, words: list[str]) -> tuple[str, ...]:
    if len(text) > _UNSPACED * len(words):
        return ()
    return (
        ("one word",)
        if len(words) < 2
        else ("few words",)
        if len(words) < 4
        else ("many words",)
        if len(words) > 6
        else ()
    )


def _of_address(words: list[str], of_address: frozenset[str]) -> tuple[str, ...]:
    """Tell how much of a title the address repeats, where it repeats anything of what it could."""
    wanted = [word for word in words if len(word) > 2]
    if not wanted or not of_address:
        return ()
    share = sum(map(of_address.__contains__, wanted)) / len(wanted)
    return ("not in the address",) if share < 0.3 else ("in the address",) if share >= 0.7 else ()


def shown_text(document: Document, first: int, end: int) -> str:
    """Return the text of some pieces, with a space where a line ends."""
    pieces, text = document.pieces, document.columns.text
    lines = pieces.line[first:end].tolist()
    if lines and lines[0] == lines[-1]:
        return collapse(text[pieces.start[first] : pieces.end[end - 1]].decode())
    starts, ends = pieces.start[first:end].tolist(), pieces.end[first:end].tolist()
    written, last = [], None
    for line, start, stop in zip(lines, starts, ends, strict=True):
        written.append(text[start:stop] if line == last or last is None else b" " + text[start:stop])
        last = line
    return collapse(b"".join(written).decode())


def is_same_title(one: str, other: str) -> bool:
    """Tell whether two titles have the same words."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
