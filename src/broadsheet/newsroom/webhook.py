"""Events of an archive sent to an address of the user, at least once each, however long that address is down."""

import hashlib
import hmac
import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from broadsheet.archive import ArchiveError, ArchiveEvent, EventKind, Store
from broadsheet.base.errors import ConfigError
from broadsheet.base.webhook_settings import WebhookSettings
from broadsheet.newsroom.event_listener import POLL_SECONDS
from broadsheet.newsroom.newsroom_errors import NotDelivered

#: Events of one request, seconds before the first and the last attempts again, and bytes of an answer that are read.
EVENTS_PER_REQUEST = 100
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
_ANSWER_BYTES = 1_000

SIGNATURE = "X-Broadsheet-Signature"


class Webhook:
    """One address; `send` returns when it has confirmed some events."""

    def __init__(self, settings: WebhookSettings) -> None:
        """Take the address; a kind of event that does not exist is an error."""
        names = settings.kind_names()
        if unknown := [name for name in names if name not in set(EventKind)]:
            known = ", ".join(EventKind)
            raise ConfigError(f"webhook.kinds: no event is of the kind {unknown[0]!r}; the kinds are {known}")
        self.kinds = tuple(map(EventKind, names))
        self._settings = settings
        #: What the archive knows the address by: an address may hold a password.
        self.id = hashlib.sha256(settings.url.encode()).hexdigest()

    def send(self, archive: str, events: Sequence[ArchiveEvent]) -> None:
        """Send some events in one request."""
        content = {"archive": archive, "events": [to_values(event) for event in events]}
        body = json.dumps(content, ensure_ascii=True).encode("ascii")
        headers = {"Content-Type": "application/json", "User-Agent": "broadsheet"}
        if self._settings.secret:
            headers[SIGNATURE] = signature(self._settings.secret, body)
        try:
            status = self._post(body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise NotDelivered(f"the webhook cannot be reached: {str(error) or type(error).__name__}") from error
        if not 200 <= status < 300:
            raise NotDelivered(f"the webhook answered with status {status} instead of one from 200 to 299")

    def _post(self, body: bytes, headers: dict[str, str]) -> int:
        parts = urlsplit(self._settings.url)
        host, timeout = parts.hostname or "", self._settings.timeout
        port = parts.port or (443 if parts.scheme == "https" else 80)
        connection = http.client.HTTPConnection(host, port, timeout=timeout)
        # Connected here, so that the address that was checked is the one that is sent to.
        connection.sock = self._connected(host, port)
        try:
            if parts.scheme == "https":
                connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", target, body, headers)
            answer = connection.getresponse()
            answer.read(_ANSWER_BYTES)
            return answer.status
        finally:
            connection.close()

    def _connected(self, host: str, port: int) -> socket.socket:
        refused: OSError = ConnectionError(f"{host} has no address")
        for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            if not self._settings.allow_local and not ipaddress.ip_address(address[0]).is_global:
                refused = ConnectionError(
                    f"{host} is this machine or in a private network; set webhook.allow_local to send there"
                )
                continue
            opened = socket.socket(family, kind, protocol)
            opened.settimeout(self._settings.timeout)
            try:
                opened.connect(address)
            except OSError as error:
                opened.close()
                refused = error
            else:
                return opened
        raise refused


def to_values(event: ArchiveEvent) -> dict[str, object]:
    """Return an event in plain types that JSON knows."""
    return {
        "id": event.id,
        "at": event.at.isoformat(),
        "kind": event.kind.value,
        "source": event.source,
        "page": event.page,
        "detail": dict(event.detail),
    }


def signature(secret: str, body: bytes) -> str:
    """Return what a receiver compares with the header, by `hmac.compare_digest`."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class WebhookDelivery:
    """Sends what an archive's log holds, in order; what was confirmed is kept in the archive."""

    def __init__(self, store: Store, hook: Webhook, first: int | None = None) -> None:
        """Begin where the last delivery ended; the first one begins after an event, by default the newest."""
        self._store = store
        self._hook = hook
        done = store.delivered(hook.id)
        if done is None:
            done = store.last_event() if first is None else first
            store.note_delivery(hook.id, done)
        self._done = done

    def deliver(self, after: int | None = None) -> int:
        """Send all that is due, and return how many events that were; `after` sends again what was sent already."""
        number, self._done = 0, self._done if after is None else after
        while events := self._store.events(self._done, kinds=self._hook.kinds, limit=EVENTS_PER_REQUEST):
            self._hook.send(str(self._store.id), events)
            self._done = events[-1].id
            self._store.note_delivery(self._hook.id, self._done)
            number += len(events)
        return number

    def run(self, wait: Callable[[float], bool], tell: Callable[[str], None]) -> None:
        """Send what happens until `wait`, which sleeps for some seconds, returns True; failures are tried again."""
        pause = FIRST_PAUSE
        while True:
            try:
                self.deliver()
            except (NotDelivered, ArchiveError) as error:
                tell(f"{error}; trying again in {pause:g} s")
                if wait(pause):
                    return
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                pause = FIRST_PAUSE
                if wait(POLL_SECONDS):
                    return


class WebhookThread:
    """Delivers beside a crawl, from a thread of its own; at the end it sends once more what is due, if that works."""

    def __init__(self, folder: Path, settings: WebhookSettings, tell: Callable[[str], None]) -> None:
        """Start to deliver, if there is an address; an archive that is not there yet is waited for."""
        self._folder = folder
        self._tell = tell
        self._stopped = threading.Event()
        self._hook = Webhook(settings) if settings.url else None
        self._store = self._tried() if self._hook else None
        self._is_new = self._store is None
        self._thread = threading.Thread(target=self._run, name="broadsheet-webhook", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        """Give the thread, which runs already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the delivery."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        if self._hook is None:
            return
        store = self._store or self._opened()
        if store is None:
            return
        with store:
            try:
                # Of an archive that this crawl made, nothing was told to anybody yet.
                delivery = WebhookDelivery(store, self._hook, first=0 if self._is_new else None)
                delivery.run(self._stopped.wait, self._tell)
                delivery.deliver()
            except (NotDelivered, ArchiveError) as error:
                self._tell(f"{error}; what is left is sent by the next crawl, or by `broadsheet events --deliver`")

    def _opened(self) -> Store | None:
        while (store := self._tried()) is None and not self._stopped.wait(POLL_SECONDS):
            pass
        return store

    def _tried(self) -> Store | None:
        try:
            return Store.open(self._folder)
        except ArchiveError:
            # The crawl says itself what is wrong with its archive.
            return None
