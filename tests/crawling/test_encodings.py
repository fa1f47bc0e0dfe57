import gzip
import random
import time
import tracemalloc
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.crawling import encodings
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, accepted_encodings, decode_body
from tests.crawling.scripted import compressed

NAMES = [name.strip() for name in accepted_encodings().split(",")]
MOST = 1_000_000


@pytest.mark.parametrize("name", NAMES)
@given(body=st.binary(max_size=5000))
def test_a_body_comes_back_as_it_was(name: str, body: bytes) -> None:
    assert decode_body(compressed(name, body), name, MOST) == body


@given(body=st.binary(min_size=1, max_size=500), names=st.lists(st.sampled_from(NAMES), max_size=4))
def test_encodings_come_off_in_the_reverse_of_their_order(body: bytes, names: list[str]) -> None:
    encoded = body
    for name in names:
        encoded = compressed(name, encoded)

    assert decode_body(encoded, ", ".join(names).upper(), MOST) == body


@pytest.mark.parametrize("name", [*NAMES, "x-gzip", "identity", "utf-8", "", "gzip, gzip"])
@given(body=st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(name: str, body: bytes) -> None:
    for candidate in (body, b"\x1f\x8b\x08" + body, b"\x28\xb5\x2f\xfd" + body):
        with suppress(CorruptBody, TooLargeDecompressed):
            assert len(decode_body(candidate, name, MOST)) <= MOST


@pytest.mark.parametrize("name", NAMES)
def test_a_bomb_is_refused_without_being_unpacked(name: str) -> None:
    bomb = compressed(name, bytes(20_000_000))
    tracemalloc.start()

    with pytest.raises(TooLargeDecompressed, match="larger than 1,000,000 bytes after decoding its"):
        decode_body(bomb, name, MOST)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * MOST


def test_a_bomb_in_a_bomb_is_refused() -> None:
    bomb = gzip.compress(gzip.compress(bytes(50_000_000)))

    with pytest.raises(TooLargeDecompressed):
        decode_body(bomb, "gzip, gzip", MOST)
    with pytest.raises(CorruptBody, match="5 nested content encodings"):
        decode_body(bomb, "gzip," * 5, MOST)


PARTS = 5_000_000


def _deflated_nothing() -> bytes:
    return b"\x00\x00\x00\xff\xff" * (PARTS // 5)


def _brotli_nothing() -> bytes:
    # A window of 16 bits, then metadata of no length again and again.
    return b"\x0c" + b"\x06" * PARTS


def _many(name: str) -> bytes:
    empty = compressed(name, b"")
    return empty * (PARTS // len(empty))


@pytest.mark.parametrize("name", NAMES)
def test_millions_of_empty_parts_take_no_time(name: str) -> None:
    nothing = {"deflate": _deflated_nothing, "br": _brotli_nothing}.get(name, lambda: _many(name))()
    wire = gzip.compress(nothing)
    assert len(wire) < 20_000
    began = time.process_time()

    with suppress(CorruptBody):
        assert decode_body(wire, f"{name}, gzip", 20_000_000) == b""

    assert time.process_time() - began < 20


@pytest.mark.parametrize("name", sorted({"gzip", "zstd"} & set(NAMES)))
def test_a_body_of_more_parts_than_anybody_makes_is_refused(name: str) -> None:
    part = compressed(name, b"x")

    assert decode_body(part * 1000, name, MOST) == b"x" * 1000
    with pytest.raises(CorruptBody, match="more than 1,000"):
        decode_body(part * 1001, name, MOST)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 140_000])
def test_bodies_of_many_pieces_come_back_whole(name: str, size: int) -> None:
    noise = random.Random(size).randbytes(size)
    for body in (noise, bytes(size), noise + bytes(size)):
        assert decode_body(compressed(name, body), name, MOST) == body


@pytest.mark.parametrize("name", ["foo", "foo, gzip", "gzip, foo", "\xff\x00"])
def test_an_unknown_encoding_is_refused(name: str) -> None:
    with pytest.raises(CorruptBody, match="is not supported"):
        decode_body(gzip.compress(b"text"), name, MOST)


@pytest.mark.parametrize("name", ["", "identity", "UTF-8", "none, gzip", " IDENTITY ,", "identity, gzip, identity"])
def test_identity_is_no_encoding(name: str) -> None:
    body = gzip.compress(b"text") if "gzip" in name else b"text"

    assert decode_body(body, name, MOST) == b"text"


def test_nothing_has_no_encoding() -> None:
    assert decode_body(b"", "foo", MOST) == b""


def test_members_of_a_gzip_file_follow_each_other_and_rubbish_after_them_is_ignored() -> None:
    assert decode_body(gzip.compress(b"one ") + gzip.compress(b"two") + b"rubbish", "gzip", MOST) == b"one two"


def test_a_body_that_only_claims_to_be_gzip_is_passed_through() -> None:
    assert decode_body(b"<p>plain", "gzip", MOST) == b"<p>plain"


def test_deflate_may_come_without_its_header() -> None:
    assert decode_body(zlib.compress(b"text", wbits=-15), "deflate", MOST) == b"text"


@pytest.mark.parametrize("name", NAMES)
def test_a_truncated_body_is_decoded_as_far_as_it_goes(name: str) -> None:
    text = b"".join(b"%d " % number for number in range(20_000))
    whole = compressed(name, text)

    found = decode_body(whole[: len(whole) // 2], name, MOST)

    assert text.startswith(found)


def test_a_body_can_be_cut_at_the_cap() -> None:
    assert decode_body(gzip.compress(b"x" * 100), "gzip", 10, truncate=True) == b"x" * 10


def test_a_zstd_frame_with_a_huge_window_is_refused() -> None:
    if encodings.zstd is None:
        pytest.skip("no zstd here")
    wide = encodings.zstd.CompressionParameter.window_log
    body = encodings.zstd.compress(bytes(100_000_000), options={wide: 27})

    with pytest.raises(CorruptBody, match="zstd"):
        decode_body(body, "zstd", MOST)
