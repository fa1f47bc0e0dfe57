"""The browser's default style sheet, as far as it affects text."""

from broadsheet.document.styles.css_lengths import Sum
from broadsheet.document.styles.values import (
    BOLDER,
    COLOUR,
    DISPLAY,
    FAMILY,
    SIZE,
    WEIGHT,
    Keyword,
    Step,
    Value,
)

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
