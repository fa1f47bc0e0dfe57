"""The length of a text, comparable across scripts."""

#: The first code point of the scripts that write a word with one or two characters (Chinese, Japanese, Korean).
_DENSE = 0x2E80


def weight(text: str) -> int:
    """Count the characters of a text; those of dense scripts count twice."""
    return len(text) + sum(1 for character in text if ord(character) >= _DENSE)
