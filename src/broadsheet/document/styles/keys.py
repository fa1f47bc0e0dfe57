"""What an element must have for a selector to fit it, read off the selector's text without parsing it."""

import re

from broadsheet.document.styles.pseudos import AT_REST_NEVER, LEGACY_ELEMENTS

#: The last part of a selector: name, ids and classes, and what stands after them as far as it is easily told.
_END = re.compile(
    r"(?:(?<=[\s>+~])|(?<![\s\S]))([\w-]+|\*)?((?:[.#][\w-]+)*)"
    r"""((?:::?[\w-]+(?:\([^()]*\))?|\[[^\]\s"']*(?:"[^"]*"|'[^']*')?\])*)\Z""",
    re.ASCII,
)
_SIGN = re.compile(r"[.#][^.#]+")
_AT_REST = AT_REST_NEVER | LEGACY_ELEMENTS

#: The key of selectors that fit no element of a page at rest.
NEVER = ""


def text_key(selector: str) -> str | None:
    """Return `#id`, `.class` or a name that the last part asks for; None where it takes parsing to say."""
    if "\\" in selector:
        return None
    found = _END.search(selector)
    if found is None:
        return None
    name, signs, rest = found.groups()
    if rest and "(" not in rest and not _AT_REST.isdisjoint(rest.split(":")):
        return NEVER
    if signs:
        tokens = _SIGN.findall(signs)
        return str(next((token for token in tokens if token[0] == "#"), tokens[-1]))
    # A name with an attribute is better filed under the attribute.
    return name.lower() if name and name != "*" and "[" not in rest else None
