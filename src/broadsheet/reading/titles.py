"""The title of an article: the best candidate among headings and metadata, weighed by its signals."""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import islice, repeat
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

import numpy as np

from broadsheet.base.text_weight import weight
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.metadata import Value
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.tags import CODES
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._signal_weights import shipped_weights
from broadsheet.reading.facts._sites import site_names
from broadsheet.reading.paragraphs import collapse

#: The most headings per level considered, and their maximum size in bytes.
MAX_HEADINGS = {"h1": 6, "h2": 8, "h3": 4}
MAX_HEADING_BYTES = 600
#: The most separators at which a stated title is split, and its maximum length in characters.
MAX_SEPARATORS = 8
MAX_STATED = 400

#: A heading is early with less than this share of the page's text before it, and late with more than the other.
_EARLY, _LATE = 0.1, 0.4
#: The number of pieces considered after a heading, and the characters outside links that count as text or as little.
_PIECES_BEHIND, _TEXT, _LITTLE_TEXT = 40, 800, 200
#: A heading is unlike a stated title if the F-score of their words is below this.
_UNLIKE = 0.3
_MOST_LINKS = 0.6
#: An only `h1` of at least this many words that the metadata repeat is hardly the name of a section.
_PLAIN_WORDS = 2
#: The minimum share of a heading in a stated title, which mostly ends in the site's name.
_LEAST_HEADING = 0.6
#: The minimum share of the visible part in a stated title; otherwise any word would do.
_LEAST_PART = 0.4
#: The fewest letters of a stated title that an `h1` begins or ends with; fewer may be chance.
_LEAST_LETTERS = 12
#: Texts with more characters per word are in a script without spaces.
_UNSPACED = 10

_SEPARATOR = re.compile(r"(?<!\s)\s++[|\-–—·•:»«<>/]++\s++|(?:(?<!\s)\s++)?[|｜»]\s*+|:\s++")
_WORD = re.compile(r"\w+")
#: The signal of a heading that a stated title contains.
_WITHIN = "within a stated one"
#: A heading of so few words that is unlike all stated titles is the name of a box or a menu.
_SHORT = frozenset((("one word",), ("few words",)))
#: The names of a heading's signals by its level, so that they need not be formatted for each heading.
_SIGNALS = {
    level: {
        signal: f"{level} {signal}"
        for signal in (
            "early", "late", "before text", "before nothing", "in a link", _WITHIN, "unlike",
        )
    }
    for level in ("h1", "lower")
}  # fmt: skip
_H1 = CODES["h1"]
_NAMES = {CODES[name]: name for name in MAX_HEADINGS}
#: A variant of a stated title, and its signals.
_Form: TypeAlias = tuple[str, tuple[str, ...]]


class Title(NamedTuple):
    """A title, its evidence, and the heading that contains it, if any."""

    text: str
    evidence: str
    node: int | None


class TitleMention(NamedTuple):
    """The text of a possible title, and the heading that contains it, if any."""

    text: str
    node: int | None


def find_titles(document: Document, weights: Mapping[str, float]) -> list[Candidate[TitleMention]]:
    """Return everything that may be the title, likeliest first."""
    found = list(title_mentions(document))
    return pool(found, weights, _relations(found))


def find_title(document: Document) -> Title | None:
    """Return the page's title from its headings and metadata, or None if it has neither."""
    # Readers ask for it, and whoever builds an article from what they read.
    return document.derive(_find_title)


def assume_title(document: Document, weights: Mapping[str, float]) -> None:
    """Let `find_title` choose the title of a document by other weights than the shipped ones.

    What is trained on titles can so use weights that were fitted in the same run.
    """
    document.assume(_find_title, _title_by(document, weights))


def _find_title(document: Document) -> Title | None:
    return _title_by(document, shipped_weights().title)


def _title_by(document: Document, weights: Mapping[str, float]) -> Title | None:
    title = _obvious_title(document)
    if title is None and (candidates := find_titles(document, weights)):
        best = candidates[0].mentions
        shown = next((mention for mention in best if mention.value.node is not None), best[0])
        is_stated = any(mention.value.node is None for mention in best)
        repeated = f"{shown.source} repeated in the metadata" if is_stated else shown.source
        title = Title(shown.value.text, repeated if shown.value.node is not None else shown.source, shown.value.node)
        if title.node is None:
            text = part_shown(title.text, _visible(document))
            title = title._replace(text=text, node=_heading_with(str(best[0].key), candidates))
    return title


def _heading_with(title: str, candidates: list[Candidate[TitleMention]]) -> int | None:
    """Return the `h1` that begins or ends with a stated title, if any: that is where the title stands."""
    if len(title) < _LEAST_LETTERS:
        return None
    headings = (mention for each in candidates for mention in each.mentions if mention.source == "h1")
    return next(
        (each.value.node for each in headings if str(each.key).startswith(title) or str(each.key).endswith(title)), None
    )


