"""What the first pass's probabilities say of each line's surroundings: the features of the second pass."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.reading.blocks.features import Features
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.table import Column, Rows, Table, near

_STEPS = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (3, 8, 20)
#: A line of the first pass that is likely body and no shorter than this is sure.
_LIKELY, _LEAST = 0.5, 40.0
_FAR_AWAY = 1000

Doubles = NDArray[np.float64]


def measure_again(features: Features, lines: Lines, likely: Doubles) -> tuple[tuple[str, ...], Rows]:
    """Return the names and rows of all features of the second pass, those of the first included."""
    table = Table(len(lines))
    length = lines.length.astype(np.float64)
    body = likely * length
    sums = np.zeros((2, len(lines) + 1))
    np.cumsum(np.stack((body, length)), axis=1, out=sums[:, 1:])
    every = max(float(sums[0, -1]), 1.0)
    table.add({"likely": likely, "page: likely": every, "page: most likely": float(likely.max())})
    table.add({"page: likely share": every / float(sums[1, -1])})
    table.add({"likely before all": sums[0, :-1] / every})
    table.add(_neighbours(likely))
    table.add(_levels(features, sums, body, length, every))
    table.add(_windows(sums))
    table.add(_sure(likely, length))
    for place, which in enumerate(features.kinds):
        table.add({f"likely of kind {place}": (np.bincount(which, body) / np.bincount(which, length))[which]})
    return features.names + table.names, np.concatenate((features.rows, table.rows()), axis=1)


def _neighbours(likely: Doubles) -> dict[str, Column]:
    reach, count = max(_STEPS), len(likely)
    padded = np.zeros(count + 2 * reach)
    padded[reach : reach + count] = likely
    return {f"likely at {step:+d}": padded[reach + step : reach + step + count] for step in _STEPS}


def _levels(features: Features, sums: Doubles, body: Doubles, length: Doubles, every: float) -> dict[str, Column]:
    found: dict[str, Column] = {}
    for level, (first, end) in enumerate(features.around):
        inside, whole = sums[:, end] - sums[:, first]
        found[f"likely {level}"] = inside / np.maximum(whole, 1)
        found[f"likely of others {level}"] = (inside - body) / np.maximum(whole - length, 1)
        found[f"share of likely {level}"] = inside / every
    return found


def _windows(sums: Doubles) -> dict[str, Column]:
    count = sums.shape[1] - 1
    own = np.arange(count)
    found: dict[str, Column] = {}
    for window in _WINDOWS:
        sides = {"before": (np.maximum(own - window, 0), own), "after": (own + 1, np.minimum(own + window + 1, count))}
        for side, (low, high) in sides.items():
            body, length = sums[:, high] - sums[:, low]
            found[f"likely {window} {side}"] = body / np.maximum(length, 1)
    return found


def _sure(likely: Doubles, length: Doubles) -> dict[str, Column]:
    """Return where lines stand to those that the first pass is sure of."""
    count = len(likely)
    own = np.arange(count)
    is_sure = (likely > _LIKELY) & (length > _LEAST)
    sure = np.flatnonzero(is_sure)
    first, last = (sure[0], sure[-1]) if len(sure) else (0, count)
    before = np.maximum.accumulate(np.where(is_sure, own, -_FAR_AWAY))
    after = np.minimum.accumulate(np.where(is_sure, own, count + _FAR_AWAY)[::-1])[::-1]
    return {
        "since first sure": near(own - first),
        "since last sure": near(own - last),
        "since sure": near(own - before),
        "until sure": near(after - own),
    }
