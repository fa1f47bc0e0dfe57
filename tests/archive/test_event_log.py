"""What happened is kept in order, with the batch that it belongs to, and survives a repair."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from broadsheet.archive import ArchiveEvent, EventKind, Store, repair
from broadsheet.base.clock import SystemClock
from tests.archive.rereaders import NothingRead
from tests.archive.samples import NOON, SOURCE, keep

CAME = ArchiveEvent(
    kind=EventKind.NEW_ARTICLE, at=NOON, source=SOURCE.key, page="news.example/a", detail={"title": "A \ud800 b"}
)
WENT = ArchiveEvent(
    kind=EventKind.DELETION,
    at=NOON + timedelta(hours=1),
    source=SOURCE.key,
    page="news.example/b",
    detail={"status": 410},
)


def fill(folder: Path) -> None:
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        for event in (CAME, WENT):
            batch = writer.batch()
            batch.event(event)
            assert not batch.is_empty
            writer.commit(batch)


def test_events_come_back_in_order_and_can_be_selected(tmp_path: Path) -> None:
    fill(tmp_path)

    with Store.open(tmp_path) as archive:
        came, went = archive.events()
        assert came == replace(CAME, id=came.id, detail={"title": "A ? b"})
        assert went == replace(WENT, id=went.id)
        assert archive.events(after=came.id) == [went]
        assert archive.events(kinds=[EventKind.DELETION]) == [went]
        assert archive.events(url="https://news.example/a") == [came]
        assert archive.events(source=SOURCE.url, limit=1) == [came]
        assert list(archive.check()) == []


def test_events_of_a_batch_that_was_not_committed_are_not_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        writer.batch().event(CAME)

        assert archive.events() == []


def test_a_repair_keeps_the_events(tmp_path: Path) -> None:
    fill(tmp_path)
    with Store.open(tmp_path) as archive:
        before = archive.events()

    repair(tmp_path, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(tmp_path) as archive:
        assert archive.events() == before
