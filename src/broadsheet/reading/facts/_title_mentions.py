"""Everything that may be the title of an article: headings and stated titles, each with its signals."""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
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
from broadsheet.reading.facts._candidates import Mention
from broadsheet.reading.facts._menus import in_menus, is_navigation
from broadsheet.reading.facts._sites import site_names
from broadsheet.reading.paragraphs import shown_text

#: The most headings per level considered, and their maximum size in bytes.
MAX_HEADINGS = {"h1": 6, "h2": 8, "h3": 4}
MAX_HEADING_BYTES = 600
#: The most separators at which a stated title is split, and its maximum length in characters.
MAX_SEPARATORS = 8
MAX_STATED = 400
#: The fewest letters of a stated title that an `h1` begins or ends with; fewer may be chance.
MIN_LETTERS = 12
#: What stands between the parts of a stated title.
SEPARATOR = re.compile(r"(?<!\s)\s++[|\-–—·•:»«<>/]++\s++|(?:(?<!\s)\s++)?[|｜»]\s*+|:\s++")

#: A heading is early with less than this share of the page's text before it, and late with more than the other.
_EARLY, _LATE = 0.1, 0.4
#: The number of pieces considered after a heading, and the characters outside links that count as text or as little.
_PIECES_AFTER, _TEXT, _LITTLE_TEXT = 40, 800, 200
#: A heading is unlike a stated title if the F-score of their words is below this.
_UNLIKE = 0.3
_MAX_LINKS = 0.6
#: Texts with more characters per word are in a script without spaces.
_UNSPACED = 10

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


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """Return the words of a text, folded and without punctuation."""
    return " ".join(_WORD.findall(text.casefold()))


class TitleMention(NamedTuple):
    """The text of a possible title, and the heading that contains it, if any."""

    text: str
    node: int | None


def title_mentions(document: Document) -> Iterator[Mention[TitleMention]]:
    """Yield everything that may be the title, with its signals."""
    sites = {plain_words(name) for name in site_names(document)}
    url_words = frozenset(_WORD.findall(unquote(document.url or "").casefold().replace("_", " ")))
    titles = [value for value in document.metadata.titles if 0 < len(value.value) <= MAX_STATED]
    # Metadata and headings mostly repeat each other, so each distinct text is analysed once.
    distinct = dict.fromkeys(value.value for value in titles)
    stated = {plain for title in distinct if (plain := plain_words(title))}
    forms = {title: tuple(_forms(title, sites - {""})) for title in distinct}
    # The headings of a page that calls itself "Home" are those of its teasers, unless there is only one.
    is_entry = any(is_navigation(plain_words(bare)) for (bare, _), *_ in forms.values())
    analysed: dict[str, tuple[str, tuple[str, ...]]] = {}
    for text, source, node, signals in (
        *((text, value.source, None, signals) for value in titles for text, signals in _stated(value, forms)),
        *(each for each in _shown(document, stated) if not is_entry or "only h1" in each[-1]),
    ):
        if text not in analysed:
            words = _WORD.findall(text.casefold())
            plain = " ".join(words)
            is_site = ("site",) if plain in sites else ()
            key = "" if is_navigation(plain) else "".join(words)
            analysed[text] = key, (*_length_signals(text, words), *_url_signals(words, url_words), *is_site)
        key, text_signals = analysed[text]
        if key:
            yield Mention(key, TitleMention(text, node), source, (*signals, *text_signals))


def title_relations(found: list[Mention[TitleMention]]) -> dict[Hashable, list[str]]:
    """Return the signals of an `h1` with a kicker, a date or a subtitle beside a stated title, and of that title."""
    stated = {str(mention.key) for mention in found if "stated" in mention.signals}
    titles = [title for title in stated if len(title) >= MIN_LETTERS]
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


def without_site(title: str, known: set[str]) -> str:
    """Remove the site's name, in plain words, from the beginning and end of a title."""
    parts = list(islice(SEPARATOR.finditer(title), MAX_SEPARATORS))
    for match in parts:
        if plain_words(title[: match.start()]) in known and plain_words(title[match.end() :]):
            return without_site(title[match.end() :], known)
    for match in reversed(parts):
        if plain_words(title[match.end() :]) in known and plain_words(title[: match.start()]):
            return without_site(title[: match.start()], known)
    return title.strip()


def _forms(title: str, known: set[str]) -> Iterator[_Form]:
    """Yield a stated title without the site's name, with it, and without its first or last part."""
    bare = without_site(title, known)
    yield bare, ("stated",)
    if bare != title.strip():
        yield title.strip(), ("with the site",)
    cuts = list(islice(SEPARATOR.finditer(bare), MAX_SEPARATORS))
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
    is_in_menu = in_menus(document)
    spaced = [f" {title} " for title in stated]
    words = [frozenset(title.split()) for title in stated]
    numbers = dict.fromkeys(MAX_HEADINGS, 0)
    for row, name, (first, end, *amounts) in zip(rows.tolist(), tags, _surroundings(document, rows), strict=True):
        if numbers[name] < MAX_HEADINGS[name] and (text := shown_text(document, first, end)):
            likeness_signals = tuple(_likeness_signals(plain_words(text), spaced, words))
            if _WITHIN not in likeness_signals and is_in_menu(row):
                continue
            if stated and "unlike" in likeness_signals and _length_signals(text, plain_words(text).split()) in _SHORT:
                continue
            numbers[name] += 1
            heading_signals = (*_position_signals(*amounts), *likeness_signals)
            level_names = _SIGNALS["h1" if name == "h1" else "lower"]
            signals = (name, *map(level_names.__getitem__, heading_signals))
            yield text, name, row, (*signals, "only h1") if name == "h1" and is_only else signals


def _surroundings(document: Document, rows: Ints) -> Iterator[tuple[int, ...]]:
    """Yield the pieces `[first, end)` of each heading and the arguments of `_position_signals`, computed at once."""
    nodes, sums = document.nodes, document.sums
    outside = sums.characters - sums.link_characters
    first, end = nodes.piece_start.take(rows), nodes.piece_end.take(rows)
    behind = outside.take(np.minimum(end + _PIECES_AFTER, len(document.pieces))) - outside.take(end)
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
    if in_links > _MAX_LINKS * characters:
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
