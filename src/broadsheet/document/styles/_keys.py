"""Determines the index key of a selector from its text, without parsing it."""

import re

from broadsheet.document.styles._pseudos import LEGACY_ELEMENTS, NEVER_ON_STATIC_PAGES

#: The last part of a selector: name, ids and classes, then pseudo-classes and attributes if they are simple.
_END = re.compile(
    r"(?:(?<=[\s>+~])|(?<![\s\S]))([\w-]+|\*)?((?:[.#][\w-]+)*)"
    r"""((?:::?[\w-]+(?:\([^()]*\))?|\[[^\]\s"']*(?:"[^"]*"|'[^']*')?\])*)\Z""",
    re.ASCII,
)
_SIGN = re.compile(r"[.#][^.#]+")
_NEVER_MATCHING = NEVER_ON_STATIC_PAGES | LEGACY_ELEMENTS

#: The key of selectors that never match on a static page.
NEVER = ""


def text_key(selector: str) -> str | None:
    """Return an `#id`, `.class` or name that a matching element must have; None if the selector must be parsed."""
    if "\\" in selector:
        return None
    match = _END.search(selector)
    if match is None:
        return None
    name, signs, rest = match.groups()
    if rest and "(" not in rest and not _NEVER_MATCHING.isdisjoint(rest.split(":")):
        return NEVER
    if signs:
        tokens = _SIGN.findall(signs)
        return str(next((token for token in tokens if token[0] == "#"), tokens[-1]))
    # A name with an attribute is better indexed by the attribute.
    return name.lower() if name and name != "*" and "[" not in rest else None
