"""A record is one gzip member that any reader unpacks, however much of it is stored as it was."""

import gzip
import random
import zlib

import pytest

from broadsheet.archive import gzip_members

NOISE = random.Random(7).randbytes(200_000)


@pytest.mark.parametrize("size", [0, 1, 4, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000])
def test_a_stored_tail_of_any_length_comes_back(size: int) -> None:
    member = gzip_members.with_stored_tail(b"head " * 50, NOISE[:size])

    assert gzip.decompress(member) == b"head " * 50 + NOISE[:size]


def test_a_member_with_a_stored_tail_ends_where_it_ends() -> None:
    reader = zlib.decompressobj(wbits=31)

    reader.decompress(gzip_members.with_stored_tail(b"head", NOISE[:70_000]) + b"the next one")

    assert reader.eof
    assert reader.unused_data == b"the next one"


def test_a_stored_tail_costs_few_bytes_more_than_it_has() -> None:
    assert len(gzip_members.with_stored_tail(b"head", NOISE)) < len(NOISE) + 70


@pytest.mark.parametrize("size", [0, 1, 4_096, 4_097, 100_000])
def test_compressed_data_of_any_length_comes_back(size: int) -> None:
    data = (b"line %d\r\n" * 20_000 % tuple(range(20_000)))[:size]

    assert gzip.decompress(gzip_members.compressed(data)) == data


def test_a_small_record_is_compressed_as_well_with_little_memory() -> None:
    record = b"".join(b"WARC-Header-%d: value of %d\r\n" % (number, number) for number in range(100))

    usual = zlib.compressobj(gzip_members.LEVEL, wbits=gzip_members.GZIP)

    assert len(gzip_members.compressed(record)) <= 1.02 * len(usual.compress(record) + usual.flush())
