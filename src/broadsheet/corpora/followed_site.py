"""A site that was visited again and again: what the studies of sources over time need to know of it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from broadsheet.base.records import Kind
from broadsheet.corpora.saved_visit import SavedVisit


class FollowedSite(Protocol):
    """Visits of a site in the order of time, and what its addresses are."""

    @property
    def site(self) -> str:
        """The site's name, which ends in its domain."""
        ...

    @property
    def judged(self) -> Sequence[int] | None:
        """The snapshots after which targets are judged; None for all."""
        ...

    def visits(self) -> list[SavedVisit]:
        """Return the visits in the order of time; snapshots are numbered from 1."""
        ...

    def kinds(self) -> dict[str, Kind]:
        """Return what is known for certain, by the key of the address."""
        ...

    def is_own(self, url: str) -> bool:
        """Return whether an address is on the site."""
        ...

    def state(self) -> Mapping[str, object]:
        """Return what changes when the saved data change, to tell whether earlier results still hold."""
        ...
