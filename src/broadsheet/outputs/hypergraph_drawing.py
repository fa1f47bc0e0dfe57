"""The typed hypergraph of a source as a drawing: home page, sections with their articles, and other pages."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from broadsheet.outputs.svg_parts import PALE, svg_start, svg_text
from broadsheet.sources.typed_hypergraph import FatherSon, TypedHypergraph, TypedPage

#: What is drawn at most; the rest is counted in words.
MAX_SECTIONS, MAX_ARTICLES, MAX_OTHER, MAX_SHARED = 24, 40, 36, 400
_ARTICLE, _SECTION, _OTHER, _UNKNOWN, _FIELD = "#0072b2", "#d55e00", "#8a8a8a", "#c9b458", "#edf4fa"
_COLUMNS, _WIDTH, _GAP, _MARGIN = 6, 178, 16, 28
_TOP, _DOT, _PITCH, _ACROSS = 150, 5.5, 18, 8
_BOX = 40


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A section with its articles, and where it is drawn."""

    section: TypedPage
    articles: Sequence[FatherSon]
    x: float
    y: float

    @property
    def middle(self) -> float:
        return self.x + _WIDTH / 2

    @property
    def shown(self) -> Sequence[FatherSon]:
        return self.articles[:MAX_ARTICLES]

    @property
    def hull(self) -> float:
        """The height of the field of articles."""
        return _PITCH * max(math.ceil(len(self.shown) / _ACROSS), 1) + 32

    def place(self, number: int) -> tuple[float, float]:
        """Return the middle of an article's dot."""
        across = (_WIDTH - _PITCH * (_ACROSS - 1)) / 2
        row, column = divmod(number, _ACROSS)
        return self.x + across + column * _PITCH, self.y + _BOX + 34 + row * _PITCH


def draw_hypergraph(graph: TypedHypergraph, title: str) -> str:
    """Return the drawing as SVG: every article stands with the section that showed it first."""
    clusters, hidden = _clusters(graph)
    width = 2 * _MARGIN + _COLUMNS * _WIDTH + (_COLUMNS - 1) * _GAP
    foot = max((cluster.y + _BOX + cluster.hull + 24 for cluster in clusters), default=float(_TOP))
    others = [page for page in graph.pages.values() if page.kind == "other"]
    unknown = [page for page in graph.pages.values() if page.kind is None and page.key != graph.home]
    height = foot + 100
    parts = [
        svg_start(width, height, title),
        svg_text(_MARGIN, 54, _summary(graph, hidden), fill=PALE),
        *_legend(width),
        *_home_arcs(graph, clusters, width / 2),
        *(part for cluster in clusters for part in _drawn(cluster, graph)),
        *_shared_arcs(graph, clusters),
        _box(width / 2 - 70, 78, 140, "home page", graph.pages[graph.home].url if graph.home in graph.pages else ""),
        *_row_of_dots("Other pages", others, _OTHER, foot + 24),
        *_row_of_dots("Not judged yet", unknown, _UNKNOWN, foot + 64),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _clusters(graph: TypedHypergraph) -> tuple[list[_Cluster], int]:
    """Place the sections with the most articles in rows; return how many sections are not drawn, too."""
    first: dict[str, FatherSon] = {}
    for section in graph.sections():
        if section.key != graph.home:
            for arc in graph.articles_of(section.key):
                known = first.get(arc.son)
                if known is None or (arc.first, arc.father) < (known.first, known.father):
                    first[arc.son] = arc
    own: dict[str, list[FatherSon]] = {}
    for arc in sorted(first.values(), key=lambda arc: (arc.first, arc.son), reverse=True):
        own.setdefault(arc.father, []).append(arc)
    sections = [section for section in graph.sections() if section.key != graph.home]
    sections.sort(key=lambda page: (-len(own.get(page.key, ())), page.key))
    clusters: list[_Cluster] = []
    y = float(_TOP)
    for start in range(0, min(len(sections), MAX_SECTIONS), _COLUMNS):
        row = [
            _Cluster(section, own.get(section.key, ()), _MARGIN + column * (_WIDTH + _GAP), y)
            for column, section in enumerate(sections[start : min(start + _COLUMNS, MAX_SECTIONS)])
        ]
        clusters += row
        y += _BOX + max(cluster.hull for cluster in row) + 52
    return clusters, len(sections) - len(clusters)


def _summary(graph: TypedHypergraph, hidden: int) -> str:
    kinds = [page.kind for page in graph.pages.values() if page.key not in graph.further]
    parts = [
        f"{kinds.count('section'):,} sections",
        f"{kinds.count('article'):,} articles",
        f"{kinds.count('other'):,} other pages",
        f"{len(graph.arcs):,} links from page to page",
    ]
    left_out = [
        f"; {number:,} {words} are not drawn"
        for number, words in (
            (hidden, "sections with fewer articles"), (len(graph.further), "further pages of their lists")
        )
        if number
    ]  # fmt: skip
    return ", ".join(parts) + "".join(left_out)


def _home_arcs(graph: TypedHypergraph, clusters: Sequence[_Cluster], middle: float) -> Iterator[str]:
    linked = {arc.son for arc in graph.sons.get(graph.home, ())}
    for cluster in clusters:
        if cluster.section.key in linked:
            bend = (98 + cluster.y) / 2
            yield (
                f'<path d="M{middle:.1f} 112C{middle:.1f} {bend:.1f} {cluster.middle:.1f} {bend:.1f}'
                f' {cluster.middle:.1f} {cluster.y:.1f}" fill="none" stroke="{_SECTION}" stroke-opacity="0.35"/>'
            )


def _drawn(cluster: _Cluster, graph: TypedHypergraph) -> Iterator[str]:
    """Yield a section, the field around its articles, and a dot with an arc for each."""
    top = cluster.y + _BOX + 14
    yield (
        f'<rect x="{cluster.x}" y="{top:.1f}" width="{_WIDTH}" height="{cluster.hull:.1f}" rx="14"'
        f' fill="{_FIELD}" stroke="{_ARTICLE}" stroke-opacity="0.35"/>'
    )
    for number, arc in enumerate(cluster.shown):
        x, y = cluster.place(number)
        yield (
            f'<path d="M{cluster.middle:.1f} {cluster.y + _BOX - 6:.1f}L{x:.1f} {y:.1f}" stroke="{_ARTICLE}"'
            f' stroke-opacity="0.16"/>'
        )
        page = graph.pages[arc.son]
        name = f"{page.label or page.url}, first seen {arc.first:%Y-%m-%d %H:%M}"
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}" fill="{_ARTICLE}"><title>{escape(name)}</title></circle>'
    yield _box(cluster.x, cluster.y, _WIDTH, name_of(cluster.section), cluster.section.url)
    more = len(cluster.articles) - len(cluster.shown)
    words = f"{len(cluster.articles):,} articles" if cluster.articles else "no article of its own"
    yield svg_text(
        cluster.middle,
        top + cluster.hull - 6,
        words + (f", {len(cluster.shown)} drawn" if more else ""),
        fill=PALE,
        text_anchor="middle",
        font_size=10,
    )


