"""Headlines that changed between two visits of a front: a sign that the article was revised."""

from collections.abc import Iterator

from broadsheet.base.text_weight import weight
from broadsheet.newsroom.page_links import PageLinks

#: A shorter link text is not a headline but something like "more" or the name of a section.
MIN_HEADLINE = 15


def changed_headlines(before: PageLinks, after: PageLinks) -> Iterator[tuple[str, str]]:
    """Yield the keys of pages that a front links to with another headline than at the visit before, with that headline.

    Digits don't count: they are times and numbers of comments more often than news.
    """
    old = dict(zip(before.keys, before.anchors, strict=True))
    for key, anchor in zip(after.keys, after.anchors, strict=True):
        known = old.get(key, anchor)
        if known != anchor and min(weight(known), weight(anchor)) >= MIN_HEADLINE and differ(known, anchor):
            yield key, anchor


def differ(one: str, other: str) -> bool:
    """Return whether two headlines say different things.

    A text that was shortened or extended does not, as when an article moves from the top of the page into a list.
    """
    first, second = _letters(one), _letters(other)
    return first not in second and second not in first


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalpha())
