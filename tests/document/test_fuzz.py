"""Fuzz parse, columns, links, metadata and tokens with mutated and random pages, 2,000 here, 50,000 in `make soak`."""

import random
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import broadsheet
from broadsheet.document.columns import differing_columns
from broadsheet.newsweb.sample_pages import make_pages
from tests.document.real_pages import pages_of

SECONDS = 2.0
MEGABYTES = 600
#: Inputs of each kind; `make soak` reads many more.
FEW = 1_000
TOKENS = [
    *(b"< > </ <!-- --> \" ' &#x110000; &lt <?xml?> <![CDATA[ ]]> <b><i><p> <a|href= <table><tr><td> <textarea> "
      b"<base|href='//x'> <script|type=application/ld+json> </script> <meta|charset=utf-16> <svg><title> "
      b'<select><option> {"@graph":[ <time|datetime= <frameset>').replace(b" ", b"\n").replace(b"|", b" ").split(b"\n"),
    b"<div>" * 50, b"</div>" * 50, b" " * 100, b"{" * 40,
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xe2\x80\x8b",
]  # fmt: skip


def mutate(page: bytes, rng: random.Random) -> bytes:
    """Change a page in a few places: flip bytes; cut, duplicate or move spans; insert markup."""
    data = bytearray(page)
    for _ in range(rng.randint(1, 12)):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice([1, 1, 10, 200, 5_000]))
        match rng.randrange(5):
            case 0:
                data[start:end] = rng.randbytes(end - start)
            case 1:
                del data[start:end]
            case 2:
                data[start:start] = data[start:end] * rng.choice([1, 2, 20])
            case 3:
                data[start:start] = rng.choice(TOKENS) * rng.choice([1, 1, 3, 300])
            case _:
                piece = data[start:end]
                del data[start:end]
                at = rng.randrange(len(data) + 1)
                data[at:at] = piece
    return bytes(data)


def make_up(rng: random.Random) -> bytes:
    """Assemble a page at random from markup, bytes and text."""
    parts = rng.randint(0, 300)
    return b"".join(
        rng.choice(TOKENS) if rng.random() < 0.7 else rng.randbytes(rng.randint(0, 30)) for _ in range(parts)
    )


def inputs(pages: list[bytes], seed: int) -> Iterator[bytes]:
    rng = random.Random(seed)
    while True:
        yield make_up(rng) if rng.random() < 0.25 else mutate(rng.choice(pages), rng)


def read_everything(page: bytes) -> broadsheet.Document | None:
    try:
        document = broadsheet.parse(page, "https://www.example.org/news/")
    except broadsheet.LimitError:
        return None
    assert len(document.links.keys) == len(document.links.domains) == len(document.links.urls)
    assert all(value.value for value in document.metadata.titles)
    assert len(document.tokens) == len(document.tokens.node)
    assert len(document.styles) == len(document.pieces)
    for row in range(min(3, len(document.links))):
        assert document.links.path(row).endswith(("a", "area", "]"))
        assert document.links.anchor(row) == " ".join(document.links.anchor(row).split())
    return document


def fuzz(pages: list[bytes], count: int, seed: int) -> tuple[float, int]:
    """Read `count` inputs; return the longest time for one of them and the number of refused ones."""
    longest, refused = 0.0, 0
    for number, page in zip(range(count), inputs(pages, seed), strict=False):
        started = time.process_time()
        document = read_everything(page)
        took = time.process_time() - started
        assert took < SECONDS, f"input {number} of seed {seed} took {took:.1f} s"
        longest = max(longest, took)
        if document is None:
            refused += 1
        elif number % 10 == 0:
            again = broadsheet.parse(page, "https://www.example.org/news/")
            assert differing_columns(document.columns, again.columns) == []
            assert np.array_equal(document.links.collections.identity, again.links.collections.identity)
    return longest, refused


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_generated_pages_survive_mutation() -> None:
    before = megabytes()

    _, refused = fuzz([page.content for page in make_pages(seed=1)], FEW, seed=1)

    assert refused < FEW
    assert megabytes() - before < MEGABYTES


def test_real_pages_survive_mutation(shared_data: Path) -> None:
    pages = [page for _, page in pages_of(shared_data, max_per_corpus=2) if len(page) < 200_000]
    before = megabytes()

    _, refused = fuzz(pages, FEW, seed=2)

    assert refused < FEW
    assert megabytes() - before < MEGABYTES


@pytest.mark.soak
def test_many_inputs_survive(shared_data: Path) -> None:
    pages = [page for _, page in pages_of(shared_data, max_per_corpus=12)]
    before = megabytes()

    longest, refused = fuzz(pages, 50_000, seed=3)

    grown = megabytes() - before
    print(f"50,000 inputs from {len(pages)} pages: longest {longest:.2f} s, {refused} refused, memory +{grown:.0f} MB")
    assert grown < MEGABYTES
