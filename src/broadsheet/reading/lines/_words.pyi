from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Keys = NDArray[np.uint64]
Floats = NDArray[np.float32]

def fill_table(words: Keys, keys: Keys, values: Ints) -> None: ...
def keys_of(text: Bytes) -> list[int]: ...
def keys_of_texts(texts: Bytes) -> list[int]: ...
def line_words(
    text: Bytes,
    start: Ints,
    end: Ints,
    title: Keys,
    keys: Keys,
    values: Ints,
    offset: int,
    words: Ints,
    counts: Ints,
    overlap: Floats,
) -> None: ...
def name_codes(text: Bytes, start: Ints, end: Ints, node: Ints) -> list[tuple[int, int]]: ...
def element_names(
    text: Bytes, start: Ints, end: Ints, node: Ints, keys: Keys, values: Ints, signature: Keys, place: Ints, known: Ints
) -> int: ...
def term_keys(names: Iterable[int], body_names: Iterable[int], link_words: Bytes) -> list[int]: ...
def page_terms(
    names: Bytes,
    name_start: Ints,
    name_end: Ints,
    node: Ints,
    body: int,
    text: Bytes,
    start: Ints,
    end: Ints,
    link: Ints,
    keys: Keys,
    values: Ints,
    size: int,
) -> Ints: ...
def words_in_links(text: Bytes, start: Ints, end: Ints, link: Ints) -> set[bytes]: ...
def path_names(
    block: Ints,
    parent: Ints,
    tag: Ints,
    ranges: Ints,
    running: Floats,
    place: Ints,
    known: Ints,
    names: int,
    size: int,
    words: Ints,
    counts: Ints,
) -> None: ...
def line_marks(
    text: Bytes, start: Ints, end: Ints, kind_of_byte: Bytes, edge_of_byte: Bytes, rows: Floats, column: int
) -> None: ...
def begun_alike(text: Bytes, start: Ints, end: Ints, rows: Floats, column: int) -> None: ...
