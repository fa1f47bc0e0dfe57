"""What stands before and after lines: neighbours, runs of text, headings, and the whole page."""

import numpy as np

from broadsheet.document import Document
from broadsheet.document.tags import CODES, NAMES
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.table import Column, Table, near

#: How far neighbours are looked at one by one, and how far together.
STEPS = (-2, -1, 1, 2)
_WINDOWS = (4, 12)
#: What a line that is no running text costs a run at least.
_LEAST_COST = 30.0
_HEADING_LEVEL = np.zeros(len(NAMES), np.int32)
_HEADING_LEVEL[[CODES[f"h{level}"] for level in range(1, 7)]] = range(1, 7)
_FAR_AWAY = 1000


def neighbour_columns(table: Table, names: tuple[str, ...], rows: int) -> dict[str, Column]:
    """Return what each line's neighbours have in some columns; beyond the page's ends it is -1."""
    reach = max(STEPS)
    padded = np.full((len(names), rows + 2 * reach), -1, np.float32)
    for place, name in enumerate(names):
        padded[place, reach : reach + rows] = table.columns[name]
    return {
        f"{name} at {step:+d}": padded[place, reach + step : reach + step + rows]
        for step in STEPS
        for place, name in enumerate(names)
    }


def window_columns(lines: Lines) -> dict[str, Column]:
    """Return how much text, running text and links stand close by, and how much before."""
    count = len(lines)
    own = np.arange(count)
    sums = np.zeros((3, count + 1))
    np.cumsum(np.stack((lines.length, lines.running, lines.link_characters)), axis=1, out=sums[:, 1:])
    found: dict[str, Column] = {}
    for window in _WINDOWS:
        sides = {"before": (np.maximum(own - window, 0), own), "after": (own + 1, np.minimum(own + window + 1, count))}
        for side, (low, high) in sides.items():
            length, running, links = sums[:, high] - sums[:, low]
            found[f"length {window} {side}"] = length
            found[f"running {window} {side}"] = running / np.maximum(length, 1)
            found[f"links {window} {side}"] = links / np.maximum(length, 1)
    found["length before all"] = sums[0, :-1] / max(sums[0, -1], 1.0)
    found["running before all"] = sums[1, :-1] / max(sums[1, -1], 1.0)
    is_running = lines.running > 0
    found["since running"] = near(own - np.maximum.accumulate(np.where(is_running, own, -_FAR_AWAY)))
    following = np.minimum.accumulate(np.where(is_running, own, count + _FAR_AWAY)[::-1])[::-1]
    found["until running"] = near(following - own)
    return found


def run_columns(lines: Lines) -> dict[str, Column]:
    """Return where lines stand to the run of lines with the most running text and the least other."""
    own = np.arange(len(lines))
    sums = np.zeros(len(lines) + 1)
    np.cumsum(np.where(lines.running > 0, lines.length, -np.maximum(lines.length, _LEAST_COST)), out=sums[1:])
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums - lowest))
    start = int(np.argmin(sums[: end + 1]))
    return {
        "run: place": near(own - start),
        "run: place from the end": near(end - own),
        "run: inside": (own >= start) & (own < end),
    }


def heading_columns(document: Document, lines: Lines, title: int | None) -> dict[str, Column | float]:
    """Return where lines stand to the headings before them, and to the title's line, where there is one."""
    own = np.arange(len(lines))
    level = _HEADING_LEVEL[document.nodes.tag[lines.block]]
    last = np.maximum.accumulate(np.where(level > 0, own, -1))
    first = np.flatnonzero(level == 1)
    return {
        "heading": level,
        "since heading": near(np.where(last >= 0, own - last, _FAR_AWAY)),
        "heading before": np.where(last >= 0, level[last], -1),
        "headings before": np.minimum(np.cumsum(level > 0), 30),
        "since h1": near(own - first[0]) if len(first) else -_FAR_AWAY,
        "since title": near(own - title) if title is not None else -_FAR_AWAY,
    }


def page_columns(lines: Lines) -> dict[str, Column | float]:
    """Return what holds for the whole page, and where lines stand in it."""
    count = len(lines)
    running = lines.running[lines.running > 0]
    length, all_running, longest = float(lines.length.sum()), float(running.sum()), float(lines.length.max())
    return {
        "page: lines": min(count, 600),
        "page: length": min(length, 30_000.0),
        "page: links": float(lines.link_characters.sum()) / length,
        "page: running": all_running / length,
        "page: running length": min(all_running, 20_000.0),
        "page: running lines": min(len(running), 100),
        "page: running a line": all_running / max(len(running), 1),
        "page: longest": min(longest, 2000.0),
        "page: words": float(lines.words.sum() / lines.characters.sum()),
        "relative place": np.arange(count) / count,
        "of longest": lines.length / longest,
    }
