"""Lengths for `font-size`: all units, and `calc`, `min`, `max` and `clamp`, to be resolved in their context."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import tinycss2

#: The size of the viewport, in px.
VIEWPORT_WIDTH, VIEWPORT_HEIGHT = 1280, 720

#: The px per unit, for units that do not depend on the element.
_PX: dict[str, float] = {
    "px": 1,
    "pt": 96 / 72,
    "pc": 16,
    "in": 96,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
}
for _prefix in ("", "s", "l", "d"):
    _PX |= {f"{_prefix}vw": VIEWPORT_WIDTH / 100, f"{_prefix}vi": VIEWPORT_WIDTH / 100}
    _PX |= {f"{_prefix}vh": VIEWPORT_HEIGHT / 100, f"{_prefix}vb": VIEWPORT_HEIGHT / 100}
    _PX |= {f"{_prefix}vmin": VIEWPORT_HEIGHT / 100, f"{_prefix}vmax": VIEWPORT_WIDTH / 100}
#: The em per unit, for units that depend on the parent's font size; `ex` and `ch` as in common fonts.
_EM: dict[str, float] = {"em": 1, "%": 0.01, "ex": 0.4480, "ch": 0.5, "ic": 1, "cap": 0.66}

#: No real length has more brackets.
_MAX_BRACKETS = 100
_NUMBER = re.compile(r"([+-]?(?:\d++\.?\d*+|\.\d++)(?:e[+-]?\d++)?)([a-z%]*+)\Z")


@dataclass(frozen=True, slots=True)
class Sum:
    """A length as a sum of px, em (the parent's font size) and rem (the root's)."""

    px: float = 0
    em: float = 0
    rem: float = 0

    @property
    def absolute(self) -> bool:
        """Whether the length does not depend on the parent."""
        return self.em == 0

    def resolve(self, em: float, rem: float) -> float:
        """Return the length in px."""
        return self.px + self.em * em + self.rem * rem


@dataclass(frozen=True, slots=True)
class Choice:
    """The smallest or largest of several lengths."""

    largest: bool
    parts: tuple["Length", ...]

    @property
    def absolute(self) -> bool:
        """Whether the length does not depend on the parent."""
        return all(part.absolute for part in self.parts)

    def resolve(self, em: float, rem: float) -> float:
        """Return the length in px."""
        lengths = [part.resolve(em, rem) for part in self.parts]
        return max(lengths) if self.largest else min(lengths)


@dataclass(frozen=True, slots=True)
class Scaled:
    """A weighted sum of lengths that cannot be simplified before their context is known."""

    parts: tuple[tuple[float, "Length"], ...]

    @property
    def absolute(self) -> bool:
        """Whether the length does not depend on the parent."""
        return all(part.absolute for _, part in self.parts)

    def resolve(self, em: float, rem: float) -> float:
        """Return the length in px."""
        return sum(factor * part.resolve(em, rem) for factor, part in self.parts)


Length: TypeAlias = Sum | Choice | Scaled


@lru_cache(maxsize=4096)
def parse_length(text: str, *, quirks: bool = False) -> Length | None:
    """Parse a length or percentage, or return None if it is invalid; in quirks mode a bare number means px."""
    text = text.strip().lower()
    if number := _NUMBER.match(text):
        return _with_unit(float(number.group(1)), number.group(2), bare_is_px=quirks)
    if not 0 < text.count("(") <= _MAX_BRACKETS:
        return None
    values = tinycss2.parse_component_value_list(text, skip_comments=True)
    values = [value for value in values if value.type != "whitespace"]
    if len(values) != 1 or values[0].type != "function":
        return None
    result = _function(values[0], 0)
    return None if isinstance(result, float) else result


def _with_unit(number: float, unit: str, *, bare_is_px: bool = False) -> Length | None:
    if unit in _PX:
        return Sum(px=number * _PX[unit])
    if unit in _EM:
        return Sum(em=number * _EM[unit])
    if unit in {"rem", "rex", "rch", "ric"}:
        return Sum(rem=number * _EM[unit[1:]])
    if not unit and (number == 0 or bare_is_px):
        return Sum(px=number)
    return None


def _function(token: "tinycss2.ast.FunctionBlock", depth: int) -> Length | float | None:
    """Evaluate a mathematical function; return None if it is not supported."""
    if depth > 16:
        return None
    name = token.lower_name
    arguments: list[list[tinycss2.ast.Node]] = [[]]
    for value in token.arguments:
        if value.type == "literal" and value.value == ",":
            arguments.append([])
        elif value.type not in {"whitespace", "comment"}:
            arguments[-1].append(value)
    parts = [_expression(argument, depth + 1) for argument in arguments]
    if any(part is None for part in parts):
        return None
    if name in {"calc", "-webkit-calc"}:
        return parts[0] if len(parts) == 1 else None
    lengths = tuple(part for part in parts if part is not None and not isinstance(part, float))
    if len(lengths) != len(parts):
        return None
    if name in {"min", "max"}:
        return Choice(name == "max", lengths)
    if name == "clamp" and len(lengths) == 3:
        return Choice(True, (lengths[0], Choice(False, lengths[1:])))
    return None


def _expression(values: "list[tinycss2.ast.Node]", depth: int) -> Length | float | None:
    """Evaluate a sum of products, given as operands with operators between them."""
    total: Length | float | None = None
    product: Length | float | None = None
    sign, operator = 1.0, "+"
    for index, value in enumerate(values):
        if value.type == "literal":
            operator = value.value
            continue
        operand = _operand(value, depth)
        if operand is None:
            return None
        if operator in {"*", "/"} and product is not None:
            product = _multiply(product, operand, divide=operator == "/")
        else:
            if index:
                total = product if total is None else _add(total, product)
            product, sign = operand, -1.0 if operator == "-" else 1.0
            if sign < 0:
                product = _multiply(product, -1.0, divide=False)
        if product is None:
            return None
    return product if total is None else _add(total, product)


def _operand(value: "tinycss2.ast.Node", depth: int) -> Length | float | None:
    if value.type == "number":
        return float(value.value)
    if value.type == "percentage":
        return Sum(em=value.value / 100)
    if value.type == "dimension":
        return _with_unit(value.value, value.lower_unit)
    if value.type == "function":
        return _function(value, depth)
    if value.type == "() block" and depth <= 16:
        inside = [part for part in value.content if part.type not in {"whitespace", "comment"}]
        return _expression(inside, depth + 1)
    return None


def _multiply(left: Length | float, right: Length | float, *, divide: bool) -> Length | float | None:
    if divide:
        if not isinstance(right, float) or right == 0:
            return None
        right = 1 / right
    if isinstance(left, float) and isinstance(right, float):
        return left * right
    factor, length = (left, right) if isinstance(left, float) else (right, left)
    if not isinstance(factor, float) or isinstance(length, float):
        return None
    if isinstance(length, Sum):
        return Sum(length.px * factor, length.em * factor, length.rem * factor)
    return Scaled(((factor, length),))


def _add(left: Length | float | None, right: Length | float | None) -> Length | float | None:
    if left is None or right is None:
        return None
    if isinstance(left, float) or isinstance(right, float):
        return left + right if isinstance(left, float) and isinstance(right, float) else None
    if isinstance(left, Sum) and isinstance(right, Sum):
        return Sum(left.px + right.px, left.em + right.em, left.rem + right.rem)
    return Scaled(((1.0, left), (1.0, right)))
