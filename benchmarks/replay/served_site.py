"""A site as it was at each moment: its saved pages, and stand-ins for the others."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from benchmarks.replay.changing import StandInChanges
from benchmarks.replay.golden import Golden, GoldenLabels
from benchmarks.replay.snapshots import SavedPage
from benchmarks.replay.unsaved import UnsavedPages
from broadsheet.base import statuses, urls
from broadsheet.newsweb.response import Response, ServedContent, answer, failure

#: Saved pages are a class of their own; the others have the class of their golden label.
CLASSES = ("saved", "article", "section", "other", "unknown", "unlabelled")
_MAX_AGE = 60
_HTML = "text/html"


@dataclass(slots=True)
class Tally:
    """What was asked for of one class: addresses for the first time, repeats, repeats answered with 304, and bytes."""

    first: int = 0
    repeats: int = 0
    not_modified: int = 0
    bytes: int = 0

    @property
    def requests(self) -> int:
        """All requests."""
        return self.first + self.repeats

    def to_dict(self) -> dict[str, int]:
        """Return the figures as JSON types."""
        return {"requests": self.requests, **asdict(self)}


class ServedSite:
    """Answers requests in virtual time, and counts them."""

    def __init__(
        self, saved: Sequence[SavedPage], labels: GoldenLabels, unsaved: UnsavedPages, changes: StandInChanges
    ) -> None:
        """Take the pages of the site, and when those that were not saved change."""
        self._saved = {urls.key(page.url): page for page in saved}
        self._labels = labels
        self._unsaved = unsaved
        self._changes = changes
        self.tallies = {name: Tally() for name in CLASSES}
        self.asked: set[str] = set()

    def fetch(self, url: str, now: datetime, headers: Mapping[str, str]) -> Response:
        """Answer as the site would have at that moment; pages are sent uncompressed."""
        plain = {name: value for name, value in headers.items() if name.lower() != "accept-encoding"}
        golden = self._labels.find(url)
        saved = self._saved.get(urls.key(url)) or self._saved.get(golden.key if golden else "")
        if saved is not None:
            group, response = "saved", _saved_answer(saved, now, plain)
        elif golden is not None:
            group, response = golden.label.lower(), answer(self._stand_in(golden, now), now, plain)
        else:
            group, response = "unlabelled", failure(404, b"", now)
        self._count(group, golden.key if golden else urls.key(url), response)
        return response

    def _stand_in(self, golden: Golden, now: datetime) -> ServedContent:
        body = self._unsaved.page(golden) + self._changes.token(golden, now)
        return ServedContent(f"{_HTML}; charset=utf-8", body, self._changes.last(golden, now), _MAX_AGE)

    def _count(self, group: str, key: str, response: Response) -> None:
        tally = self.tallies.setdefault(group, Tally())
        if key in self.asked:
            tally.repeats += 1
        else:
            self.asked.add(key)
            tally.first += 1
        tally.not_modified += response.status == statuses.NOT_MODIFIED
        tally.bytes += len(response.body)


def _saved_answer(page: SavedPage, now: datetime, headers: Mapping[str, str]) -> Response:
    snapshot = page.at(now)
    body = snapshot.file.read_bytes()
    if snapshot.status != statuses.OK:
        return failure(snapshot.status, body, now, extra={"Content-Type": _HTML})
    # Without a charset: these are the raw bytes, and the page itself declares it.
    return answer(ServedContent(_HTML, body, snapshot.changed, _MAX_AGE), now, headers)
