"""The terms of a page: the words in the names of its elements, and in the texts of its links.

They are split and looked up like the words of lines; the model that classifies pages weighs them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.models.model_errors import ModelError
from broadsheet.reading.lines._words import name_codes, page_terms, term_keys, words_in_links
from broadsheet.reading.lines.vocabulary import WordTable, decode_name, encode_name

#: The prefixes of names on `body`, which say what the whole page is, and of words in links. Other names have none.
ON_BODY, IN_LINKS = "body:", "link:"


def terms_of(document: Document) -> frozenset[str]:
    """Return the terms of a page."""
    tokens, pieces, body = document.tokens, document.pieces, _body(document)
    names = name_codes(_buffer(tokens.text), tokens.start, tokens.end, tokens.node)
    linked = words_in_links(_buffer(document.columns.text), pieces.start, pieces.end, pieces.link)
    # A page has thousands of names, and few different ones: only those are worth decoding.
    return frozenset(
        {decode_name(code) for code in {code for _, code in names}}
        | {ON_BODY + decode_name(code) for node, code in names if node == body}
        | {IN_LINKS + word.decode() for word in linked}
    )


def order(terms: Iterable[str]) -> tuple[str, ...]:
    """Return terms in the order of a table: names, names on `body`, words in links."""
    return tuple(sorted(terms, key=lambda term: (term.startswith(IN_LINKS), term.startswith(ON_BODY), term)))


@dataclass(frozen=True, slots=True, eq=False)
class TermTable:
    """Terms that can be looked up on a page."""

    size: int
    words: WordTable

    @classmethod
    def build(cls, terms: Sequence[str]) -> "TermTable":
        """Build the table; raise unless the terms are distinct, and in `order`."""
        names = [term for term in terms if ":" not in term]
        on_body = [term.removeprefix(ON_BODY) for term in terms if term.startswith(ON_BODY)]
        in_links = [term.removeprefix(IN_LINKS) for term in terms if term.startswith(IN_LINKS)]
        keys = term_keys(map(encode_name, names), map(encode_name, on_body), _buffer(" ".join(in_links).encode()))
        if len(keys) != len(terms) or tuple(terms) != order(set(terms)):
            raise ModelError(
                "the model's terms must be distinct and sorted (names, then body:, then link:): train it again"
            )
        return cls(len(terms), WordTable.build(keys))

    def find(self, document: Document) -> Ints:
        """Return the numbers of the terms that are on a page, each once."""
        tokens, pieces = document.tokens, document.pieces
        return page_terms(
            _buffer(tokens.text), tokens.start, tokens.end, tokens.node, _body(document),
            _buffer(document.columns.text), pieces.start, pieces.end, pieces.link,
            self.words.keys, self.words.values, self.size,
        )  # fmt: skip


def _buffer(text: bytes) -> NDArray[np.uint8]:
    # The compiled passes look at the first byte, so there has to be one.
    return np.frombuffer(text or b" ", np.uint8)


def _body(document: Document) -> int:
    """Return the row of `body`, -1 if there is none."""
    rows = document.rows("body")
    return int(rows[0]) if len(rows) else -1
