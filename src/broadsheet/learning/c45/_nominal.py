"""Nominal columns, and the encoding of a table as numbers: categories become their index."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.c45._entropy import Floats

#: The sorted values of each nominal column; None for a numeric one.
Categories = tuple[NDArray[Any] | None, ...]

#: The `nominal` parameter: columns by index or name, one or several, or a mask.
Nominal = Iterable[int | str | bool] | int | str | None


def nominal_mask(nominal: Nominal, count: int, names: Sequence[str] | None) -> NDArray[np.bool_]:
    """Interpret the `nominal` parameter: None, a mask, or column indices and names."""
    mask = np.zeros(count, dtype=bool)
    if nominal is None:
        return mask
    wanted = [nominal] if isinstance(nominal, str | int) else list(nominal)
    if wanted and all(isinstance(each, bool | np.bool_) for each in wanted):
        if len(wanted) != count:
            raise InputError(f"the nominal mask has {len(wanted)} entries for {count} columns")
        return np.array(wanted, dtype=bool)
    for each in wanted:
        mask[_number(each, count, names)] = True
    return mask


def learn_categories(table: NDArray[Any], mask: NDArray[np.bool_]) -> Categories:
    """Collect the values of each nominal column."""
    return tuple(_values(table[:, index]) if nominal else None for index, nominal in enumerate(mask))


def encode(table: NDArray[Any], categories: Categories) -> Floats:
    """Encode a table with one row per column; missing values and unseen categories become NaN."""
    lines = np.empty((table.shape[1], table.shape[0]))
    for index, known in enumerate(categories):
        column = table[:, index]
        lines[index] = _numbers(column, index) if known is None else _places(column, known)
    return lines


def _number(wanted: object, count: int, names: Sequence[str] | None) -> int:
    """Return the index of one column."""
    if isinstance(wanted, str):
        if names is None:
            raise InputError(f"nominal column {wanted!r} was given by name, but the data has no column names")
        if wanted not in names:
            raise InputError(f"no column is called {wanted!r}")
        return list(names).index(wanted)
    if not isinstance(wanted, int | np.integer) or not -count <= wanted < count:
        raise InputError(f"{wanted!r} is not a column of {count}")
    return int(wanted)


def _missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of the missing values of a column: None or NaN."""
    if column.dtype.kind == "f":
        return np.isnan(column.astype(np.float64))
    if column.dtype.kind == "O":
        return np.array(
            [value is None or (isinstance(value, float | np.floating) and np.isnan(value)) for value in column],
            dtype=bool,
        )
    return np.zeros(len(column), dtype=bool)


def _values(column: NDArray[Any]) -> NDArray[Any]:
    """Return the sorted values of a nominal column: numbers if all are numbers, otherwise text."""
    present = column[~_missing(column)]
    if present.dtype.kind == "O" and not all(isinstance(value, int | float | np.number) for value in present):
        return np.unique(present.astype(np.str_))
    return np.unique(present.astype(np.float64) if present.dtype.kind != "U" else present)


def _numbers(column: NDArray[Any], index: int) -> Floats:
    """Return a numeric column's values."""
    try:
        numbers = column.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"column {index} is numeric, but not all its values are numbers: {error}") from error
    if np.isinf(numbers).any():
        raise InputError(f"column {index} has an infinite value")
    return numbers


def _places(column: NDArray[Any], known: NDArray[Any]) -> Floats:
    """Return the index of each value among the known ones."""
    places = np.full(len(column), np.nan)
    present = np.flatnonzero(~_missing(column))
    if not len(known) or not len(present):
        return places
    values = column[present].astype(known.dtype.type)
    at = np.minimum(np.searchsorted(known, values), len(known) - 1)
    seen = known[at] == values
    places[present[seen]] = at[seen]
    return places
