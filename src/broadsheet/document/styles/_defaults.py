"""How a browser shows an element without the page's style sheets: its own sheet, and legacy attributes of HTML."""

import re
from typing import NamedTuple

from broadsheet.document.styles._element_markup import Markup
from broadsheet.document.styles._matching import MatchingTree
from broadsheet.document.styles.colours import parse_legacy_colour
from broadsheet.document.styles.css_lengths import Sum
from broadsheet.document.styles.declarations import BOLDER, COLOUR, DISPLAY, FAMILY, SIZE, WEIGHT, Keyword, Step, Value
from broadsheet.document.styles.families import parse_families

#: The font family and colours of a page without styles.
ROOT_FAMILY: tuple[str, ...] = ('"times new roman"',)
TEXT_COLOUR = 0x000000
MEDIUM = Keyword(4)

#: The size keywords in px, by whether the family is just `monospace` and whether the page is in quirks mode.
SIZES: dict[tuple[bool, bool], tuple[int, ...]] = {
    (False, False): (0, 9, 10, 13, 16, 18, 24, 32, 48),
    (False, True): (0, 9, 10, 13, 16, 18, 24, 32, 48),
    (True, False): (0, 9, 10, 12, 13, 16, 20, 26, 39),
    (True, True): (0, 9, 9, 10, 13, 16, 20, 26, 40),
}
#: The minimum size in px at which text is rendered, if its size depends on the parent's.
SMALLEST = 6

_HEADINGS = {"h1": 2, "h2": 1.5, "h3": 1.17, "h4": 1, "h5": 0.83, "h6": 0.67}
_CONTROL: dict[str, Value] = {
    SIZE: Sum(px=40 / 3),
    FAMILY: ('"arial"',),
    WEIGHT: 400,
    COLOUR: TEXT_COLOUR,
}

_GROUPS: tuple[tuple[str, dict[str, Value]], ...] = (
    ("b strong optgroup", {WEIGHT: BOLDER}),
    ("small sub sup", {SIZE: Step(1 / 1.2)}),
    ("tt code kbd samp pre xmp listing plaintext", {FAMILY: ("monospace",)}),
    ("input select button", _CONTROL),
    ("textarea", {**_CONTROL, FAMILY: ("monospace",)}),
    ("big", {SIZE: Step(1.2)}),
    ("th", {WEIGHT: 700}),
    ("rt", {SIZE: Sum(em=0.5)}),
    ("option", {WEIGHT: 400}),
    ("mark dialog", {COLOUR: TEXT_COLOUR}),
    (
        "area base basefont datalist head link meta noembed noframes param rp script style template title",
        {DISPLAY: False},
    ),
)

DEFAULTS: dict[str, dict[str, Value]] = {
    **{name: {SIZE: Sum(em=size), WEIGHT: 700} for name, size in _HEADINGS.items()},
    **{name: values for names, values in _GROUPS for name in names.split()},
}

#: In quirks mode a table does not inherit size and weight.
QUIRKY_TABLE: dict[str, Value] = {SIZE: MEDIUM, WEIGHT: 400}

#: Elements whose content a browser never displays, regardless of style sheets.
HIDDEN_CONTENT = frozenset({"video", "audio", "iframe", "meter", "progress", "desc", "metadata", "defs", "symbol"})


class PagePresentation(NamedTuple):
    """What applies to the whole page."""

    quirks: bool
    text_colour: int
    link_colour: int


def browser_values(markup: Markup, page: PagePresentation) -> dict[str, Value]:
    """Return an element's values in the browser's default style sheet."""
    values = DEFAULTS.get(markup.name, {})
    if markup.name == "table" and page.quirks:
        values = {**QUIRKY_TABLE, COLOUR: page.text_colour}
    if not markup.attributes and markup.name != "dialog":
        return values
    if markup.get("href") is not None:
        values = {**values, COLOUR: page.link_colour}
    closed = markup.name == "dialog" and markup.get("open") is None
    if closed or markup.get("hidden") is not None or _is_popover(markup):
        values = {**values, DISPLAY: False}
    return values


def _is_popover(markup: Markup) -> bool:
    popover = markup.get("popover")
    return popover is not None and popover.lower() in {"", "auto", "manual", "hint"}


def presentational_hints(markup: Markup) -> dict[str, Value]:
    """Return the values of legacy attributes, which any author style sheet overrides."""
    values: dict[str, Value] = {}
    if markup.name == "body" and (text := markup.get("text")) is not None:
        colour = parse_legacy_colour(text)
        if colour is not None:
            values[COLOUR] = colour
    if markup.name != "font":
        return values
    if (size := _font_size(markup.get("size"))) is not None:
        values[SIZE] = size
    if (text := markup.get("color")) is not None and (colour := parse_legacy_colour(text)) is not None:
        values[COLOUR] = colour
    if (text := markup.get("face")) is not None and (families := parse_families(text)) is not None:
        values[FAMILY] = families
    return values


_SIZE = re.compile(r"[ \t\n\f\r]*([+-]?)(\d+)")


def _font_size(text: str | None) -> Keyword | None:
    match = _SIZE.match(text or "")
    if match is None:
        return None
    number = int(match.group(2)[:6])
    number = 3 + number if match.group(1) == "+" else 3 - number if match.group(1) == "-" else number
    return Keyword(min(max(number, 1), 7) + 1)


def hides_content(markup: Markup) -> bool:
    """Return whether a browser hides the content of an element (except the first `summary` of `details`)."""
    if markup.name == "details":
        return markup.get("open") is None
    if markup.name == "select":
        size = re.match(r"\s*\+?(\d{1,9})", markup.get("size") or "")
        return markup.get("multiple") is None and (size is None or int(size.group(1)) < 2)
    return markup.name in HIDDEN_CONTENT


def page_colours(tree: MatchingTree, body: int | None) -> tuple[int, int]:
    """Return the colours of text and links set by the attributes of `body`."""
    if body is None:
        return TEXT_COLOUR, 0x0000EE
    text = parse_legacy_colour(tree.attribute(body, "text") or "")
    link = parse_legacy_colour(tree.attribute(body, "link") or "")
    return TEXT_COLOUR if text is None else text, 0x0000EE if link is None else link
