"""Line and bar charts as SVG, readable on light and dark backgrounds."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 170, 44, 96
#: Distinguishable with colour blindness (the first six: Okabe and Ito, 2008); used in rotation.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f", "#6a3d9a")
_GREY = "#888"
_FONT = 'font-family="system-ui, sans-serif" font-size="12"'
_TICKS = 5
#: About as wide is a letter of size 12: names that would run into each other are set aslant, and a drawing is made
#: larger than usual where a name would be cut off.
_LETTER = 6.5
_SLANT = math.radians(35)
_TITLE_SIZE = 15


@dataclass(frozen=True, slots=True)
class Series:
    """A named series of values, one per place on the horizontal axis; None for a missing one."""

    name: str
    values: Sequence[float | None]
    #: The lower and upper edge of a band around a line, at every place; empty for none.
    band: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """The content of a chart: title, axis labels, places on the horizontal axis, and series."""

    title: str
    x_label: str
    y_label: str
    places: Sequence[str]
    series: Sequence[Series]
    #: The range of the vertical axis; None to fit the values.
    y_range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """Refuse an empty chart, and series that do not fit the axis."""
        if not self.places or not self.series:
            raise ValueError(f"{self.title}: a chart needs places and series")
        for series in self.series:
            if len(series.values) != len(self.places) or len(series.band) not in {0, len(self.places)}:
                raise ValueError(f"{self.title}: {series.name} needs one value per place")


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps values to coordinates."""

    low: float
    high: float

    def y(self, value: float) -> float:
        """Return the vertical coordinate of a value, clipped to the axis."""
        inside = min(max(value, self.low), self.high)
        return _TOP + (self.high - inside) / (self.high - self.low) * (HEIGHT - _TOP - _BOTTOM)


def line_chart(chart: Chart) -> str:
    """Draw one line per series, with a dot at each value."""
    scale = _scale(chart)
    return _drawing(chart, scale, _lines(chart, scale))


def bar_chart(chart: Chart) -> str:
    """Draw one bar per value, those of one place side by side."""
    scale = _scale(chart)
    return _drawing(chart, scale, _bars(chart, scale))


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers between two bounds."""
    step = 10 ** math.floor(math.log10((high - low) / _TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= _TICKS + 1)
    # Multiplied, not added up, so that no tick is 0.30000000000000004.
    return [
        round(number * step, 10) for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def _scale(chart: Chart) -> _Scale:
    if chart.y_range:
        return _Scale(*chart.y_range)
    values = [value for series in chart.series for value in series.values if value is not None]
    low, high = min([0.0, *values]), max(values, default=1.0)
    return _Scale(low, high if high > low else low + 1.0)


def _drawing(chart: Chart, scale: _Scale, marks: Iterator[str]) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_extent(chart)}" role="img" {_FONT} fill="{_GREY}">',
        f"<title>{escape(chart.title)}</title>",
        _text(_LEFT, 22, chart.title, size=_TITLE_SIZE),
        *_axes(chart, scale),
        *marks,
        *_legend(chart),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _extent(chart: Chart) -> str:
    """Return the part of the plane that holds all names, as a viewBox."""
    longest = max(len(series.name) for series in chart.series) * _LETTER
    title = len(chart.title) * _LETTER * _TITLE_SIZE / 12
    left, right = 0, math.ceil(max(WIDTH, WIDTH - _RIGHT + 40 + longest, _LEFT + title))
    if _is_aslant(chart):
        begins = (_x(chart, place) - len(name) * _LETTER * math.cos(_SLANT) for place, name in enumerate(chart.places))
        left = min(left, math.floor(min(begins)) - 6)
    return f"{left} 0 {right - left} {_height(chart)}"


def _is_aslant(chart: Chart) -> bool:
    return max(map(len, chart.places)) * _LETTER > _step(chart)


def _height(chart: Chart) -> int:
    """Return how high a drawing is; names that are set aslant may need more room below the axis."""
    if not _is_aslant(chart):
        return HEIGHT
    longest = max(map(len, chart.places)) * _LETTER
    return max(HEIGHT, math.ceil(HEIGHT - _BOTTOM + 18 + longest * math.sin(_SLANT) + 30))


def _axes(chart: Chart, scale: _Scale) -> Iterator[str]:
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    for tick in ticks(scale.low, scale.high):
        y = scale.y(tick)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="{_GREY}" stroke-opacity="0.3"/>'
        yield _text(_LEFT - 6, y + 4, f"{tick:g}", anchor="end")
    yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" stroke="{_GREY}" fill="none"/>'
    rotated = _is_aslant(chart)
    for place, name in enumerate(chart.places):
        x, y = _x(chart, place), bottom + 18
        if rotated:
            yield f'<g transform="rotate(-35 {x:.1f} {y})">{_text(x, y, name, anchor="end")}</g>'
        else:
            yield _text(x, y, name, anchor="middle")
    yield _text((_LEFT + right) / 2, _height(chart) - 14, chart.x_label, anchor="middle")
    middle = (_TOP + bottom) / 2
    yield f'<g transform="rotate(-90 16 {middle:.1f})">{_text(16, middle, chart.y_label, anchor="middle")}</g>'


def _lines(chart: Chart, scale: _Scale) -> Iterator[str]:
    for number, series in enumerate(chart.series):
        if series.band:
            edges = [(_x(chart, place), *map(scale.y, edge)) for place, edge in enumerate(series.band)]
            around = [(x, low) for x, low, _ in edges] + [(x, high) for x, _, high in reversed(edges)]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in around)
            yield f'<polygon points="{path}" fill="{_colour(number)}" fill-opacity="0.15"/>'
        points = [(_x(chart, place), scale.y(value)) for place, value in enumerate(series.values) if value is not None]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{_colour(number)}" stroke-width="2"/>'
        for x, y in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_colour(number)}"/>'


def _bars(chart: Chart, scale: _Scale) -> Iterator[str]:
    width = 0.8 * _step(chart) / len(chart.series)
    bottom = HEIGHT - _BOTTOM
    for number, series in enumerate(chart.series):
        for place, value in enumerate(series.values):
            if value is None:
                continue
            x, y = _x(chart, place) + (number - len(chart.series) / 2) * width, scale.y(value)
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{bottom - y:.1f}" fill="{_colour(number)}">'
                f"<title>{escape(series.name)}, {escape(chart.places[place])}: {value:.3g}</title></rect>"
            )


def _legend(chart: Chart) -> Iterator[str]:
    x = WIDTH - _RIGHT + 16
    for number, series in enumerate(chart.series):
        y = _TOP + 18 * number
        yield f'<rect x="{x}" y="{y}" width="12" height="12" fill="{_colour(number)}"/>'
        yield _text(x + 18, y + 10, series.name)


def _step(chart: Chart) -> float:
    return (WIDTH - _LEFT - _RIGHT) / len(chart.places)


def _x(chart: Chart, place: int) -> float:
    return _LEFT + (place + 0.5) * _step(chart)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
