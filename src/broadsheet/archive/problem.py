"""What a check finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong: where, what, and whether it does harm."""

    where: str
    what: str
    harmless: bool = False
