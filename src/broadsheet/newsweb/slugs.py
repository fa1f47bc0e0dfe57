"""Text as it stands in addresses: lower-case ASCII words joined by hyphens."""

import re
import unicodedata

_GREEK = {
    **dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True)),
    "θ": "th",
    "χ": "ch",
    "ψ": "ps",
}
_TABLE = str.maketrans(_GREEK)
_WORD = re.compile(r"[a-z0-9]+")


def slug(text: str, most: int = 8) -> str:
    """Return the first words of a text for an address; empty where no letter has a Latin form."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(letter))
    words = _WORD.findall(bare.translate(_TABLE))[:most]
    # Numbers alone would look like the number of something else.
    return "" if all(word.isdigit() for word in words) else "-".join(words)
