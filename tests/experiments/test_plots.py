from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.experiments._plots import Chart, Series, bar_chart, line_chart, ticks

SVG = "{http://www.w3.org/2000/svg}"


def drawing(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - what is parsed was drawn here


def chart(title: str = "F by weight", *series: Series, y_range: tuple[float, float] | None = None) -> Chart:
    return Chart(title, "weight", "F", ["0", "0.1", "0.2"], series or [Series("one", [0.1, 0.5, 0.4])], y_range)


def test_a_line_chart_has_a_line_and_dots_for_every_series() -> None:
    drawn = drawing(line_chart(chart("F", Series("one", [0, 1, 2]), Series("two", [2, 1, 0]))))

    assert len(drawn.findall(f"{SVG}polyline")) == 2
    assert len(drawn.findall(f"{SVG}circle")) == 6


def test_a_higher_value_is_drawn_higher_up() -> None:
    drawn = drawing(line_chart(chart("F", Series("one", [0.2, 0.8, 0.4]))))

    low, high, middle = (float(dot.attrib["cy"]) for dot in drawn.iter(f"{SVG}circle"))
    assert high < middle < low


def test_a_bar_is_as_high_as_its_value() -> None:
    drawn = drawing(bar_chart(chart("F", Series("one", [0.25, 0.5, 1.0]), y_range=(0.0, 1.0))))

    heights = [float(bar.attrib["height"]) for bar in drawn.iter(f"{SVG}rect") if bar.find(f"{SVG}title") is not None]
    assert heights[0] * 4 == pytest.approx(heights[2], abs=0.5)
    assert heights[1] * 2 == pytest.approx(heights[2], abs=0.5)


def test_a_value_that_is_missing_is_not_drawn() -> None:
    drawn = drawing(line_chart(chart("F", Series("one", [0.1, None, 0.3]))))

    assert len(drawn.findall(f"{SVG}circle")) == 2


@pytest.mark.parametrize("draw", [line_chart, bar_chart])
def test_titles_names_and_places_are_shown(draw: object) -> None:
    assert callable(draw)
    drawn = drawing(draw(chart("F by weight", Series("mine", [1, 2, 3]))))

    shown = [text.text for text in drawn.iter(f"{SVG}text")]
    assert {"F by weight", "mine", "weight", "F", "0.1"} <= set(shown)


@pytest.mark.parametrize(
    ("title", "series", "places"),
    [
        ("F", "link targets, MSS, CoreEx and all the rest", ["a", "b"]),
        ("A title that says everything there is to say about it, and then again " * 2, "one", ["a", "b"]),
        ("F", "one", ["the first of many long names of places", *"bcdefgh"]),
        ("F", "one", [*"abcdefg", "the last of many long names of places"]),
    ],
    ids=["legend", "title", "first place", "last place"],
)
def test_a_drawing_is_large_enough_for_its_names(title: str, series: str, places: list[str]) -> None:
    values = [1.0] * len(places)
    drawn = drawing(bar_chart(Chart(title, "x", "y", places, [Series(series, values)])))

    left, _, width, height = map(float, drawn.attrib["viewBox"].split())
    for text in drawn.iter(f"{SVG}text"):
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        # Letters of system fonts are less than 0.54 of their size wide, on average.
        length = len(text.text or "") * float(text.attrib["font-size"]) * 0.54
        if text.text in places and len(text.text or "") > 1:
            assert x - length * 0.82 >= left
            assert y + length * 0.57 <= height
        elif text.attrib["text-anchor"] == "start":
            assert x + length <= left + width


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Co"]), min_size=1))
def test_any_text_is_escaped(text: str) -> None:
    drawn = drawing(bar_chart(Chart(text, text, text, [text], [Series(text, [1.0])])))

    assert text in [element.text for element in drawn.iter(f"{SVG}text")]


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_few_and_within_the_bounds(low: float, span: float) -> None:
    positions = ticks(low, low + span)

    assert 1 <= len(positions) <= 8
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span for tick in positions)


def test_values_beyond_the_axis_are_clipped() -> None:
    drawn = drawing(line_chart(chart("F", Series("one", [0.0, 1.0, 7.0]), y_range=(0.0, 1.0))))

    _, top, beyond = (float(dot.attrib["cy"]) for dot in drawn.iter(f"{SVG}circle"))
    assert beyond == top


def test_a_series_of_one_value_can_be_drawn() -> None:
    assert "<rect" in bar_chart(Chart("nothing", "x", "y", ["a"], [Series("one", [0.0])]))


def test_a_chart_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="needs one value per place"):
        chart("F", Series("one", [1.0]))
    with pytest.raises(ValueError, match="needs places and series"):
        Chart("F", "x", "y", [], [])


def test_names_that_would_overlap_are_rotated() -> None:
    short, long = (
        bar_chart(Chart("F", "x", "y", [name] * 10, [Series("one", [1.0] * 10)])) for name in ("a", "a" * 20)
    )

    assert short.count("rotate(-35") == 0
    assert long.count("rotate(-35") == 10
