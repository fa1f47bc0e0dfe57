"""Custom properties: substitutes them for `var()`."""

import re
from collections.abc import Mapping

from broadsheet.document.styles.caps import StyleDrops

_VAR = re.compile(r"\bvar\(", re.IGNORECASE)
_BRACKET = re.compile(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)|,""", re.DOTALL)
#: Only hostile sheets nest fallbacks deeper.
_DEEPEST = 16


def substitute(text: str, custom: Mapping[str, str], ledger: StyleDrops, depth: int = 0) -> str | None:
    """Return a value with custom properties substituted, or None if one is missing or the value becomes too long."""
    parts, position, length = [], 0, 0
    while match := _VAR.search(text, position):
        end, comma = _arguments(text, match.end())
        name = text[match.end() : comma if comma >= 0 else end].strip()
        value = custom.get(name)
        if value is None and comma >= 0 and depth < _DEEPEST:
            value = substitute(text[comma + 1 : end], custom, ledger, depth + 1)
        if value is None:
            return None
        parts += [text[position : match.start()], value]
        length += len(value)
        if length > ledger.limits.max_value_bytes:
            ledger.drop("value too long")
            return None
        position = end + 1
    return "".join([*parts, text[position:]])


def _arguments(text: str, start: int) -> tuple[int, int]:
    """Return the end of the argument list that starts at `start`, and the position of its first comma, or -1."""
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
    """Return the custom properties of an element, without those in a reference cycle and those that refer to one."""
    custom = dict(inherited)
    dependent = {name for name, text in declared.items() if _VAR.search(text)}
    for name, text in declared.items():
        if text.lower() in {"initial", "unset", "inherit", "revert"}:
            if text.lower() == "initial":
                custom.pop(name, None)
        elif name not in dependent:
            custom[name] = text
        else:
            custom.pop(name, None)
    for name in _in_dependency_order(declared, dependent):
        value = substitute(declared[name], custom, ledger)
        if value is not None:
            custom[name] = value
    return custom


def _in_dependency_order(declared: Mapping[str, str], dependent: set[str]) -> list[str]:
    """Return the properties that refer to others, each after its references, without those in a cycle."""
    unresolved = {name: _references(declared[name]) & dependent for name in dependent}
    dependents: dict[str, list[str]] = {}
    for name, references in unresolved.items():
        for reference in references:
            dependents.setdefault(reference, []).append(name)
    ready = sorted(name for name, references in unresolved.items() if not references)
    ordered = []
    while ready:
        name = ready.pop()
        ordered.append(name)
        for other in dependents.get(name, ()):
            unresolved[other].discard(name)
            if not unresolved[other]:
                ready.append(other)
    return ordered


def _references(text: str) -> set[str]:
    return set(re.findall(r"\bvar\(\s*(--[^\s,()]+)", text, re.IGNORECASE))
