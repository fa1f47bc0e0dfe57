"""Write `document/characters.npy`: the class of every code point, run-length encoded, for all versions of Python."""

import sys
import unicodedata
from pathlib import Path

import numpy as np

from broadsheet.document import characters as c

TARGET = Path(c.__file__).with_name("characters.npy")
APOSTROPHES = "'\u2019\u02bc"
DIGIT_JOINERS = ".,"
#: Scripts without spaces between words, by the first word of their characters' Unicode names.
UNSPACED = ("CJK", "HIRAGANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "TAI", "NUSHU", "TANGUT", "JAVANESE")


def classify(character: str) -> int:
    """Return the class of one character."""
    category = unicodedata.category(character)
    if character in APOSTROPHES:
        return c.APOSTROPHE
    if character in DIGIT_JOINERS:
        return c.JOINER
    if character.isspace() or category in {"Zs", "Zl", "Zp"}:
        return c.SPACE
    if category == "Lo" and unicodedata.name(character, "").split(" ")[0] in UNSPACED:
        return c.UNSPACED
    if category in {"Lu", "Lt"}:
        return c.UPPER
    if category in {"Cf", "Cc"}:
        return c.INVISIBLE
    return {"L": c.LETTER, "M": c.MARK, "N": c.DIGIT, "P": c.PUNCTUATION}.get(category[0], c.SYMBOL)


def runs() -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """Return the classes of all code points as runs: first code point << 8 | class."""
    classes = np.fromiter(map(classify, map(chr, range(sys.maxunicode + 1))), np.uint32)
    firsts = np.flatnonzero(np.diff(classes, prepend=np.uint32(255)))
    table: np.ndarray[tuple[int], np.dtype[np.uint32]] = (firsts.astype(np.uint32) << np.uint32(8)) | classes[firsts]
    return table


if __name__ == "__main__":
    table = runs()
    np.save(TARGET, table)
    print(f"{TARGET.name}: {len(table)} runs from Unicode {unicodedata.unidata_version}")
