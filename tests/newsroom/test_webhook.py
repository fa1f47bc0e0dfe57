"""A webhook receives each event at least once, signed and in order, also after it was down."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import Store, repair
from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import ConfigError
from broadsheet.base.webhook_settings import WebhookSettings
from broadsheet.cli import exits
from broadsheet.newsroom import webhook
from broadsheet.newsroom.newsroom_errors import NotDelivered
from broadsheet.newsroom.webhook import Webhook, WebhookDelivery, WebhookThread, signature
from tests.archive.rereaders import NothingRead
from tests.newsroom.program import LOOPBACK, run, serving
from tests.newsroom.site import article_path, front, story
from tests.newsroom.test_event_listener import happen

KEY = "a key that both sides know"


class Receiver:
    """A server on this machine that answers with statuses in turn, the last one again and again."""

    def __init__(self) -> None:
        self.statuses = [200]
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.came = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.came:
                    receiver.requests.append((dict(self.headers.items()), body))
                    status = receiver.statuses.pop(0) if len(receiver.statuses) > 1 else receiver.statuses[0]
                    receiver.came.notify_all()
                self.send_response(status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's own name
                del format, args

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.settings = WebhookSettings(
            url=f"http://127.0.0.1:{self._server.server_port}/hook?a=1", secret=KEY, allow_local=True, timeout=10
        )

    def titles(self) -> list[str]:
        return [event["detail"]["title"] for _, body in self.requests for event in json.loads(body)["events"]]

    def wait_for(self, *titles: str) -> bool:
        with self.came:
            return self.came.wait_for(lambda: self.titles() == list(titles), 30)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def deliver(folder: Path, settings: WebhookSettings) -> int:
    """Deliver once, as a process of its own does."""
    with Store.open(folder) as archive:
        return WebhookDelivery(archive, Webhook(settings)).deliver()


def test_what_happens_is_sent_signed_once_and_from_then_on(tmp_path: Path, receiver: Receiver) -> None:
    happen(tmp_path, "before")
    assert deliver(tmp_path, receiver.settings) == 0

    happen(tmp_path, "one", "two")
    assert deliver(tmp_path, receiver.settings) == 2
    assert deliver(tmp_path, receiver.settings) == 0

    [(headers, body)] = receiver.requests
    assert receiver.titles() == ["one", "two"]
    assert headers[webhook.SIGNATURE] == signature(KEY, body)
    with Store.open(tmp_path) as archive:
        content = json.loads(body)
        assert content["archive"] == str(archive.id)
        assert [event["id"] for event in content["events"]] == [2, 3]
        assert list(archive.check()) == []


@pytest.mark.parametrize("status", [301, 404, 500])
def test_an_answer_other_than_success_is_not_taken_for_one(tmp_path: Path, receiver: Receiver, status: int) -> None:
    happen(tmp_path)
    deliver(tmp_path, receiver.settings)
    happen(tmp_path, "one")
    receiver.statuses = [status, 204]

    with pytest.raises(NotDelivered, match=f"answered with status {status}"):
        deliver(tmp_path, receiver.settings)
    assert deliver(tmp_path, receiver.settings) == 1
    assert receiver.titles() == ["one", "one"]


def test_a_hook_that_was_down_catches_up_in_portions(
    tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "EVENTS_PER_REQUEST", 2)
    monkeypatch.setattr(webhook, "FIRST_PAUSE", 0.01)
    happen(tmp_path)
    deliver(tmp_path, receiver.settings)
    happen(tmp_path, *"abcde")
    receiver.statuses = [503, 503, 503, 200]
    told: list[str] = []

    with WebhookThread(tmp_path, receiver.settings, told.append):
        assert receiver.wait_for(*"ababab", *"abcde")

    assert len(told) == 3
    assert "answered with status 503" in told[0]
    assert "trying again in 0.04 s" in told[2]


def test_a_hook_that_never_answers_delays_the_end_of_a_crawl_by_its_timeout_only(tmp_path: Path) -> None:
    happen(tmp_path, "one")
    told: list[str] = []
    # A port that is bound but does not listen refuses connections.
    nobody = WebhookSettings(url="http://127.0.0.1:9/", allow_local=True, timeout=1)
    with Store.open(tmp_path) as archive:
        archive.note_delivery(Webhook(nobody).id, 0)

    with WebhookThread(tmp_path, nobody, told.append):
        pass

    assert "cannot be reached" in told[-1]


def test_the_thread_waits_for_an_archive_that_a_crawl_is_about_to_make(tmp_path: Path, receiver: Receiver) -> None:
    with WebhookThread(tmp_path / "new", receiver.settings, print):
        happen(tmp_path / "new", "first")

        assert receiver.wait_for("first")


def test_an_address_of_this_machine_needs_leave(tmp_path: Path, receiver: Receiver) -> None:
    happen(tmp_path)
    careful = replace(receiver.settings, allow_local=False)
    deliver(tmp_path, careful)
    happen(tmp_path, "one")

    with pytest.raises(NotDelivered, match=r"set webhook\.allow_local"):
        deliver(tmp_path, careful)
    assert receiver.requests == []


def test_a_repair_keeps_how_far_a_hook_was_told(tmp_path: Path, receiver: Receiver) -> None:
    happen(tmp_path)
    deliver(tmp_path, receiver.settings)
    happen(tmp_path, "one")
    deliver(tmp_path, receiver.settings)

    repair(tmp_path, NothingRead(), SystemClock(), lambda _: None)

    assert deliver(tmp_path, receiver.settings) == 0
    assert receiver.titles() == ["one"]


def test_settings_are_checked_and_hide_their_secret() -> None:
    with pytest.raises(ConfigError, match="http or https"):
        WebhookSettings(url="ftp://hook.example/")
    with pytest.raises(ConfigError, match="timeout"):
        WebhookSettings(timeout=0)
    with pytest.raises(ConfigError, match="no event is of the kind 'gossip'; the kinds are new article, "):
        Webhook(WebhookSettings(url="https://hook.example/", kinds="revision, gossip"))
    assert KEY not in repr(WebhookSettings(secret=KEY))


@pytest.mark.long
def test_a_crawl_tells_its_webhook_what_it_archives(tmp_path: Path, receiver: Receiver) -> None:
    told = (f"webhook.url={receiver.settings.url}", "webhook.allow_local=true", "webhook.kinds=new article")
    with serving({"/": front(article_path(1)), article_path(1): story("one")}) as site:
        assignments = [word for setting in told for word in ("--set", setting)]
        code, _, err = run("crawl", tmp_path / "news", site.url, "--snapshots", 1, *LOOPBACK, *assignments)

    assert (code, err) == (exits.DONE, "")
    assert receiver.titles() == ["one"]
