"""A recording of a terminal as an SVG that moves by itself, and needs no script, no font and no network."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from tools.recording import Moment, Span

CELL, LINE, SIZE = 8.4, 19, 14
MARGIN, BAR = 16, 34
#: A picture is watched for at most so many seconds before it stands still.
LONGEST = 12.0
_COLOURS = {
    "default": "#d8dee9",
    "black": "#6b7385",
    "red": "#ff7b72",
    "green": "#7ee787",
    "brown": "#e3b341",
    "blue": "#79c0ff",
    "magenta": "#d2a8ff",
    "cyan": "#76e3ea",
    "white": "#f0f3f6",
}
_STYLE = (
    f"text{{font:{SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}}"
    ".frame{opacity:0}.last{opacity:1}"
)


def draw(title: str, command: str, moments: Sequence[Moment], columns: int) -> str:
    """Return the picture of a command: what was typed, and what was shown, one moment after the other."""
    height = MARGIN + BAR + LINE * (1 + max(len(moment.lines) for moment in moments)) + MARGIN
    width = 2 * MARGIN + CELL * columns
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}{_motion(moments)}</style>",
            f'<rect width="{width:g}" height="{height}" rx="8" fill="#161b22"/>',
            *(f'<circle cx="{20 + 18 * number}" cy="18" r="5.5" fill="#30363d"/>' for number in range(3)),
            _text(Span(0, len(command) + 2, f"$ {command}", "white", bold=True), 0),
            *_frames(moments),
            "</svg>\n",
        ]
    )


def _frames(moments: Sequence[Moment]) -> Iterator[str]:
    for number, moment in enumerate(moments):
        # Where nothing moves, the last moment is the picture.
        name = "last" if number == len(moments) - 1 else f"frame f{number}"
        yield f'<g class="{name}">'
        yield from (_text(span, row) for row, line in enumerate(moment.lines, start=1) for span in line)
        yield "</g>"


def _motion(moments: Sequence[Moment]) -> str:
    """Show each moment until the next comes, and the last for good; whoever wants no motion sees the last alone."""
    if len(moments) < 2:
        return ""
    total = moments[-1].second
    seconds = min(total, LONGEST)
    rules = []
    for number, (moment, following) in enumerate(pairwise(moments)):
        begin, end = (100 * at.second / total for at in (moment, following))
        rules.append(
            f"@keyframes k{number}{{0%,{begin:.2f}%{{opacity:0}}{begin + 0.01:.2f}%,{end:.2f}%{{opacity:1}}"
            f"{min(end + 0.01, 100):.2f}%,100%{{opacity:0}}}}.f{number}{{animation:k{number} {seconds:.1f}s linear}}"
        )
    rules.append(
        f"@keyframes end{{0%,99.99%{{opacity:0}}100%{{opacity:1}}}}.last{{animation:end {seconds:.1f}s linear}}"
    )
    return "@media (prefers-reduced-motion:no-preference){" + "".join(rules) + "}"


def _text(span: Span, row: int) -> str:
    """Draw a span over exactly its cells, whatever font is there."""
    colour = _COLOURS.get(span.colour) or f"#{span.colour}"
    weight = ' font-weight="bold"' if span.bold else ""
    exact = f'textLength="{CELL * span.width:g}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"'
    return (
        f'<text x="{MARGIN + CELL * span.column:g}" y="{MARGIN + BAR + LINE * row:g}" fill="{colour}"{weight} '
        f"{exact}>{escape(span.text)}</text>"
    )
