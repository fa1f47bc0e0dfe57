"""Tags in texts that should be plain: some sites leave them in what they state about a page."""

import re
from typing import Final

_INLINE: Final = r"(a|abbr|b|em|font|i|mark|small|span|strong|sub|sup|u)\b"
#: Bounded, because a text may have many opening brackets and no closing one.
_INLINE_TAG: Final = re.compile(rf"</?{_INLINE}[^<>]{{0,500}}>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,500}>|<!--[^<>]{0,500}-->")
_INLINE_PAIR: Final = re.compile(rf"<{_INLINE}[^<>]{{0,500}}>[^<>]*</\1\s*>", re.IGNORECASE)


def without_tags(text: str) -> str:
    """Return a text without its tags; inline tags leave nothing, all others a space."""
    return _TAG.sub(" ", _INLINE_TAG.sub("", text)) if "<" in text else text


def without_paired_tags(text: str) -> str:
    """Return a text without its tags if some are an inline pair; others may be its subject: "30 Years of <br> Tags"."""
    return without_tags(text) if "</" in text and _INLINE_PAIR.search(text) else text
