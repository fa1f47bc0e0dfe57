"""The relevant declarations in a rule or a `style` attribute, parsed on demand."""

import re
from dataclasses import dataclass
from functools import lru_cache

from broadsheet.document.styles.scanner import cut_block, without_comments
from broadsheet.document.styles.values import RELEVANT, Value, parse_value

#: Matches in every block that sets a relevant property, and in few others; it stops right after the name, because a
#: name may start anywhere.
_RELEVANT = re.compile(
    r"(?<![\w-])(?:font(?:-size|-family|-weight)?|color|display|visibility|all)\s*+(?::|/\*)|(?<![^\s;{}/])--[^\s:;{}]",
    re.IGNORECASE,
)
_IMPORTANT = re.compile(r"!\s*important\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declarations:
    """The declarations of a block: values by property and the texts of custom properties, normal and important."""

    normal: dict[str, Value]
    important: dict[str, Value]
    custom: dict[str, str]
    important_custom: dict[str, str]
    #: The number of relevant declarations with a value that is not understood.
    invalid: int


NO_DECLARATIONS = Declarations({}, {}, {}, {}, 0)


def is_relevant(block: str) -> bool:
    """Return whether a block may set a relevant property, without parsing it."""
    return _RELEVANT.search(block) is not None


@lru_cache(maxsize=4096)
def parse_declarations(block: str, quirks: bool) -> Declarations:
    """Parse the declarations of a block, without its nested rules."""
    declarations = Declarations({}, {}, {}, {}, 0)
    invalid = 0
    for cut in cut_block(block):
        if cut.at or cut.block is not None:
            continue
        name, colon, text = without_comments(cut.prelude).partition(":")
        name = name.strip()
        if not colon or not (name.startswith("--") or name.lower() in RELEVANT):
            continue
        value = _IMPORTANT.sub("", text)
        important = len(value) != len(text)
        if name.startswith("--"):
            (declarations.important_custom if important else declarations.custom)[name] = value.strip()
            continue
        parsed = parse_value(name.lower(), value.strip(), quirks)
        if parsed is None:
            invalid += 1
            continue
        for prop, part in parsed.items():
            if important:
                declarations.important[prop] = part
            else:
                declarations.normal[prop] = part
    if not invalid:
        return declarations
    return Declarations(
        declarations.normal, declarations.important, declarations.custom, declarations.important_custom, invalid
    )


def count_declarations(block: str) -> tuple[int, int]:
    """Return the number of declarations in a block, and the number of relevant ones."""
    names = [
        cut.prelude.partition(":")[0].strip().lower()
        for cut in cut_block(block)
        if not cut.at and cut.block is None and ":" in cut.prelude
    ]
    return len(names), sum(name.startswith("--") or name in RELEVANT for name in names)