def part_shown(title: str, text: bytes) -> str:
    """Return the longest part of a title between its separators that is visible on the page, or else all of it."""
    separators = islice(_SEPARATOR.finditer(title), MAX_SEPARATORS)
    cuts = [0, *(edge for match in separators for edge in match.span()), len(title)]
    parts = [title[start:end] for start in cuts[::2] for end in cuts[1::2] if start < end]
    least = _LEAST_PART * weight(title)
    longest = sorted((part for part in parts if weight(part) >= least), key=weight, reverse=True)
    return next((part for part in longest if part.encode() in text), title)


def _visible(document: Document) -> bytes:
    """Return the text of the page without its head, which contains the stated title."""
    bodies = document.rows("body")
    return document.columns.text[document.nodes.text_start[bodies[0]] :] if len(bodies) else b""


def _obvious_title(document: Document) -> Title | None:
    """Return the only `h1` if the metadata repeats it with little added: a shortcut for most pages."""
    nodes = document.nodes
    rows = document.rows("h1")
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
    if any(title.startswith(plain) and len(plain) >= _LEAST_HEADING * len(title) for title in stated):
        return Title(text, "h1 repeated in the metadata", row)
    return None


def title_mentions(document: Document) -> Iterator[Mention[TitleMention]]:
    """Yield everything that may be the title, with its signals."""
    sites = {_plain(name) for name in site_names(document)}
    url_words = frozenset(_WORD.findall(unquote(document.url or "").casefold().replace("_", " ")))
    titles = [value for value in document.metadata.titles if 0 < len(value.value) <= MAX_STATED]
    # Metadata and headings mostly repeat each other, so each distinct text is analysed once.
    distinct = dict.fromkeys(value.value for value in titles)
    stated = {plain for title in distinct if (plain := _plain(title))}
    forms = {title: tuple(_forms(title, sites - {""})) for title in distinct}
    analysed: dict[str, tuple[str, tuple[str, ...]]] = {}
    for text, source, node, signals in (
        *((text, value.source, None, signals) for value in titles for text, signals in _stated(value, forms)),
        *_shown(document, stated),
    ):
        if text not in analysed:
            words = _WORD.findall(text.casefold())
            is_site = ("site",) if " ".join(words) in sites else ()
            analysed[text] = "".join(words), (*_length_signals(text, words), *_url_signals(words, url_words), *is_site)
        key, text_signals = analysed[text]
        if key:
            yield Mention(key, TitleMention(text, node), source, (*signals, *text_signals))


def _relations(found: list[Mention[TitleMention]]) -> dict[Hashable, list[str]]:
    """Return the signals of an `h1` with a kicker, a date or a subtitle beside a stated title, and of that title."""
    stated = {str(mention.key) for mention in found if "stated" in mention.signals}
    titles = [title for title in stated if len(title) >= _LEAST_LETTERS]
    relations: dict[Hashable, list[str]] = {}
    for heading in {str(mention.key) for mention in found if "h1" in mention.signals} - stated:
        for title in titles:
            for is_part, part, whole in (
                (heading.endswith(title), "end of the h1", "h1 ends in a stated one"),
                (heading.startswith(title), "beginning of the h1", "h1 begins with a stated one"),
            ):
                if is_part:
                    relations.setdefault(title, []).append(part)
                    relations.setdefault(heading, []).append(whole)
    return relations


def without_site(title: str, names: Iterable[str]) -> str:
    """Remove the site's name from the beginning and end of a title."""
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
    """Yield a stated title without the site's name, with it, and without its first or last part."""
    bare = _without(title, known)
    yield bare, ("stated",)
    if bare != title.strip():
        yield title.strip(), ("with the site",)
    cuts = list(islice(_SEPARATOR.finditer(bare), MAX_SEPARATORS))
    if cuts:
        first, last = bare[: cuts[-1].start()], bare[cuts[0].end() :]
        # Sites have shorter names than articles; what a colon cuts off is rather a topic.
        is_longer = weight(first) > weight(last)
        yield first, _part_signals("without its end", cuts[-1], is_longer=is_longer)
        yield last, _part_signals("without its beginning", cuts[0], is_longer=not is_longer)
    if len(cuts) > 1:
        yield bare[: cuts[0].start()], ()


def _part_signals(part: str, cut: re.Match[str], *, is_longer: bool) -> tuple[str, ...]:
    return (part, "longer part") if is_longer and cut[0].strip() != ":" else (part,)


