"""Which columns are nominal, and how a table becomes numbers: values as they are, categories by their place."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.learning.c45.entropy import Floats

#: The sorted values of each nominal column; None for a numeric one.
Categories = tuple[NDArray[Any] | None, ...]

#: What the `nominal` parameter may be: columns by number or name, one or several, or a mask.
Nominal = Iterable[int | str | bool] | int | str | None


def nominal_mask(nominal: Nominal, count: int, names: Sequence[str] | None) -> NDArray[np.bool_]:
    """Read the `nominal` parameter: None, a mask, or column numbers and names."""
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
    """Return the values that occur in each nominal column."""
    return tuple(_values(table[:, index]) if nominal else None for index, nominal in enumerate(mask))


def encode(table: NDArray[Any], categories: Categories) -> Floats:
    """Return the table with a line a column, NaN where a value is missing or is a category never seen."""
    lines = np.empty((table.shape[1], table.shape[0]))
    for index, known in enumerate(categories):
        column = table[:, index]
        lines[index] = _numbers(column, index) if known is None else _places(column, known)
    return lines


def _number(wanted: object, count: int, names: Sequence[str] | None) -> int:
    """Return the number of one column."""
    if isinstance(wanted, str):
        if names is None:
            raise InputError(f"the nominal column {wanted!r} is named, but the data's columns have no names")
        if wanted not in names:
            raise InputError(f"no column is called {wanted!r}")
        return list(names).index(wanted)
    if not isinstance(wanted, int | np.integer) or not -count <= wanted < count:
        raise InputError(f"{wanted!r} is not a column of {count}")
    return int(wanted)


def _missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell where a column has no value: None or NaN."""
    if column.dtype.kind == "f":
        return np.isnan(column.astype(np.float64))
    if column.dtype.kind == "O":
        return np.array(
            [value is None or (isinstance(value, float | np.floating) and np.isnan(value)) for value in column],
            dtype=bool,
        )
    return np.zeros(len(column), dtype=bool)


def _values(column: NDArray[Any]) -> NDArray[Any]:
    """Return a nominal column's values, sorted: numbers where all are, otherwise text."""
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
    """Return the place of each value among the known ones."""
    places = np.full(len(column), np.nan)
    present = np.flatnonzero(~_missing(column))
    if not len(known) or not len(present):
        return places
    values = column[present].astype(known.dtype.type)
    at = np.minimum(np.searchsorted(known, values), len(known) - 1)
    seen = known[at] == values
    places[present[seen]] = at[seen]
    return places
