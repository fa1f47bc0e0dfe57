"""Slugs for URLs: lower-case ASCII words joined by hyphens."""

import re
import unicodedata
from functools import lru_cache

_GREEK = {
    **dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True)),
    "θ": "th",
    "χ": "ch",
    "ψ": "ps",
}
_RUSSIAN = {
    **dict(zip("абвгдеёзийклмнопрстуфыэ", "abvgdeeziiklmnoprstufye", strict=True)),
    **dict(zip("жхцчшщюя", "zh kh ts ch sh sch yu ya".split(), strict=True)),
    "ъ": "",
    "ь": "",
}
_TABLE = str.maketrans({**_GREEK, **_RUSSIAN, "ß": "ss"})
_WORD = re.compile(r"[a-z0-9]+")


def slug(text: str, max_words: int = 8) -> str:
    """Return the first words of a text as a slug; empty if the text has no letters that can be transliterated."""
    words: list[str] = []
    for token in text.split():
        words += _transliterated(token)
        if len(words) >= max_words:
            break
    words = words[:max_words]
    # Digits alone would look like an article's number.
    return "" if all(word.isdigit() for word in words) else "-".join(words)


@lru_cache(maxsize=16_384)
def _transliterated(token: str) -> list[str]:
    """Return the words of a token without spaces; most tokens come again and again."""
    letters = unicodedata.normalize("NFD", token.lower())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _WORD.findall(bare.translate(_TABLE))
