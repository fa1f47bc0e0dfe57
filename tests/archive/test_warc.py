"""WARC records say exactly what was exchanged, to us and to a reader that we did not write."""

import contextlib
import gzip
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from broadsheet.archive import RecordPlace, Store, warc
from broadsheet.base.exchange import Exchange
from tests.archive.samples import NOON, exchange, links, page

ARCHIVE = UUID(int=7)
NAMES = st.text("abcXYZ-0123456789", min_size=1, max_size=12)
# What a header may hold: the visible letters of Latin-1, with spaces only within.
VALUES = st.text(st.characters(min_codepoint=33, max_codepoint=255, exclude_characters="\x7f"), max_size=20)
EXCHANGES = st.builds(
    Exchange,
    url=st.sampled_from(["https://news.example/", "http://news.example/a?b=c&d=é", "https://[::1]:8000/x y"]),
    at=st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
    status=st.integers(100, 599),
    # A body that is compressed already is stored as it is, in the same gzip member.
    headers=st.lists(st.tuples(NAMES, VALUES) | st.just(("Content-Encoding", "gzip")), max_size=5).map(tuple),
    body=st.binary(max_size=300),
    asked=st.lists(st.tuples(NAMES, VALUES), max_size=3).map(tuple),
    address=st.sampled_from([None, "192.0.2.7", "2001:db8::1"]),
    protocol=st.sampled_from(["HTTP/1.0", "HTTP/1.1", "HTTP/2"]),
)


@given(EXCHANGES)
def test_an_exchange_comes_back_as_it_was(kept: Exchange) -> None:
    answer = warc.record(warc.response(ARCHIVE, 1, "answer", kept))
    asked = warc.record(warc.request(ARCHIVE, 1, "answer", kept))

    found = warc.exchange(answer, asked)

    assert warc.belongs(asked, answer)
    assert warc.problem(answer) is None
    spaceless = kept.url.replace(" ", "%20")
    assert found == Exchange(
        spaceless, kept.at, kept.status, kept.headers, kept.body, kept.asked, kept.address, kept.protocol
    )


@given(st.uuids(), st.integers(0, 2**62), st.sampled_from(["answer", "answer/request", "redirect/3"]))
def test_the_id_of_a_record_is_a_uuid_made_of_its_name(archive: UUID, visit: int, part: str) -> None:
    assert warc.record_id(archive, visit, part) == f"<urn:uuid:{uuid5(archive, f'{visit}/{part}')}>"


@given(st.lists(EXCHANGES, min_size=1, max_size=4))
def test_another_reader_finds_every_record_and_agrees_with_its_digests(kept: list[Exchange]) -> None:
    members = [warc.information(ARCHIVE, 1, NOON)]
    for number, one in enumerate(kept):
        members += [warc.response(ARCHIVE, number, "answer", one), warc.request(ARCHIVE, number, "answer", one)]

    records = ArchiveIterator(io.BytesIO(b"".join(members)), check_digests="raise")
    found = [(record.rec_type, record.raw_stream.read()) for record in records]

    assert [kind for kind, _ in found] == ["warcinfo", *["response", "request"] * len(kept)]
    assert [body for kind, body in found if kind == "response"] == [one.body for one in kept]


def test_another_reader_understands_revisits_and_redirects(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        hop = exchange(b"", "https://news.example/old", status=302)
        batch.visit("news.example", "https://news.example/", (hop, exchange(b"same")))
        batch.visit("news.example", "https://news.example/", (exchange(b"same", minute=1),))
        batch.visit("news.example", "https://news.example/", (exchange(b"", status=304, minute=2),))
        writer.commit(batch)

    with archive.warcs()[0].open("rb") as file:
        records = [
            {**dict(record.rec_headers.headers), "body": record.raw_stream.read()}
            for record in ArchiveIterator(file, check_digests="raise")
        ]

    assert all(record["WARC-Type"] == "warcinfo" or record["WARC-Target-URI"] for record in records)
    original = next(record for record in records if record["body"] == b"same")
    revisits = [record for record in records if record["WARC-Type"] == "revisit"]
    assert [record["WARC-Profile"] for record in revisits] == [warc.IDENTICAL, warc.NOT_MODIFIED]
    for record in revisits:
        assert record["WARC-Refers-To"] == original["WARC-Record-ID"]
        assert record["WARC-Refers-To-Date"] == original["WARC-Date"] == "2026-03-02T12:00:00.000000Z"
        assert record["WARC-Refers-To-Target-URI"] == "https://news.example/"
        assert record["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
        assert record["WARC-IP-Address"] == "192.0.2.7"
        assert record["body"] == b""
    answers = {record["WARC-Record-ID"] for record in records if record["WARC-Type"] in {"response", "revisit"}}
    requests = [record for record in records if record["WARC-Type"] == "request"]
    assert {record["WARC-Concurrent-To"] for record in requests} == answers
    assert len({record["WARC-Record-ID"] for record in records}) == len(records)


def test_a_transfer_encoding_that_is_no_longer_on_the_body_misleads_nobody() -> None:
    chunked = Exchange("https://news.example/", NOON, 200, (("transfer-encoding", "chunked"),), b"plain")

    member = warc.response(ARCHIVE, 1, "answer", chunked)

    record = next(iter(ArchiveIterator(io.BytesIO(member), check_digests="raise")))
    assert record.content_stream().read() == b"plain"
    assert warc.exchange(warc.record(member), None).header("Transfer-Encoding") == "chunked"


def test_a_header_cannot_break_out_of_its_line() -> None:
    evil = Exchange("https://news.example/\r\nX: y", NOON, 200, (("A", "b\r\n\r\nbody"),), b"", address=None)

    found = warc.exchange(warc.record(warc.response(ARCHIVE, 1, "answer", evil)), None)

    assert found.headers == (("A", "b    body"),)
    assert found.url == "https://news.example/%0D%0AX:%20y"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda member: member[:-9], "not a complete gzip member"),
        (lambda member: member[5:], "not a complete gzip member"),
        (lambda _: b"", "not a complete gzip member"),
    ],
)
def test_a_damaged_record_is_named(damage: Callable[[bytes], bytes], reason: str) -> None:
    member = warc.response(ARCHIVE, 1, "answer", exchange())

    with pytest.raises(warc.RecordError, match=reason):
        warc.record(damage(member))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_record_or_are_refused(data: bytes) -> None:
    for member in (data, gzip.compress(b"WARC/1.1\r\n" + data)):
        with contextlib.suppress(warc.RecordError):
            assert isinstance(warc.exchange(warc.record(member), None), Exchange)


def test_records_know_their_place(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.page(page())
        for number in range(5):
            batch.visit(f"p{number}", "https://news.example/", (exchange(b"%d" % number),), links=links("a"))
        batch.changed_pages.clear()
        writer.commit(batch)

    rows = archive.visits().to_table().to_pylist()
    assert len(rows) == 5
    for row in rows:
        place = RecordPlace(row["warc"], row["offset"], row["length"])
        assert archive.exchange(place).body == b"%d" % (row["visit"] - 1)
        assert archive.exchange(place).at + timedelta() == row["fetched_at"]
