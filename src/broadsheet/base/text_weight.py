"""How much a text says, whatever its script."""

#: From here on lie the scripts that write a word with one or two letters (Chinese, Japanese, Korean).
_DENSE = 0x2E80


def weight(text: str) -> int:
    """Count the characters of a text, those of scripts that write a word with one or two of them double."""
    return len(text) + sum(1 for character in text if ord(character) >= _DENSE)
