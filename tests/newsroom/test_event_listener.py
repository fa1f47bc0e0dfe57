"""Whoever listens hears of each event once, in order, whoever writes it, until they stop."""

import threading
from pathlib import Path

import pytest

import broadsheet
from broadsheet.archive import ArchiveEvent, EventKind, Store
from broadsheet.newsroom import event_listener
from tests.archive.samples import NOON, SOURCE


def happen(folder: Path, *titles: str, kind: EventKind = EventKind.NEW_ARTICLE) -> None:
    """Commit events, one batch each."""
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        for title in titles:
            batch = writer.batch()
            batch.source(SOURCE)
            batch.event(ArchiveEvent(kind=kind, at=NOON, source=SOURCE.key, page=SOURCE.key, detail={"title": title}))
            writer.commit(batch)


class Notebook:
    """Writes down the titles that it hears, and says when there are enough."""

    def __init__(self, number: int) -> None:
        self.titles: list[str] = []
        self.is_full = threading.Event()
        self._number = number

    def __call__(self, event: ArchiveEvent) -> None:
        self.titles.append(event.detail["title"])
        if len(self.titles) == self._number:
            self.is_full.set()


def test_a_listener_hears_what_happens_from_now_on_or_after_an_event(tmp_path: Path) -> None:
    happen(tmp_path, "before", "also before")
    new, after = Notebook(2), Notebook(3)

    with broadsheet.Archive(tmp_path) as archive, archive.listen(new), archive.listen(after, after=1):
        happen(tmp_path, "one", "two")
        assert new.is_full.wait(30)
        assert after.is_full.wait(30)

    assert new.titles == ["one", "two"]
    assert after.titles == ["also before", "one", "two"]


def test_a_listener_hears_only_the_kinds_that_it_wants(tmp_path: Path) -> None:
    happen(tmp_path, "came")
    happen(tmp_path, "went", kind=EventKind.DELETION)
    heard = Notebook(1)

    with broadsheet.Archive(tmp_path) as archive, archive.listen(heard, kinds=[EventKind.DELETION], after=0):
        assert heard.is_full.wait(30)

    assert heard.titles == ["went"]


def test_what_a_callback_raises_is_raised_on_closing(tmp_path: Path) -> None:
    happen(tmp_path, "one", "two")
    heard = Notebook(1)

    def fail(event: ArchiveEvent) -> None:
        heard(event)
        raise LookupError("no such thing")

    with broadsheet.Archive(tmp_path) as archive:
        listener = archive.listen(fail, after=0)
        assert heard.is_full.wait(30)
        with pytest.raises(LookupError, match="no such thing"):
            listener.close()

    assert heard.titles == ["one"]


def test_events_are_iterated_in_bounded_portions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_listener, "EVENTS_AT_ONCE", 2)
    happen(tmp_path, *"abcde")

    with broadsheet.Archive(tmp_path) as archive:
        assert [event.detail["title"] for event in archive.events()] == list("abcde")
        assert [event.detail["title"] for event in archive.events(after=3)] == ["d", "e"]
        following = archive.events(after=4, follow=True)
        assert next(following).detail["title"] == "e"
        happen(tmp_path, "f")
        assert next(following).detail["title"] == "f"
