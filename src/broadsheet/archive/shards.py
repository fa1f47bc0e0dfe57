"""Shards: several writers can share an archive, each numbering its visits in a range of its own."""

from broadsheet.base.errors import InputError

#: Visits that one shard can number.
VISITS_PER_SHARD = 1 << 40
#: The last shard whose visits still fit into 64 bits.
LAST_SHARD = (1 << 22) - 1


def require_shard(shard: int) -> None:
    """Refuse a number that no shard can have."""
    if not 0 <= shard <= LAST_SHARD:
        raise InputError(f"a shard's number must be between 0 and {LAST_SHARD:,}, not {shard}")


def shard_of(visit: int) -> int:
    """Return the shard that a visit belongs to."""
    return visit // VISITS_PER_SHARD


def first_visit_of(shard: int) -> int:
    """Return what the ids of a shard's visits are counted from."""
    return shard * VISITS_PER_SHARD


def last_visit_mark(shard: int) -> str:
    """Return the name under which the catalogue keeps a shard's last visit."""
    return f"last_visit.{shard}" if shard else "last_visit"


def is_last_visit_mark(name: str, value: str) -> bool:
    """Say whether a row of what the catalogue says of itself is the last visit of a shard, and can be true."""
    # Ids have 63 bits, which are 19 digits at the most.
    return value.isdecimal() and len(value) < 20 and name == last_visit_mark(shard_of(int(value)))
