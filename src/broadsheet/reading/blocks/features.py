"""All features of a page's lines, for the first pass of the trained reader."""

from dataclasses import dataclass

import numpy as np

from broadsheet.document import Document
from broadsheet.reading.blocks.containers import container_columns
from broadsheet.reading.blocks.context import (
    heading_columns,
    neighbour_columns,
    page_columns,
    run_columns,
    window_columns,
)
from broadsheet.reading.blocks.elements import Longs, find_elements
from broadsheet.reading.blocks.inside import name_columns, tag_columns, word_columns
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.names import NameScores
from broadsheet.reading.blocks.structure import kinds_of_lines, level_columns, repeat_columns
from broadsheet.reading.blocks.table import Rows, Table
from broadsheet.reading.blocks.text import text_columns
from broadsheet.reading.blocks.words import attribute_words

_OF_NEIGHBOURS = ("length", "links", "ending", "tag 0", "begun alike", "alike on path: running", "container: direct")


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """A row of features per line, and what the second pass needs of the page."""

    names: tuple[str, ...]
    rows: Rows
    #: The lines `[first, end)` of the elements around each line, level by level.
    around: list[tuple[Longs, Longs]]
    #: Numbers that lines of one kind share, for each way of being of a kind.
    kinds: list[Longs]


def measure(document: Document, lines: Lines, title: int | None, scores: NameScores) -> Features:
    """Measure the lines of a page, of which there is at least one; `title` is the line of its title."""
    table = Table(len(lines))
    elements = find_elements(document, lines)
    levels = elements.levels(lines)
    words = attribute_words(document)
    # Sums of codes tell sets of names apart well enough, and are exact as long as they are small.
    names = np.bincount(words.node, words.code % np.uint64(1 << 31), len(document.nodes)).astype(np.int64)
    kinds = kinds_of_lines(document, lines, names & 0xFFFFFFFF)
    table.add(text_columns(document, lines))
    table.add(page_columns(lines))
    table.add(level_columns(document, lines, elements, levels))
    table.add(repeat_columns(lines, kinds))
    table.add(container_columns(document, lines, elements, levels))
    table.add(neighbour_columns(table, _OF_NEIGHBOURS, len(lines)))
    table.add(window_columns(lines))
    table.add(run_columns(lines))
    table.add(heading_columns(document, lines, title))
    table.add(tag_columns(document, lines, elements))
    table.add(word_columns(words, lines, elements))
    table.add(name_columns(words, lines, elements, scores))
    around = [(elements.first[rows], elements.end[rows]) for rows in levels]
    return Features(table.names, table.rows(), around, list(kinds.values()))
