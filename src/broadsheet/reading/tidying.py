"""Turn the pieces chosen by an algorithm into a reading, as they are or tidy_reading up."""

import numpy as np

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading._subtrees import Mask, differences, line_edges
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.titles import find_title

#: A line with a larger share of its characters in links is navigation.
MAX_LINKS = 0.6


def raw_reading(document: Document, pieces: Mask, score: float, reader: str) -> Reading:
    """Label the chosen pieces as the body, and nothing else."""
    del document
    labels = np.where(pieces, np.int8(Label.BODY), np.int8(Label.GARBAGE))
    return Reading(labels, np.where(pieces, score, 0.0), reader)


def tidy_reading(document: Document, pieces: Mask, score: float, reader: str) -> Reading:
    """Label the chosen pieces as headings and body, without lines of links, and the title wherever it is."""
    labels = np.where(pieces & ~in_lines_of_links(document), np.int8(Label.BODY), np.int8(Label.GARBAGE))
    labels[in_headings(document) & (labels == Label.BODY)] = Label.HEADING
    title = find_title(document)
    if title is not None and title.node is not None:
        nodes = document.nodes
        labels[nodes.piece_start[title.node] : nodes.piece_end[title.node]] = Label.TITLE
    return Reading(labels, np.where(labels != Label.GARBAGE, score, 0.0), reader)


def in_lines_of_links(document: Document) -> Mask:
    """Return a mask of the pieces in lines that consist mostly of links."""
    lines, sums = document.pieces.line, document.sums
    edges = line_edges(lines)
    in_links, length = differences(sums.link_characters.take(edges)), differences(sums.characters.take(edges))
    return np.repeat(in_links > MAX_LINKS * length, differences(edges))
