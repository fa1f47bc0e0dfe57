"""The inside of a rule or of a `style` attribute: what it declares of interest, read when first needed."""

import re
from dataclasses import dataclass
from functools import lru_cache

from broadsheet.document.styles.scanner import cut_block, without_comments
from broadsheet.document.styles.values import WANTED, Value, parse_value

#: Found in every block that sets something of interest, and in few others; what follows a name is not read on, because
#: a name may begin anywhere.
_INTEREST = re.compile(
    r"(?<![\w-])(?:font(?:-size|-family|-weight)?|color|display|visibility|all)\s*+(?::|/\*)|(?<![^\s;{}/])--[^\s:;{}]",
    re.IGNORECASE,
)
_IMPORTANT = re.compile(r"!\s*important\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declarations:
    """What a block declares: values by property, and the texts of custom properties; each again where important."""

    normal: dict[str, Value]
    important: dict[str, Value]
    custom: dict[str, str]
    important_custom: dict[str, str]
    #: Declarations of interest with a value that is not understood.
    invalid: int


NOTHING = Declarations({}, {}, {}, {}, 0)


def is_interesting(block: str) -> bool:
    """Tell whether a block may set anything of interest, without parsing it."""
    return _INTEREST.search(block) is not None


@lru_cache(maxsize=4096)
def parse_declarations(block: str, quirks: bool) -> Declarations:
    """Read the declarations of a block; nested rules are left to the sheet."""
    found = Declarations({}, {}, {}, {}, 0)
    invalid = 0
    for cut in cut_block(block):
        if cut.at or cut.block is not None:
            continue
        name, colon, text = without_comments(cut.prelude).partition(":")
        name = name.strip()
        if not colon or not (name.startswith("--") or name.lower() in WANTED):
            continue
        value = _IMPORTANT.sub("", text)
        important = len(value) != len(text)
        if name.startswith("--"):
            (found.important_custom if important else found.custom)[name] = value.strip()
            continue
        parsed = parse_value(name.lower(), value.strip(), quirks)
        if parsed is None:
            invalid += 1
            continue
        for prop, part in parsed.items():
            if important:
                found.important[prop] = part
            else:
                found.normal[prop] = part
    if not invalid:
        return found
    return Declarations(found.normal, found.important, found.custom, found.important_custom, invalid)


def count_declarations(block: str) -> tuple[int, int]:
    """Return how many declarations a block holds, and how many of them are of interest."""
    names = [
        cut.prelude.partition(":")[0].strip().lower()
        for cut in cut_block(block)
        if not cut.at and cut.block is None and ":" in cut.prelude
    ]
    return len(names), sum(name.startswith("--") or name in WANTED for name in names)
