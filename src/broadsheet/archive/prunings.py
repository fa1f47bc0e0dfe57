"""How much the rules of `keep` have removed from an archive, by source and kind."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from broadsheet.archive import tables
from broadsheet.archive.insertions import upsert

#: The source, empty for visits without one, and a kind of `KeepRule`.
PruningKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Pruning:
    """So many responses or link occurrences with so many bytes, all of visits before a moment."""

    number: int
    bytes: int
    before: datetime

    def plus(self, other: "Pruning") -> "Pruning":
        """Return both together."""
        return Pruning(self.number + other.number, self.bytes + other.bytes, max(self.before, other.before))


def stored(connection: Connection) -> dict[PruningKey, Pruning]:
    """Return what was removed so far."""
    fields = tables.prunings.c
    query = select(tables.prunings).order_by(fields.source, fields.kind)
    return {(row.source, row.kind): Pruning(row.number, row.bytes, row.before) for row in connection.execute(query)}


def add(connection: Connection, removed: Mapping[PruningKey, Pruning]) -> None:
    """Add what is removed in the same transaction."""
    total = united([stored(connection), removed])
    values = [{"source": key[0], "kind": key[1], **asdict(total[key])} for key in removed]
    upsert(connection, tables.prunings, values)


def united(many: Iterable[Mapping[PruningKey, Pruning]]) -> dict[PruningKey, Pruning]:
    """Return the sums by source and kind."""
    found: dict[PruningKey, Pruning] = {}
    for each in many:
        for key, pruning in each.items():
            found[key] = found[key].plus(pruning) if key in found else pruning
    return found
