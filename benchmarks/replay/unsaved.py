"""The targets of a site that were never saved, each with the page that stands in for it."""

from collections.abc import Mapping
from pathlib import Path

from benchmarks.replay.disguise import OwnTargets, disguise
from benchmarks.replay.golden import Golden
from benchmarks.replay.standins import StandIn


class UnsavedPages:
    """Makes each page when it is first asked for, and keeps it in a folder: some are asked for every hour."""

    def __init__(self, stand_ins: Mapping[str, StandIn], targets: OwnTargets, folder: Path) -> None:
        """Take the pages by the keys of their targets, and where their own links are to lead."""
        self._stand_ins = stand_ins
        self._targets = targets
        self._folder = folder
        self._made: dict[str, Path] = {}

    def page(self, golden: Golden) -> bytes:
        """Return the page that stands in for a target."""
        if golden.key not in self._made:
            page = self._stand_ins[golden.key]
            file = self._folder / f"stand-in-{len(self._made)}.html"
            file.write_bytes(disguise(page.read(), page.url, golden.anchor, self._targets))
            self._made[golden.key] = file
        return self._made[golden.key].read_bytes()

    def name(self, key: str) -> str | None:
        """Return the name of the page that stands in for a target."""
        page = self._stand_ins.get(key)
        return page.id if page else None
