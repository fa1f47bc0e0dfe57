"""The title of an article: the best candidate among headings and metadata, weighed by its signals."""

from collections.abc import Hashable, Mapping
from itertools import islice
from typing import NamedTuple

from broadsheet.base.text_weight import weight
from broadsheet.document import Document
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._line_signals import LineScorer, line_signals
from broadsheet.reading.facts._menus import is_navigation
from broadsheet.reading.facts._signal_weights import shipped_weights
from broadsheet.reading.facts._title_mentions import (
    MAX_HEADING_BYTES,
    MAX_SEPARATORS,
    MIN_LETTERS,
    SEPARATOR,
    TitleMention,
    plain_words,
    title_mentions,
    title_relations,
)
from broadsheet.reading.lines.line_kinds import HEADLINE
from broadsheet.reading.paragraphs import shown_text

#: An only `h1` of at least this many words that the metadata repeat is hardly the name of a section.
_PLAIN_WORDS = 2
#: The minimum share of a heading in a stated title, which mostly ends in the site's name.
_MIN_HEADING = 0.6
#: The minimum share of the visible part in a stated title; otherwise any word would do.
_MIN_PART = 0.4


class Title(NamedTuple):
    """A title, its evidence, and the heading that contains it, if any."""

    text: str
    evidence: str
    node: int | None


def find_titles(
    document: Document, weights: Mapping[str, float], score_lines: LineScorer | None = None
) -> list[Candidate[TitleMention]]:
    """Return everything that may be the title, likeliest first; `score_lines` tells what looks like a headline."""
    found, related = document.derive(_mentions)
    relations = {key: [*signals] for key, signals in related.items()}
    if score_lines:
        starts, headings = document.nodes.piece_start, (each for each in found if each.value.node is not None)
        shown = [(heading.key, int(starts[heading.value.node])) for heading in headings]
        for key, signals in line_signals(score_lines, document, HEADLINE, shown).items():
            relations.setdefault(key, []).extend(signals)
    return pool(found, weights, relations)


def _mentions(document: Document) -> tuple[list[Mention[TitleMention]], dict[Hashable, list[str]]]:
    found = list(title_mentions(document))
    return found, title_relations(found)


def find_title(document: Document) -> Title | None:
    """Return the page's title from its headings and metadata, or None if it has neither."""
    # Readers ask for it, and whoever builds an article from what they read.
    return document.derive(_find_title)


def assume_title(document: Document, weights: Mapping[str, float]) -> None:
    """Let `find_title` choose the title of a document by other weights than the shipped ones.

    What is trained on titles can so use weights that were fitted in the same run.
    """
    document.assume(_find_title, title_by(document, weights))


def _find_title(document: Document) -> Title | None:
    return title_by(document, shipped_weights().title)


def title_by(document: Document, weights: Mapping[str, float], score_lines: LineScorer | None = None) -> Title | None:
    """Choose the title of a document by some weights, and by how much its headings look like headlines, if given."""
    title = document.derive(_obvious_title)
    if title is None and (candidates := find_titles(document, weights, score_lines)):
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
    if len(title) < MIN_LETTERS:
        return None
    headings = (mention for each in candidates for mention in each.mentions if mention.source == "h1")
    return next(
        (each.value.node for each in headings if str(each.key).startswith(title) or str(each.key).endswith(title)), None
    )


def part_shown(title: str, text: bytes) -> str:
    """Return the longest part of a title between its separators that is visible on the page, or else all of it."""
    separators = islice(SEPARATOR.finditer(title), MAX_SEPARATORS)
    cuts = [0, *(edge for match in separators for edge in match.span()), len(title)]
    parts = [title[start:end] for start in cuts[::2] for end in cuts[1::2] if start < end]
    least = _MIN_PART * weight(title)
    longest = sorted((part for part in parts if weight(part) >= least), key=weight, reverse=True)
    shown = (part for part in longest if part.encode() in text)
    return next((part for part in shown if not is_navigation(plain_words(part))), title)


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
    plain = plain_words(text)
    if plain.count(" ") < _PLAIN_WORDS - 1 or is_navigation(plain):
        return None
    stated = (plain_words(value.value) for value in document.metadata.titles)
    if any(title.startswith(plain) and len(plain) >= _MIN_HEADING * len(title) for title in stated):
        return Title(text, "h1 repeated in the metadata", row)
    return None


def is_same_title(left: str, right: str) -> bool:
    """Tell whether two titles have the same words."""
    return plain_words(left) == plain_words(right)
