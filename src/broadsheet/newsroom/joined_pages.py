"""One article of several pages, without what they repeat."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from broadsheet.base.records import Article

#: What a byline has beside the names of the authors: the words between them, dates and places.
BYLINE_CHARACTERS = 80

Piece = TypeVar("Piece")


def join(pages: Sequence[Article]) -> Article:
    """Return one article of the pages of an article, the first of which says what it is called and when it appeared.

    Pages often repeat the picture, the heading or the lead at their top: what several pages have is kept once. A last
    page is often so short that its byline is taken for text.
    """
    first = pages[0]
    pages = [first, *(_without_byline(page, first.authors) for page in pages[1:])]
    paragraphs = [_paragraphs(page) for page in pages]
    blocks = [page.blocks for page in pages]
    headings = dict.fromkeys(heading for page in pages for heading in page.headings)
    images = {image.url: image for page in reversed(pages) for image in page.images}
    return replace(
        first,
        body="\n\n".join(_once(paragraphs, paragraphs)),
        blocks=tuple(_once(blocks, [[block.text for block in page] for page in blocks])),
        headings=tuple(headings),
        images=tuple(dict.fromkeys(images[image.url] for page in pages for image in page.images)),
        entries=tuple(entry for page in pages for entry in page.entries),
        next_page=pages[-1].next_page,
        evidence={
            **first.evidence,
            "body": f"{first.evidence.get('body', 'the page')}, joined from {len(pages)} pages",
        },
    )


def _paragraphs(page: Article) -> list[str]:
    return page.body.split("\n\n") if page.body else []


def _without_byline(page: Article, authors: Sequence[str]) -> Article:
    body = "\n\n".join(text for text in _paragraphs(page) if not _is_byline(text, authors))
    return replace(page, body=body, blocks=tuple(each for each in page.blocks if not _is_byline(each.text, authors)))


def _is_byline(text: str, authors: Sequence[str]) -> bool:
    """Return whether a text is little more than the names of all authors."""
    is_short = len(text) <= sum(map(len, authors)) + BYLINE_CHARACTERS
    return bool(authors) and is_short and all(author in text for author in authors)


def _once(pages: Sequence[Sequence[Piece]], texts: Sequence[Sequence[str]]) -> Iterator[Piece]:
    """Yield the pieces of all pages in their order; of those that are on several pages, the first of each text."""
    repeats = _repeats(texts)
    return (piece for piece in chain.from_iterable(pages) if not next(repeats))


def _repeats(pages: Sequence[Sequence[str]]) -> Iterator[bool]:
    """Say of each text of all pages, in their order, whether it is on several pages and was there before."""
    number = Counter(text for page in pages for text in set(page))
    seen: set[str] = set()
    for text in chain.from_iterable(pages):
        yield text in seen and number[text] > 1
        seen.add(text)
