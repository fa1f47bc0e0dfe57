"""How old responses may become so that an archive does not grow beyond a size: the oldest ones go first."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from sqlalchemy import Connection

from broadsheet.archive import catalogued_files
from broadsheet.archive.folder import CATALOGUE, JOURNALS, SEARCH
from broadsheet.archive.keep_ages import KeepRules
from broadsheet.base.keep_rules import KeepRule

#: An archive that is too large shrinks to this share of its limit, so that it does not have to shrink all the time.
ROOM = 0.95
#: The kinds of responses that go so that a size is kept to.
PRESSED_KINDS = ("fronts", "other")
_HOUR = 3_600_000_000
_HOURLY = timedelta(hours=1)

#: Says of each visit of a table whether its response could go if it were old enough.
MayGo = Callable[[Any], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class SizePressure:
    """An archive that is larger than it may be: by how much, and how much of that no rule can remove."""

    excess: int = 0
    stuck: int = 0


#: An archive that is not too large.
NO_PRESSURE = SizePressure()


def archive_size(folder: Path, connection: Connection) -> int:
    """Return the bytes of an archive's files, without those that are about to be removed."""
    named = sum(file.size for file in catalogued_files.files(connection))
    paths = (folder / name for name in (CATALOGUE, *JOURNALS, SEARCH))
    return named + sum(path.stat().st_size for path in paths if path.exists())


def pressed(  # noqa: PLR0913 - what is known, each by its name
    folder: Path,
    connection: Connection,
    rules: KeepRules,
    *,
    limit: int,
    now: datetime,
    visits: Callable[[], Iterable[Any]],
    may_go: MayGo,
) -> tuple[KeepRules, SizePressure]:
    """Return the rules with ages that are as short as a size asks for, and how far the archive is beyond that size.

    Articles, and sources whose own rule keeps everything, are left out.
    """
    size = archive_size(folder, connection)
    if size <= limit:
        return rules, NO_PRESSURE
    hours = _bytes_by_hour(visits(), rules, may_go)
    wanted = size - int(limit * ROOM)
    oldest = sorted(hours)
    sums = np.cumsum([hours[hour] for hour in oldest], dtype=np.int64)
    place = min(int(np.searchsorted(sums, wanted)), len(oldest) - 1)
    stuck = max(0, size - limit - int(sums[-1] if len(sums) else 0))
    if place < 0:
        return rules, SizePressure(size - limit, stuck)
    end = datetime.fromtimestamp((oldest[place] + 1) * _HOUR / 1e6, UTC)
    age = max(now - end, _HOURLY)
    return _shortened(rules, age), SizePressure(size - limit, stuck)


def _bytes_by_hour(visits: Iterable[Any], rules: KeepRules, may_go: MayGo) -> dict[int, int]:
    """Return the bytes of responses that could go, by the hour of their visit."""
    exempt = pa.array([source for source, rule in (rules.own or {}).items() if not rule], pa.string())
    found: dict[int, int] = {}
    for table in visits:
        is_exempt = pc.is_in(table["source"], exempt).to_numpy()
        some = table.filter(pa.array(may_go(table) & ~is_exempt))
        hours = some["fetched_at"].cast(pa.int64()).to_numpy() // _HOUR
        each, places = np.unique(hours, return_inverse=True)
        sums = np.bincount(places, weights=some["length"].to_numpy(), minlength=len(each))
        for hour, size in zip(each.tolist(), sums.tolist(), strict=True):
            found[hour] = found.get(hour, 0) + int(size)
    return found


def _shortened(rules: KeepRules, age: timedelta) -> KeepRules:
    own = {source: _limited(rule, age) if rule else rule for source, rule in (rules.own or {}).items()}
    return KeepRules(_limited(rules.default, age), own)


def _limited(rule: KeepRule, age: timedelta) -> KeepRule:
    return replace(rule, fronts=min(rule.fronts or age, age), other=min(rule.other or age, age))
