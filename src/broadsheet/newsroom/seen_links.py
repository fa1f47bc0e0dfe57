"""Links that were seen before, so that only new ones are looked up in the archive."""

#: Links that are remembered, of all sources together; each takes about 230 bytes.
MAX_SEEN = 200_000


class SeenLinks:
    """Remembers links for as long as pages show them; when it is full, what was not seen lately is forgotten."""

    def __init__(self, most: int = MAX_SEEN) -> None:
        """Remember nothing yet."""
        self._most = most
        #: By source and key: the address that was seen, and its distance from the home page.
        self._recent: dict[tuple[str, str], tuple[str, int]] = {}
        #: What was recent before; a link that is seen again is recent again.
        self._earlier: dict[tuple[str, str], tuple[str, int]] = {}

    def __len__(self) -> int:
        """Return how many links are remembered."""
        return len(self._recent) + len(self._earlier)

    def knows(self, source: str, key: str, url: str, distance: int) -> bool:
        """Return whether a link was seen at this address, and no farther from the home page."""
        seen = self._recent.get((source, key))
        if seen is None:
            seen = self._earlier.pop((source, key), None)
            if seen is not None:
                self.remember(source, key, *seen)
        return seen is not None and seen[0] == url and seen[1] <= distance

    def remember(self, source: str, key: str, url: str, distance: int) -> None:
        """Keep a link in mind."""
        if len(self._recent) >= self._most // 2:
            self._earlier, self._recent = self._recent, {}
        self._recent[source, key] = url, distance
