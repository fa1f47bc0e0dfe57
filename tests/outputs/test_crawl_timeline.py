"""A crawl over time as a drawing."""

from xml.etree import ElementTree as ET

from broadsheet.outputs.crawl_timeline import CrawlTimeline, draw_timeline

SVG = "{http://www.w3.org/2000/svg}"


def drawn(timeline: CrawlTimeline) -> ET.Element:
    return ET.fromstring(draw_timeline(timeline))  # noqa: S314 - our own drawing


def test_a_drawing_has_what_was_published_archived_and_visited_and_the_change_of_phase() -> None:
    timeline = CrawlTimeline(
        title="A & B <news>",
        published=[3, 0, 2],
        archived=[2, 1, 2],
        visits=[4, 2, 1],
        hourly=[4, 4, 4],
        phases=[(1.5, "exploitation")],
    )

    root = drawn(timeline)

    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts[0] == "A & B <news>"
    assert "articles since the crawl began, up to 5" in texts
    assert "exploitation" in texts
    published, archived, hourly = root.iter(f"{SVG}polyline")
    assert [point.split(",")[1] for point in archived.get("points", "").split()] == ["206.4", "169.6", "96.0"]
    assert published.get("points", "").split()[-1] == archived.get("points", "").split()[-1], (
        "all is archived in the end"
    )
    assert len(hourly.get("points", "").split()) == 3
    bars = [float(each.get("height", 0)) for each in root.iter(f"{SVG}rect") if each.get("fill") == "#009e73"][:3]
    assert bars == [140.0, 70.0, 35.0]


def test_a_crawl_of_no_time_is_drawn_all_the_same() -> None:
    assert drawn(CrawlTimeline("Nothing yet", [], [], [], [], [])).tag == f"{SVG}svg"