def _shared_arcs(graph: TypedHypergraph, clusters: Sequence[_Cluster]) -> Iterator[str]:
    """Yield thin arcs to articles that other drawn sections have shown, too."""
    by_key = {cluster.section.key: cluster for cluster in clusters}
    drawn = 0
    for cluster in clusters:
        for number, arc in enumerate(cluster.shown):
            for place in graph.places_of(arc.son):
                other = by_key.get(place.father)
                if other is None or other is cluster or drawn >= MAX_SHARED:
                    continue
                drawn += 1
                x, y = cluster.place(number)
                yield (
                    f'<path d="M{other.middle:.1f} {other.y + _BOX - 6:.1f}Q{(other.middle + x) / 2:.1f}'
                    f' {max(y, other.y) + 30:.1f} {x:.1f} {y:.1f}" fill="none" stroke="{_SECTION}"'
                    f' stroke-opacity="0.14" stroke-width="0.8"/>'
                )


def _row_of_dots(name: str, pages: Sequence[TypedPage], colour: str, y: float) -> Iterator[str]:
    """Yield small squares for pages that are neither articles nor sections."""
    if not pages:
        return
    ordered = sorted(pages, key=lambda page: page.key)
    yield svg_text(_MARGIN, y + 4, f"{name} ({len(pages):,})")
    for number, page in enumerate(ordered[:MAX_OTHER]):
        x = _MARGIN + 150 + number * 20
        yield (
            f'<rect x="{x}" y="{y - 6:.1f}" width="11" height="11" rx="2" fill="{colour}">'
            f"<title>{escape(page.label or page.url)}</title></rect>"
        )
    if len(pages) > MAX_OTHER:
        yield svg_text(_MARGIN + 150 + MAX_OTHER * 20, y + 4, f"+ {len(pages) - MAX_OTHER:,} more", fill=PALE)


def _legend(width: float) -> Iterator[str]:
    entries: Mapping[str, str] = {"section": _SECTION, "article": _ARTICLE, "other page": _OTHER}
    for number, (name, colour) in enumerate(entries.items()):
        x = width - _MARGIN - 300 + number * 100
        yield f'<circle cx="{x}" cy="30" r="6" fill="{colour}"/>'
        yield svg_text(x + 12, 34, name)


def _box(x: float, y: float, width: float, name: str, hint: str) -> str:
    label = svg_text(x + width / 2, y + 22, clipped(name, 24), fill="#fff", text_anchor="middle")
    return (
        f'<g><title>{escape(hint)}</title><rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="34" rx="8"'
        f' fill="{_SECTION}"/>{label}</g>'
    )


def name_of(page: TypedPage) -> str:
    """Return what links call a page, or the end of its address."""
    if page.label:
        return page.label
    return next((part for part in reversed(page.url.split("/")) if part), page.url)


def clipped(text: str, length: int) -> str:
    """Return at most so many characters, with a mark where something was left out."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1].rstrip() + "…"
