"""The title: among what headings and metadata say, what most signals speak for."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from broadsheet.document import Document
from broadsheet.document.metadata import Value
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.tags import CODES
from broadsheet.reading.facts.candidates import Saying, pool
from broadsheet.reading.facts.sites import site_names
from broadsheet.reading.facts.weights import TITLE
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.shape import rows_of, tag_mask

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
#: With more characters a word, a text is of a script that writes no spaces.
_UNSPACED = 10

_SEPARATOR = re.compile(r"\s+[|\-–—·•:»«<>/]+\s+|\s*[|｜»]\s*|:\s+")
_WORD = re.compile(r"\w+")
_HEADINGS = tag_mask(frozenset(MAX_HEADINGS))
_NAMES = {CODES[name]: name for name in MAX_HEADINGS}


class Title(NamedTuple):
    """A title, the signal that gave it, and the heading that holds it, where one does."""

    text: str
    evidence: str
    node: int | None


class Said(NamedTuple):
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
    return title


def _in_plain_sight(document: Document) -> Title | None:
    """Return the only `h1` where the metadata repeat it, with little behind it: most titles need no weighing."""
    rows = document.rows("h1")
    if len(rows) != 1:
        return None
    nodes, row = document.nodes, int(rows[0])
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


def title_sayings(document: Document) -> Iterator[Saying[Said]]:
    """Give all that may be the title, each with its signals."""
    sites = site_names(document)
    known = {_plain(name) for name in sites}
    words_of_address = frozenset(_WORD.findall(unquote(document.url or "").casefold().replace("_", " ")))
    titles = [value for value in document.metadata.titles if 0 < len(value.value) <= MAX_STATED]
    stated = {plain for value in titles if (plain := _plain(value.value))}
    for text, source, node, signals in (
        *((text, value.source, None, signals) for value in titles for text, signals in _stated(value, sites)),
        *_shown(document, stated),
    ):
        words = _WORD.findall(text.casefold())
        if words:
            of_text = (*_of_length(text, words), *_of_address(words, words_of_address))
            is_site = ("site",) if " ".join(words) in known else ()
            yield Saying("".join(words), Said(text, node), source, (*signals, *of_text, *is_site))


def without_site(title: str, names: Iterable[str]) -> str:
    """Return a title without the site's name at its beginning or end."""
    known = {plain for name in names if (plain := _plain(name))}
    parts = list(islice(_SEPARATOR.finditer(title), MAX_SEPARATORS))
    for match in parts:
        if _plain(title[: match.start()]) in known and _plain(title[match.end() :]):
            return without_site(title[match.end() :], names)
    for match in reversed(parts):
        if _plain(title[match.end() :]) in known and _plain(title[: match.start()]):
            return without_site(title[: match.start()], names)
    return title.strip()


def _stated(value: Value, sites: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give a stated title without the site's name, with it, and without what a separator divides from its rest."""
    bare = without_site(value.value, sites)
    yield bare, ("stated", _kind(value.source))
    if bare != value.value.strip():
        yield value.value.strip(), ("with the site",)
    cuts = list(islice(_SEPARATOR.finditer(bare), MAX_SEPARATORS))
    if cuts:
        yield bare[: cuts[-1].start()], ("without its end",)
        yield bare[cuts[0].end() :], ("without its beginning",)
    if len(cuts) > 1:
        yield bare[: cuts[0].start()], ()


def _kind(source: str) -> str:
    if source in ("meta og:title", "meta twitter:title", "title"):
        return source
    _, _, name = source.partition(" ")
    thing, _, property_name = name.rpartition(".")
    return "headline" if property_name == "headline" and thing in ARTICLES else "other"


def _shown(document: Document, stated: set[str]) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    """Give the headings that may be the title, in the order of the page, with what speaks for each."""
    nodes = document.nodes
    rows = rows_of(document, _HEADINGS)
    tags = [_NAMES[tag] for tag in nodes.tag.take(rows).tolist()]
    words = [frozenset(title.split()) for title in stated]
    numbers = dict.fromkeys(MAX_HEADINGS, 0)
    for row, name in zip(rows.tolist(), tags, strict=True):
        if numbers[name] == MAX_HEADINGS[name] or nodes.text_end[row] - nodes.text_start[row] > MAX_HEADING_BYTES:
            continue
        pieces = int(nodes.piece_start[row]), int(nodes.piece_end[row])
        if text := shown_text(document, *pieces):
            numbers[name] += 1
            level = "h1" if name == "h1" else "lower"
            around = (*_surroundings(document, *pieces), *_likeness(_plain(text), stated, words))
            signals = (name, *(f"{level} {signal}" for signal in around))
            yield text, name, row, (*signals, "only h1") if name == "h1" and tags.count(name) == 1 else signals


def _surroundings(document: Document, first: int, end: int) -> Iterator[str]:
    """Tell what text stands before and behind a heading, and whether it is a link itself."""
    sums = document.sums
    edges = (first, end, min(end + _PIECES_BEHIND, len(document.pieces)), len(document.pieces))
    characters, in_links = sums.characters.take(edges).tolist(), sums.link_characters.take(edges).tolist()
    before, to_end, to_behind, total = (all_ - links for all_, links in zip(characters, in_links, strict=True))
    if before < _EARLY * total:
        yield "early"
    elif before > _LATE * total:
        yield "late"
    if to_behind - to_end >= _TEXT:
        yield "before text"
    elif to_behind - to_end < _LITTLE_TEXT:
        yield "before nothing"
    if in_links[1] - in_links[0] > _MOST_LINKS * (characters[1] - characters[0]):
        yield "in a link"


def _likeness(plain: str, stated: set[str], words_of_stated: list[frozenset[str]]) -> Iterator[str]:
    """Tell whether the metadata hold a heading, or hardly a word of it."""
    if any(f" {plain} " in f" {title} " for title in stated):
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
    share = sum(word in of_address for word in wanted) / len(wanted)
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


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
