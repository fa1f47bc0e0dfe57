"""A parsed page: its columns are computed immediately, anything more expensive on first access."""

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar, cast

from lxml import etree

from broadsheet.base.errors import InputError
from broadsheet.base.fetched_page import FetchedPage
from broadsheet.base.lazy import lazy
from broadsheet.base.limits import Limits
from broadsheet.base.page_names import refuse_name
from broadsheet.base.rendition import format_title, format_word_count
from broadsheet.document._links import Links, find_base
from broadsheet.document._node_paths import NodePaths
from broadsheet.document._parsing import check_length, parse_tree, read_columns
from broadsheet.document.columns import Columns, Hrefs, Ints, Nodes, Pieces, Sums, Tokens
from broadsheet.document.decoding import Decoded, EncodingSource, decode
from broadsheet.document.metadata import Metadata, read_metadata
from broadsheet.document.styles import Styles, read_styles

DEFAULT_LIMITS = Limits()

Derived = TypeVar("Derived")


class Document:
    """A page as columns, with its links, metadata, tokens and styles computed on first use.

    Parsing is deterministic, and a document is immutable, so threads may share it: two threads that access a lazy
    property at the same time may both compute it, with the same result.
    """

    def __init__(self, decoded: Decoded, url: str | None, limits: Limits, fetched_at: datetime | None = None) -> None:
        """Parse and walk a decoded page."""
        self.url = url
        self.fetched_at = fetched_at
        self.encoding: str = decoded.encoding
        self.encoding_source: EncodingSource = decoded.source
        self.columns: Columns = read_columns(decoded.data, limits)
        self._decoded, self._limits = decoded, limits
        self._paths = NodePaths(self.columns)
        #: The elements and comments, one row each, in document order.
        self.nodes: Nodes = self.columns.nodes
        #: The pieces of visible text, one row each, in document order.
        self.pieces: Pieces = self.columns.pieces
        #: Prefix sums over the pieces.
        self.sums: Sums = self.columns.sums
        #: The hyperlinks as written, one row each, in document order.
        self.hrefs: Hrefs = self.columns.hrefs
        self._derived: dict[object, object] = {}

    def __repr__(self) -> str:
        """Return the title, the number of words and the URL, on one line."""
        summary = f"{format_title(self.title)}, {format_word_count(int(self.sums.words[-1]))}"
        return f"Document({summary}, {format_title(self.url)})" if self.url else f"Document({summary})"

    def __reduce__(self) -> tuple[object, ...]:
        """Refuse to be pickled or copied, because lxml's tree cannot be."""
        raise InputError(
            "a Document cannot be pickled or copied: send the page's bytes to the other process,"
            " or the Article or Verdict computed from it"
        )

    def total(self, prefix_sums: Ints) -> Ints:
        """Return the sum over each node's subtree, given one of the columns of `sums`."""
        totals: Ints = prefix_sums[self.nodes.piece_end] - prefix_sums[self.nodes.piece_start]
        return totals

    def text(self, node: int) -> str:
        """Return the text of a node's subtree as written, including white space."""
        return self.columns.text_of(node)

    def piece_text(self, piece: int) -> str:
        """Return the text of one piece as written."""
        return self.columns.text[self.pieces.start[piece] : self.pieces.end[piece]].decode()

    def href(self, row: int) -> str:
        """Return the `href` attribute in one row of `hrefs`, as written."""
        return self.columns.href_text[self.hrefs.start[row] : self.hrefs.end[row]].decode()

    def rows(self, *names: str) -> Ints:
        """Return the rows of the elements with one of these names, in document order."""
        return self.columns.rows(*names)

    def element(self, node: int) -> etree._Element:
        """Return the lxml element for a row of `nodes`; do not modify it.

        The columns have nearly everything, and the first call parses the page once more.
        """
        return self._elements[node]

    def elements(self, *names: str) -> Iterator[etree._Element]:
        """Yield the lxml elements with one of these names, in document order; do not modify them."""
        return map(self.element, self.rows(*names).tolist())

    @lazy
    def _elements(self) -> list[etree._Element]:
        return list(parse_tree(self._decoded.data, self._limits).iter())

    def attribute(self, node: int, name: str) -> str | None:
        """Return the value of an attribute for a row of `nodes`, None if it does not have it."""
        return self.columns.attributes.get(node, name)

    def attributes(self, rows: list[int], *names: str) -> list[tuple[str | None, ...]]:
        """Return the values of some attributes for each row of `nodes`, None for those that it does not have."""
        return self.columns.attributes.values(rows, names)

    def attribute_sets(self, valued: Iterable[str], named: Iterable[str]) -> tuple[Ints, list[tuple[str, ...]]]:
        """Return the index of each node's attribute set, and the distinct sets.

        Only the given attributes count: `valued` ones with their values, `named` ones by their presence. A set is a
        tuple of alternating names and values, in the order of the page. Elements that look alike mostly share a set,
        so callers can process each distinct set once.
        """
        set_indices, serialised_sets = self.columns.attributes.sets(list(valued), list(named))
        return set_indices, [tuple(attributes.decode().split("\0")[:-1]) for attributes in serialised_sets]

    def tag_name(self, node: int) -> str:
        """Return a node's tag name, even if it is not part of HTML."""
        return self._paths.tag_name(node)

    @lazy
    def tokens(self) -> Tokens:
        """The tokens in the elements' `class`, `id`, `role` and `itemprop` attributes, one row each."""
        return Tokens(*self.columns.attributes.tokens())

    def path(self, node: int) -> str:
        """Return the XPath of a node, with the index of each element among its siblings of the same name."""
        return self._paths.path(node)

    def step(self, node: int) -> str:
        """Return the last step of a node's XPath."""
        return self._paths.step(node)

    def generalised_path(self, node: int) -> str:
        """Return the names of the elements from the root to a node, without indices."""
        return self._paths.generalised(node)

    def derive(self, compute: Callable[["Document"], Derived]) -> Derived:
        """Return what a function computes from this document alone: it is called once, and its result is kept.

        The result must not be modified, nor refer to the document, which would keep it alive.
        """
        try:
            derived = self._derived[compute]
        except KeyError:
            derived = self._derived[compute] = compute(self)
        return cast("Derived", derived)

    def assume(self, compute: Callable[["Document"], Derived], result: Derived) -> None:
        """Let `derive` return this result for a function instead of calling it."""
        self._derived[compute] = result

    @lazy
    def base_url(self) -> str | None:
        """The URL against which relative links are resolved."""
        return find_base(self.columns, self.url)

    @lazy
    def links(self) -> Links:
        """The page's links, resolved and grouped into collections."""
        # Links refer to the columns, not to the document: a reference cycle would keep both alive until the garbage
        # collector runs.
        return Links(self.columns, self._paths, self.base_url)

    @lazy
    def metadata(self) -> Metadata:
        """The metadata that the page states about itself, each value with its source."""
        return read_metadata(self)

    @lazy
    def styles(self) -> Styles:
        """The computed styles of the text pieces, from the page's own style sheets.

        `read_styles` also accepts linked style sheets, or a subset of the pieces.
        """
        return read_styles(self)

    @lazy
    def title(self) -> str | None:
        """The text of the page's `title` element, with white space collapsed."""
        return next((text for row in self.rows("title") if (text := " ".join(self.text(row).split()))), None)


