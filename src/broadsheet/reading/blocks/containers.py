"""Where lines stand to the elements that hold most of a page's running text."""

import numpy as np

from broadsheet.document import Document
from broadsheet.reading.blocks.elements import Elements, Longs
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.table import Column, near

#: What text one level further down counts for the wider container.
_FURTHER = 0.7


def container_columns(
    document: Document, lines: Lines, elements: Elements, levels: list[Longs]
) -> dict[str, Column | float]:
    """Return where lines stand to the element whose own paragraphs are the most text, and to the one around those."""
    size = len(document.nodes)
    direct = np.bincount(levels[1], lines.running, size)
    wider = direct + _FURTHER * np.bincount(levels[2], lines.running, size)
    every = max(float(lines.running.sum()), 1.0)
    found: dict[str, Column | float] = {}
    for name, scores in (("container", direct), ("wider", wider)):
        best = int(np.argmax(scores))
        found |= {f"{name}: {key}": column for key, column in _places(document, lines, elements, best).items()}
        found[f"{name}: share"] = float(scores[best]) / every
        found[f"{name}: direct"] = levels[1] == best
    return found


def _places(document: Document, lines: Lines, elements: Elements, container: int) -> dict[str, Column]:
    own = np.arange(len(lines))
    first, end = int(elements.first[container]), int(elements.end[container])
    inside = (own >= first) & (own < end)
    running = np.flatnonzero(inside & (lines.running > 0))
    first_text, last_text = (running[0], running[-1]) if len(running) else (first, end)
    return {
        "inside": inside,
        "place": near(own - first),
        "place from the end": near(end - own),
        "relative place": (own - first) / max(end - first, 1),
        "from the first text": near(own - first_text),
        "from the last text": near(own - last_text),
        "levels apart": _levels_apart(document, elements, container, own),
    }


def _levels_apart(document: Document, elements: Elements, container: int, own: Longs) -> Longs:
    """Return how many levels up from the container the first element is that also holds the line."""
    chain = [container]
    while chain[-1] > 0:
        chain.append(int(document.nodes.parent[chain[-1]]))
    above = np.array(chain)
    # An element further up holds all lines of those below, so the lines that leave are counted at both its edges.
    size = len(own) + 1
    held = np.cumsum(
        np.bincount(elements.first[above], minlength=size) - np.bincount(elements.end[above], minlength=size)
    )
    apart: Longs = len(chain) - held[: len(own)]
    return apart
