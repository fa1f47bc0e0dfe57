"""Parses colours (names, hexadecimal, functions and legacy HTML attributes) into 0xRRGGBB."""

import colorsys
import re
from functools import lru_cache

from broadsheet.document.styles._colour_names import COLOUR_NAMES

#: Represents `currentcolor`: the inherited colour.
CURRENT = -1

_HEX = re.compile(r"#([0-9a-f]+)\Z")
_FUNCTION = re.compile(r"(rgba?|hsla?)\(([^()]*)\)\Z")
_NUMBER = re.compile(r"([+-]?(?:\d++\.?\d*+|\.\d++)(?:e[+-]?\d++)?)(%|deg|turn|rad|grad)?\Z")
_LIGHT_DARK = re.compile(r"light-dark\(\s*+([^,()]++(?:\([^()]*+\))?)\s*+,.*\)\Z", re.DOTALL)
_DEGREES = {None: 1.0, "deg": 1.0, "turn": 360.0, "rad": 57.29577951308232, "grad": 0.9}


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> int | None:
    """Parse a CSS colour; return None if it is invalid or not supported."""
    text = text.strip().lower()
    named = COLOUR_NAMES.get(text)
    if named is not None:
        return named
    if text == "currentcolor":
        return CURRENT
    if digits := _HEX.match(text):
        return _from_digits(digits.group(1))
    if function := _FUNCTION.match(text):
        return _from_function(function.group(1)[:3], function.group(2))
    if chosen := _LIGHT_DARK.match(text):
        return parse_colour(chosen.group(1))
    return None


def parse_loose_colour(text: str) -> int | None:
    """Parse a colour in quirks mode, where the `#` may be missing."""
    colour = parse_colour(text)
    if colour is None and re.fullmatch(r"[0-9a-fA-F]{3}|[0-9a-fA-F]{6}", text.strip()):
        return _from_digits(text.strip().lower())
    return colour


@lru_cache(maxsize=1024)
def parse_legacy_colour(text: str) -> int | None:
    """Parse the colour in an attribute such as `color` of `font`, where HTML turns nearly any text into a colour."""
    text = text.strip(" \t\n\f\r")
    if not text or text.lower() == "transparent":
        return None
    named = COLOUR_NAMES.get(text.lower())
    if named is not None:
        return named
    if re.fullmatch(r"#[0-9a-fA-F]{3}", text):
        return _from_digits(text[1:].lower())
    text = "".join("00" if ord(letter) > 0xFFFF else letter for letter in text)[:128].removeprefix("#")
    digits = re.sub(r"[^0-9a-fA-F]", "0", text)
    digits += "0" * (-len(digits) % 3 or (3 if not digits else 0))
    length = len(digits) // 3
    parts = [digits[start : start + length][-8:] for start in (0, length, 2 * length)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    red, green, blue = (int(part[:2], 16) for part in parts)
    return red << 16 | green << 8 | blue


def _from_digits(digits: str) -> int | None:
    if len(digits) in {3, 4}:
        digits = "".join(digit * 2 for digit in digits[:3])
    return int(digits[:6], 16) if len(digits) in {6, 8} else None


def _from_function(name: str, inside: str) -> int | None:
    parts = [_NUMBER.match(part) for part in re.split(r"[\s,/]+", inside.strip())]
    if len(parts) not in {3, 4}:
        return None
    numbers = [(float(part.group(1)), part.group(2)) for part in parts if part]
    if len(numbers) != len(parts):
        return None
    if name == "rgb":
        channels = [number * 2.55 if unit else number for number, unit in numbers[:3]]
    else:
        (hue, unit), (saturation, _), (lightness, _) = numbers[:3]
        turn = hue * _DEGREES.get(unit, 1.0) / 360 % 1
        rgb = colorsys.hls_to_rgb(turn, min(max(lightness, 0), 100) / 100, min(max(saturation, 0), 100) / 100)
        channels = [channel * 255 for channel in rgb]
    red, green, blue = (min(max(int(channel + 0.5), 0), 255) for channel in channels)
    return red << 16 | green << 8 | blue