#: What every function that works on a page accepts: its bytes or text, a parsed `Document`, or a page from `fetch`.
PageInput = bytes | bytearray | memoryview | str | Document | FetchedPage


def parse(
    page: PageInput,
    url: str | None = None,
    *,
    encoding: str | None = None,
    content_type: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """Parse a page into a `Document`; a `Document` is returned unchanged.

    `encoding` overrides the encoding that the page declares; `content_type` is the HTTP header it was served with. A
    `FetchedPage` brings its own content type, URL and time of fetching. A page that exceeds the `limits` raises a
    `LimitError`; no other content of a page raises an error. Text that is clearly a file name or a URL raises an
    `InputError`.
    """
    fetched_at = None
    if isinstance(page, FetchedPage):
        url, content_type, fetched_at = url or page.url, content_type or page.content_type, page.fetched_at
        page = page.content
    if isinstance(page, Document):
        return page
    if isinstance(page, bytearray | memoryview):
        page = bytes(page)
    if isinstance(page, os.PathLike):
        raise InputError(f"a page must be bytes, str or a Document, not a path: pass {page!r}.read_bytes() instead")
    if not isinstance(page, bytes | str):
        raise InputError(f"a page must be bytes, str or a Document, not {type(page).__name__}")
    check_length(page, limits)
    if isinstance(page, str):
        refuse_name(page)
    return Document(decode(page, encoding=encoding, content_type=content_type, url=url), url, limits, fetched_at)
