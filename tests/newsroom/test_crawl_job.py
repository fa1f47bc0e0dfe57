from datetime import UTC, datetime

import pytest

from broadsheet.base.clock import AcceleratedClock, SystemClock
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.wire import Packet
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl_job import CrawlJob, Event, Pace
from broadsheet.newsroom.progress import Progress


def sent(packet: Packet) -> Packet:
    return Packet.decode(packet.encode())


def test_a_job_arrives_as_it_was_sent() -> None:
    clock = AcceleratedClock(SystemClock(), datetime(2026, 3, 2, tzinfo=UTC), 60)
    job = CrawlJob(
        "news", Assignment(("a.example",), snapshots=3), Manners(delay=2.0), Limits(max_nodes=7), Pace.of(clock)
    )

    assert CrawlJob.of_packet(sent(job.to_packet())) == job


def test_two_processes_share_an_accelerated_clock() -> None:
    clock = AcceleratedClock(SystemClock(), datetime(2026, 3, 2, tzinfo=UTC), 60)

    other = Pace.of(clock).clock()

    assert (other.start, other.speed, other.origin) == (clock.start, clock.speed, clock.origin)


def test_an_event_arrives_as_it_was_sent() -> None:
    progress = Progress(articles=3, failures={"robots": 1}, latest="新聞")

    event = Event.of_packet(sent(Event("progress", progress.to_dict()).to_packet()))

    assert event.name == "progress"
    assert Progress.from_dict(event.content) == progress


def test_progress_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fields of progress: speed"):
        Progress.from_dict({"speed": 1})
