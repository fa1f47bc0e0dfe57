"""Headlines that changed between two visits of a front: a sign that the article was revised."""

from collections.abc import Iterator

from broadsheet.base.text_weight import weight
from broadsheet.newsroom.page_links import PageLinks

#: A shorter link text is not a headline but something like "more" or the name of a section.
LEAST_HEADLINE = 15


def changed_headlines(before: PageLinks, after: PageLinks) -> Iterator[str]:
    """Yield the keys of pages that a front links to with another headline than at the visit before.

    Digits don't count: they are times and numbers of comments more often than news. Nor does a text that was shortened
    or extended, as when an article moves from the top of the page into a list.
    """
    old = dict(zip(before.keys, before.anchors, strict=True))
    for key, anchor in zip(after.keys, after.anchors, strict=True):
        known = old.get(key, anchor)
        if known == anchor or min(weight(known), weight(anchor)) < LEAST_HEADLINE:
            continue
        was, now = _letters(known), _letters(anchor)
        if was not in now and now not in was:
            yield key


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalpha())
