"""A crawl over time as a drawing: what was published and archived, what was visited, and when the phase changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from broadsheet.outputs.svg_parts import LINE, PALE, svg_start, svg_text

_PUBLISHED, _ARCHIVED, _VISITS, _PHASE = "#d55e00", "#0072b2", "#009e73", "#cc79a7"
_WIDTH, _HEIGHT, _LEFT, _RIGHT = 1010, 520, 60, 982
#: The upper and the lower part: where each begins and ends.
_UPPER, _LOWER = (96, 280), (340, 480)


@dataclass(frozen=True, slots=True)
class CrawlTimeline:
    """What happened in each hour of a crawl, beside what visiting everything every hour would have taken."""

    title: str
    published: Sequence[int]
    archived: Sequence[int]
    #: Visits to the home page, sections and feeds.
    visits: Sequence[int]
    #: What visiting all fronts every hour would have taken.
    hourly: Sequence[int]
    #: The hours at which the source changed its phase, and to which.
    phases: Sequence[tuple[float, str]]


def draw_timeline(timeline: CrawlTimeline) -> str:
    """Return the drawing as SVG."""
    most = max(sum(timeline.published), sum(timeline.archived), 1)
    busiest = max((*timeline.hourly, *timeline.visits, 1))
    hours = len(timeline.visits)
    parts = [
        svg_start(_WIDTH, _HEIGHT, timeline.title),
        *_frame(_UPPER, f"articles since the crawl began, up to {most:,}"),
        *_line(_running(timeline.published), most, _UPPER, _PUBLISHED, dash="6 4"),
        *_line(_running(timeline.archived), most, _UPPER, _ARCHIVED),
        *_frame(_LOWER, f"visits to the home page, sections and feeds in each hour, up to {busiest:,}"),
        *_bars(timeline.visits, busiest),
        *_line([float(number) for number in timeline.hourly], busiest, _LOWER, PALE, dash="3 3"),
        *_phases(timeline.phases, hours),
        *_days(hours),
        *_legend(),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _running(numbers: Sequence[int]) -> list[float]:
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(float(total))
    return sums


def _x(hour: float, hours: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * hour / max(1, hours)


def _frame(part: tuple[int, int], title: str) -> Iterator[str]:
    top, bottom = part
    yield svg_text(_LEFT, top - 10, title, fill=PALE)
    yield f'<path d="M{_LEFT} {top}V{bottom}H{_RIGHT}" fill="none" stroke="{LINE}"/>'


def _line(values: Sequence[float], most: float, part: tuple[int, int], colour: str, dash: str = "") -> Iterator[str]:
    top, bottom = part
    points = " ".join(
        f"{_x(hour + 1, len(values)):.1f},{bottom - (bottom - top) * value / most:.1f}"
        for hour, value in enumerate(values)
    )
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def _bars(values: Sequence[int], most: float) -> Iterator[str]:
    top, bottom = _LOWER
    width = (_RIGHT - _LEFT) / max(1, len(values))
    for hour, value in enumerate(values):
        height = (bottom - top) * value / most
        yield (
            f'<rect x="{_x(hour, len(values)) + width * 0.1:.1f}" y="{bottom - height:.1f}" width="{width * 0.8:.1f}"'
            f' height="{height:.1f}" fill="{_VISITS}"/>'
        )


def _phases(phases: Sequence[tuple[float, str]], hours: int) -> Iterator[str]:
    for hour, name in phases:
        x = _x(hour, hours)
        yield f'<path d="M{x:.1f} {_UPPER[0]}V{_LOWER[1]}" stroke="{_PHASE}" stroke-width="2"/>'
        yield svg_text(x + 6, _UPPER[0] + 12, name, fill=_PHASE)


def _days(hours: int) -> Iterator[str]:
    for hour in range(0, hours + 1, 12 if hours <= 120 else 24):
        yield svg_text(_x(hour, hours), _LOWER[1] + 18, f"{hour} h", fill=PALE, text_anchor="middle")


def _legend() -> Iterator[str]:
    names = (
        (_PUBLISHED, "published"),
        (_ARCHIVED, "archived"),
        (_VISITS, "visits"),
        (PALE, "visits, if everything were visited every hour"),
    )
    x = _LEFT
    for colour, name in names:
        yield f'<rect x="{x}" y="56" width="14" height="10" fill="{colour}"/>'
        yield svg_text(x + 20, 65, name)
        x += 40 + 7 * len(name)