def _stated(value: Value, forms: Mapping[str, Iterable[_Form]]) -> Iterator[_Form]:
    """Yield the variants of a stated title; the signal of its source applies to the first only."""
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
    """Yield the headings that may be the title, in page order, with their signals."""
    nodes, rows = document.nodes, document.rows(*MAX_HEADINGS)
    is_only = np.count_nonzero(nodes.tag.take(rows) == _H1) == 1
    size = nodes.text_end.take(rows) - nodes.text_start.take(rows)
    rows = rows[(size > 0) & (size <= MAX_HEADING_BYTES)]
    tags = [_NAMES[tag] for tag in nodes.tag.take(rows).tolist()]
    menus = _in_navigation(document, rows)
    spaced = [f" {title} " for title in stated]
    words = [frozenset(title.split()) for title in stated]
    numbers = dict.fromkeys(MAX_HEADINGS, 0)
    for row, name, (first, end, *amounts) in zip(rows.tolist(), tags, _surroundings(document, rows), strict=True):
        if numbers[name] < MAX_HEADINGS[name] and (text := shown_text(document, first, end)):
            likeness_signals = tuple(_likeness_signals(_plain(text), spaced, words))
            if row in menus and _WITHIN not in likeness_signals:
                continue
            if stated and "unlike" in likeness_signals and _length_signals(text, _plain(text).split()) in _SHORT:
                continue
            numbers[name] += 1
            heading_signals = (*_position_signals(*amounts), *likeness_signals)
            level_names = _SIGNALS["h1" if name == "h1" else "lower"]
            signals = (name, *map(level_names.__getitem__, heading_signals))
            yield text, name, row, (*signals, "only h1") if name == "h1" and is_only else signals


def _in_navigation(document: Document, rows: Ints) -> frozenset[int]:
    """Return the headings within `nav` elements: names of menus, unless the metadata repeat them."""
    menus = document.rows("nav")
    if not len(menus):
        return frozenset()
    before = menus.searchsorted(rows)
    # The end of all menus so far, because one may be within another.
    ends = np.maximum.accumulate(document.nodes.end.take(menus))
    return frozenset(rows[(before > 0) & (ends.take(before - 1) > rows)].tolist())


def _surroundings(document: Document, rows: Ints) -> Iterator[tuple[int, ...]]:
    """Yield the pieces `[first, end)` of each heading and the arguments of `_position_signals`, computed at once."""
    nodes, sums = document.nodes, document.sums
    outside = sums.characters - sums.link_characters
    first, end = nodes.piece_start.take(rows), nodes.piece_end.take(rows)
    behind = outside.take(np.minimum(end + _PIECES_BEHIND, len(document.pieces))) - outside.take(end)
    characters = sums.characters.take(end) - sums.characters.take(first)
    in_links = sums.link_characters.take(end) - sums.link_characters.take(first)
    columns = (first, end, outside.take(first), behind, characters, in_links)
    return zip(*(column.tolist() for column in columns), repeat(int(outside[-1])), strict=False)


def _position_signals(before: int, behind: int, characters: int, in_links: int, total: int) -> Iterator[str]:
    """Yield signals from the text before and after a heading and from the share of the heading in links.

    `before`, `behind` and `total`, which is that of the page, are numbers of characters outside links.
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


def _likeness_signals(plain: str, stated: list[str], words_of_stated: list[frozenset[str]]) -> Iterator[str]:
    """Yield signals for a heading within a stated title, padded with spaces, or with few words in common."""
    spaced = f" {plain} "
    if any(spaced in title for title in stated):
        yield _WITHIN
    words = frozenset(plain.split())
    if all(2 * len(words & other) < _UNLIKE * (len(words) + len(other)) for other in words_of_stated):
        yield "unlike"


def _length_signals(text: str, words: list[str]) -> tuple[str, ...]:
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


def _url_signals(words: list[str], url_words: frozenset[str]) -> tuple[str, ...]:
    """Return the signal for the share of a title's longer words in the URL."""
    longer = [word for word in words if len(word) > 2]
    if not longer or not url_words:
        return ()
    share = sum(map(url_words.__contains__, longer)) / len(longer)
    return ("not in the address",) if share < 0.3 else ("in the address",) if share >= 0.7 else ()


def shown_text(document: Document, first: int, end: int) -> str:
    """Return the text of pieces `[first, end)` with a space at line ends."""
    pieces, text = document.pieces, document.columns.text
    lines = pieces.line[first:end].tolist()
    if lines and lines[0] == lines[-1]:
        return collapse(text[pieces.start[first] : pieces.end[end - 1]].decode())
    starts, ends = pieces.start[first:end].tolist(), pieces.end[first:end].tolist()
    parts, last = [], None
    for line, start, stop in zip(lines, starts, ends, strict=True):
        parts.append(text[start:stop] if line == last or last is None else b" " + text[start:stop])
        last = line
    return collapse(b"".join(parts).decode())


def is_same_title(left: str, right: str) -> bool:
    """Tell whether two titles have the same words."""
    return _plain(left) == _plain(right)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
