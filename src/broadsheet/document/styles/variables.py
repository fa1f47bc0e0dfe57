"""Custom properties: putting their texts where `var()` asks for them."""

import re
from collections.abc import Mapping

from broadsheet.document.styles.caps import StyleDrops

_VAR = re.compile(r"\bvar\(", re.IGNORECASE)
_BRACKET = re.compile(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)|,""", re.DOTALL)
#: Deeper fallbacks within fallbacks are found in attacks alone.
_DEEPEST = 16


def substitute(text: str, custom: Mapping[str, str], ledger: StyleDrops, depth: int = 0) -> str | None:
    """Return a value with its custom properties put in, None where one is missing or the value grows too long."""
    parts, position, length = [], 0, 0
    while found := _VAR.search(text, position):
        end, comma = _arguments(text, found.end())
        name = text[found.end() : comma if comma >= 0 else end].strip()
        value = custom.get(name)
        if value is None and comma >= 0 and depth < _DEEPEST:
            value = substitute(text[comma + 1 : end], custom, ledger, depth + 1)
        if value is None:
            return None
        parts += [text[position : found.start()], value]
        length += len(value)
        if length > ledger.limits.max_value_bytes:
            ledger.drop("value too long")
            return None
        position = end + 1
    return "".join([*parts, text[position:]])


def _arguments(text: str, start: int) -> tuple[int, int]:
    """Return where the brackets that hold position `start` close, and where their first comma stands, or -1."""
    depth, comma = 1, -1
    for token in _BRACKET.finditer(text, start):
        sign = token.group()
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 1 and comma < 0:
            comma = token.start()
        if not depth:
            return token.start(), comma
    return len(text), comma


def resolve(declared: Mapping[str, str], inherited: Mapping[str, str], ledger: StyleDrops) -> dict[str, str]:
    """Return the custom properties of an element; those in a loop, and those that ask for them, are none."""
    custom = dict(inherited)
    open_names = {name for name, text in declared.items() if _VAR.search(text)}
    for name, text in declared.items():
        if text.lower() in {"initial", "unset", "inherit", "revert"}:
            if text.lower() == "initial":
                custom.pop(name, None)
        elif name not in open_names:
            custom[name] = text
        else:
            custom.pop(name, None)
    for name in _in_order(declared, open_names):
        value = substitute(declared[name], custom, ledger)
        if value is not None:
            custom[name] = value
    return custom


def _in_order(declared: Mapping[str, str], open_names: set[str]) -> list[str]:
    """Return the properties that ask for others, each after those it asks for; those in a loop are left out."""
    waiting = {name: _asked(declared[name]) & open_names for name in open_names}
    askers: dict[str, list[str]] = {}
    for name, asked in waiting.items():
        for other in asked:
            askers.setdefault(other, []).append(name)
    ready = sorted(name for name, asked in waiting.items() if not asked)
    ordered = []
    while ready:
        name = ready.pop()
        ordered.append(name)
        for asker in askers.get(name, ()):
            waiting[asker].discard(name)
            if not waiting[asker]:
                ready.append(asker)
    return ordered


def _asked(text: str) -> set[str]:
    return set(re.findall(r"\bvar\(\s*(--[^\s,()]+)", text, re.IGNORECASE))
