"""The section map of a source: the tree of its sections, with articles a day, pace and share of new, as a drawing."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from broadsheet.outputs.hypergraph_drawing import clipped, name_of
from broadsheet.outputs.svg_parts import LINE, PALE, svg_start, svg_text
from broadsheet.sources.typed_hypergraph import SectionFacts

#: Sections beyond this many are counted in words.
MAX_ROWS = 80
_SECTION, _ARTICLE, _NEW = "#d55e00", "#0072b2", "#009e73"
_WIDTH, _MARGIN, _HEAD, _ROW, _INDENT = 1010, 28, 104, 26, 22
_ARTICLES, _DAY, _DAY_WIDTH, _PACE, _NEW_AT, _NEW_WIDTH = 430, 460, 200, 790, 820, 110


def draw_section_map(facts: Sequence[SectionFacts], paces: Mapping[str, float], title: str) -> str:
    """Return the drawing as SVG; `paces` are the seconds between two visits of a section, by its key."""
    # What is linked to but not followed, such as lists by topic, would hide the tree.
    fetched = [each for each in facts if each.parent is None or each.per_day is not None or each.articles]
    shown = fetched[:MAX_ROWS]
    left_out = [
        f"{number:,} {words}"
        for number, words in (
            (len(fetched) - len(shown), "more sections are not drawn"),
            (len(facts) - len(fetched), "sections were linked to, but never fetched"),
        )
        if number
    ]
    height = _HEAD + _ROW * len(shown) + (54 if left_out else 30)
    most = max((each.per_day or 0 for each in shown), default=0) or 1
    parts = [
        svg_start(_WIDTH, height, title),
        *_heads(),
        *(part for number, each in enumerate(shown) for part in _row(number, each, paces, most)),
        *_branches(shown),
    ]
    if left_out:
        parts.append(svg_text(_MARGIN, height - 20, "; ".join(left_out), fill=PALE))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _heads() -> Iterator[str]:
    y = _HEAD - 22
    yield svg_text(_MARGIN, y, "section", fill=PALE)
    yield svg_text(_ARTICLES, y, "articles", fill=PALE, text_anchor="end")
    yield svg_text(_DAY, y, "new on it a day", fill=PALE)
    yield svg_text(_PACE, y, "visited every", fill=PALE, text_anchor="end")
    yield svg_text(_NEW_AT, y, "first shown here", fill=PALE)
    yield f'<path d="M{_MARGIN} {y + 9}H{_WIDTH - _MARGIN}" stroke="{LINE}"/>'


def _row(number: int, facts: SectionFacts, paces: Mapping[str, float], most: float) -> Iterator[str]:
    y = _middle(number)
    x = _x(facts)
    yield f'<circle cx="{x}" cy="{y}" r="5" fill="{_SECTION}"><title>{escape(facts.page.url)}</title></circle>'
    name = "home page" if facts.parent is None else name_of(facts.page)
    yield svg_text(x + 12, y + 4, clipped(name, 46 - 3 * facts.depth), font_weight="600" if facts.depth < 2 else "400")
    yield svg_text(_ARTICLES, y + 4, f"{facts.articles:,}", text_anchor="end")
    if facts.per_day is None:
        yield svg_text(_DAY, y + 4, "not observed yet", fill=PALE)
    else:
        length = _DAY_WIDTH * facts.per_day / most
        yield f'<rect x="{_DAY}" y="{y - 7}" width="{length:.1f}" height="14" rx="2" fill="{_ARTICLE}"/>'
        yield svg_text(_DAY + length + 6, y + 4, f"{facts.per_day:.1f}")
    yield svg_text(_PACE, y + 4, pace_words(paces.get(facts.page.key)), text_anchor="end")
    if facts.new is not None:
        yield f'<rect x="{_NEW_AT}" y="{y - 7}" width="{_NEW_WIDTH}" height="14" rx="2" fill="{LINE}"/>'
        yield (
            f'<rect x="{_NEW_AT}" y="{y - 7}" width="{_NEW_WIDTH * facts.new:.1f}" height="14" rx="2" fill="{_NEW}"/>'
        )
        yield svg_text(_WIDTH - _MARGIN, y + 4, f"{facts.new:.0%}", text_anchor="end", font_size=11)


def _branches(shown: Sequence[SectionFacts]) -> Iterator[str]:
    """Yield the lines from each section to the one above it."""
    rows = {facts.page.key: number for number, facts in enumerate(shown)}
    for number, facts in enumerate(shown):
        if facts.parent in rows:
            above = rows[facts.parent]
            x = _x(shown[above])
            yield (
                f'<path d="M{x} {_middle(above) + 6}V{_middle(number)}H{_x(facts) - 6}" fill="none" stroke="{PALE}"'
                f' stroke-opacity="0.5"/>'
            )


def pace_words(seconds: float | None) -> str:
    """Return how often something is visited, in the largest unit that fits."""
    if not seconds:
        return "–"
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            number = round(seconds / size, 1)
            return unit if number == 1 else f"{number:g} {unit}s"
    return f"{seconds:g} seconds"


def _x(facts: SectionFacts) -> int:
    return _MARGIN + 6 + _INDENT * facts.depth


def _middle(number: int) -> int:
    return _HEAD + _ROW * number + _ROW // 2
