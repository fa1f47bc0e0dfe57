"""What the scripts of a page wrote is kept beside the response, and shares its fate."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from broadsheet.archive import Store, Writer, repair, scan, warc
from broadsheet.archive.export import export
from broadsheet.base.clock import ManualClock, SystemClock
from broadsheet.base.keep_rules import KeepRule
from tests.archive.rereaders import NothingRead
from tests.archive.samples import FETCHED, NOON, SOURCE, exchange, harm, keep, member, page

KEY, OTHER = "news.example/scripted", "news.example/plain"
SHELL, DOM = b"<script>write()</script>", "<p>Wörter</p>".encode() * 9_000


def keep_rendered(writer: Writer, dom: bytes = DOM, hour: int = 0) -> int:
    """Commit a page of a few bytes that its scripts fill."""
    batch = writer.batch()
    batch.source(SOURCE)
    batch.page(page(KEY, fetch=FETCHED))
    batch.member(member(KEY))
    answer = replace(exchange(SHELL, f"https://{KEY}"), rendered=dom, at=NOON + timedelta(hours=hour))
    visit = batch.visit(KEY, answer.url, (exchange(b"", "https://news.example/", 301), answer), source=SOURCE.key)
    writer.commit(batch)
    return visit


def types(folder: Path) -> list[str]:
    return [found.record.type for path in sorted(folder.glob("warc/*.warc.gz")) for found in scan.records(path)]


@pytest.fixture
def news(archive: Store) -> Store:
    with archive.writer() as writer:
        keep(writer, OTHER, b"a page without scripts")
        keep_rendered(writer)
        keep(writer, f"{OTHER}/2", b"another one")
    return archive


def test_what_scripts_wrote_comes_back_with_what_was_received(news: Store) -> None:
    plain, scripted, other = (news.exchange(visit) for visit in (1, 2, 3))

    assert (scripted.body, scripted.rendered) == (SHELL, DOM)
    assert dict(scripted.asked)["User-Agent"] == "tests"
    assert (plain.rendered, other.rendered) == (None, None)
    assert list(news.check()) == []


def test_other_readers_see_a_conversion_of_the_response(news: Store) -> None:
    found = {}
    for path in news.warcs():
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                found[record.rec_type, record.rec_headers["WARC-Target-URI"]] = (
                    record.rec_headers,
                    record.content_stream().read(),
                )

    headers, content = found["conversion", f"https://{KEY}"]
    answer, _ = found["response", f"https://{KEY}"]
    assert content == DOM
    assert headers["WARC-Refers-To"] == answer["WARC-Record-ID"]
    assert headers["Content-Type"] == warc.RENDERED_TYPE


def test_a_page_whose_bytes_stay_the_same_is_kept_each_time_with_what_its_scripts_wrote(archive: Store) -> None:
    with archive.writer() as writer:
        visits = [keep_rendered(writer, b"one"), keep_rendered(writer, b"two", hour=1)]

    assert [archive.exchange(visit).rendered for visit in visits] == [b"one", b"two"]


def test_merging_moves_it_along(archive: Store) -> None:
    with archive.writer(most_files=2) as writer:
        for hour in range(6):
            keep_rendered(writer, b"dom %d" % hour, hour)

    assert len(archive.warcs()) < 6
    assert [archive.exchange(visit).rendered for visit in range(1, 7)] == [b"dom %d" % hour for hour in range(6)]


def test_forgetting_a_page_removes_it(news: Store) -> None:
    with news.writer() as writer:
        writer.forget(news.plan_forgetting(f"https://{KEY}"))
        writer.purge()

    assert warc.CONVERSION not in types(news.folder)
    assert types(news.folder).count("response") == 2
    assert harm(news) == []


def test_a_keep_rule_removes_it_with_its_response(archive: Store) -> None:
    with archive.writer(clock=ManualClock(NOON + timedelta(days=9))) as writer:
        keep(writer, OTHER, b"a page without scripts")
        batch = writer.batch()
        batch.page(page(SOURCE.key, fetch=FETCHED))
        for hour in range(3):
            answer = replace(exchange(SHELL), rendered=b"dom %d" % hour, at=NOON + timedelta(hours=hour))
            batch.visit(SOURCE.key, answer.url, (answer,), source=SOURCE.key)
        writer.commit(batch)
        writer.tidy(KeepRule.parse("fronts 1d"))

    assert types(archive.folder).count(warc.CONVERSION) == 1
    assert archive.exchange(4).rendered == b"dom 2"
    assert harm(archive) == []


def test_a_repair_finds_it_again(news: Store) -> None:
    with news.writer(most_files=2):
        pass
    news.close()
    (news.folder / "catalogue.sqlite").unlink()

    repair(news.folder, NothingRead(), SystemClock(), lambda _: None)

    with Store.open(news.folder) as repaired:
        assert repaired.exchange(2).rendered == DOM
        assert harm(repaired) == []


def test_what_scripts_wrote_goes_if_its_response_is_damaged(news: Store) -> None:
    [path] = [
        path for path in news.warcs() if any(found.record.type == warc.CONVERSION for found in scan.records(path))
    ]
    answer = [found for found in scan.records(path) if found.record.type == "response"][-1]
    data = bytearray(path.read_bytes())
    data[answer.offset + answer.length // 2] ^= 0xFF
    path.write_bytes(data)
    news.close()

    repair(news.folder, NothingRead(), SystemClock(), lambda _: None)

    assert warc.CONVERSION not in types(news.folder)
    with Store.open(news.folder) as repaired:
        assert harm(repaired) == []


def test_an_exported_file_holds_it(news: Store, tmp_path: Path) -> None:
    export(news, "warc", tmp_path / "out.warc.gz")

    assert [found.record.type for found in scan.records(tmp_path / "out.warc.gz")].count(warc.CONVERSION) == 1
