"""Listening to what happens in an archive, while a crawl in this process or another one adds to it."""

import logging
import threading
from collections.abc import Callable, Collection, Iterator

from broadsheet.archive import ArchiveEvent, EventKind, Store
from broadsheet.base.closable import Closable

#: Seconds between two looks at the log, and how many events are in memory at a time.
POLL_SECONDS = 0.5
EVENTS_AT_ONCE = 500

_log = logging.getLogger(__name__)


def follow(
    store: Store,
    after: int,
    wait: Callable[[float], bool] | None,
    *,
    kinds: Collection[EventKind] = (),
    source: str | None = None,
) -> Iterator[ArchiveEvent]:
    """Yield the events after one, then those that follow, until `wait` returns True; without it, only those there are.

    `wait` sleeps for some seconds; no transaction is open meanwhile.
    """
    while True:
        found = store.events(after, kinds=kinds, source=source, limit=EVENTS_AT_ONCE)
        for event in found:
            yield event
            after = event.id
        if len(found) == EVENTS_AT_ONCE:
            continue
        if wait is None or wait(POLL_SECONDS):
            return


class EventListener(Closable):
    """Calls a function for each event, in a thread of its own, until it is closed."""

    def __init__(
        self,
        events: Callable[[Callable[[float], bool]], Iterator[ArchiveEvent]],
        callback: Callable[[ArchiveEvent], object],
    ) -> None:
        """Start to listen."""
        self._events = events
        self._callback = callback
        self._stopped = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="broadsheet-events", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening after the event in hand, and raise what the function raised, if it did."""
        self._stopped.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _run(self) -> None:
        try:
            for event in self._events(self._stopped.wait):
                if self._stopped.is_set():
                    return
                self._callback(event)
        except Exception as error:  # noqa: BLE001 - whatever a caller's function raises is raised again by `close`
            _log.warning("a listener stopped: %s: %s", type(error).__name__, error)
            self._error = error
