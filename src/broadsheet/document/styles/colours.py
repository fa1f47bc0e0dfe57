"""Parses colours (names, hexadecimal, functions and legacy HTML attributes) into 0xRRGGBB."""

import colorsys
import re
from functools import lru_cache

_TABLE = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000
blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00
chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b
darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b
darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a
darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff
firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700
goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4
indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00
lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2
lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa
lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00
limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd
mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a
mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5
navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500
orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5
peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000
rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee
sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa
springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee
wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
transparent 000000 canvastext 000000 canvas ffffff linktext 0000ee visitedtext 551a8b activetext ff0000
buttontext 000000 buttonface f0f0f0 field ffffff fieldtext 000000 highlighttext 000000 graytext 808080 mark ffff00
marktext 000000 windowtext 000000 window ffffff infotext 000000 menutext 000000 captiontext 000000 text 000000
-webkit-link 0000ee -webkit-text 000000 -webkit-activelink ff0000
"""

_WORDS = _TABLE.split()

#: All names, including the system colours of a browser with a light colour scheme.
COLOUR_NAMES: dict[str, int] = {name: int(digits, 16) for name, digits in zip(_WORDS[::2], _WORDS[1::2], strict=True)}


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
