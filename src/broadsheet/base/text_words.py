"""Splitting a text into words, in scripts with and without spaces."""

#: The first code point of the scripts that write without spaces between words (Chinese, Japanese, Korean).
_UNSPACED = 0x2E80


def words(text: str) -> list[str]:
    """Return the words of a text; a part without spaces in a script that has none is split into characters."""
    return [word for part in text.split() for word in (part if ord(part[0]) >= _UNSPACED else [part])]
