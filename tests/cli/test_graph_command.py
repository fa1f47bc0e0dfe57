"""The graph of a source: sections, their articles, where a page has been, and two drawings."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from lxml import etree

from broadsheet.archive import FeedRecord, Store, VerdictRecord, VisitReason, source_graph
from broadsheet.base.records import Kind, Verdict
from broadsheet.cli import exits
from broadsheet.outputs.hypergraph_drawing import MAX_ARTICLES, MAX_SECTIONS, draw_hypergraph
from broadsheet.outputs.section_map import MAX_ROWS, draw_section_map, pace_words
from broadsheet.sources.typed_hypergraph import FatherSon, TypedHypergraph, TypedPage, section_parents
from tests.archive.samples import FETCHED, NOON, SOURCE, entry, exchange, links, member, page
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]

HOME, WORLD, ASIA = "news.example", "news.example/world", "news.example/world/asia"
OLD, NEW, TERMS, FEED = (f"news.example/{name}" for name in ("old", "new", "terms", "feed"))


def words_of(drawing: str) -> str:
    """Return the text of a drawing, which has to be well-formed."""
    return "".join(map(str, etree.fromstring(drawing.encode()).itertext()))


def judged(kind: Kind) -> VerdictRecord:
    return VerdictRecord(verdict=Verdict(kind, None, 0.9, {kind: 0.9}, (), "m"), at=NOON)


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """A home page visited three times, the second time unchanged; a section visited twice."""
    kinds: dict[str, Kind] = {
        HOME: "section",
        WORLD: "section",
        ASIA: "section",
        OLD: "article",
        NEW: "article",
        TERMS: "other",
        FEED: "section",
    }
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for key, kind in kinds.items():
            batch.page(page(key, fetch=FETCHED, judged=judged(kind)))
            batch.member(member(key))
        batch.feed(FeedRecord(source=SOURCE.key, page=FEED, found_on=HOME, found_at=NOON, form="rss"))
        batch.plan(entry(WORLD, reason=VisitReason.SECTION, every=3600.0))
        writer.commit(batch)
        for minute, body, targets in (
            (0, b"a", (WORLD, OLD, OLD, TERMS, FEED, "elsewhere.example/story")),
            (60, b"a", (WORLD, OLD, OLD, TERMS, FEED, "elsewhere.example/story")),
            (120, b"b", (WORLD, NEW, TERMS)),
        ):
            batch = writer.batch()
            answer = exchange(body, "https://news.example/", minute=minute)
            batch.visit(HOME, answer.url, (answer,), links=links(*targets), source=SOURCE.key)
            writer.commit(batch)
        for minute, body, *found in ((10, b"c", ASIA, OLD), (110, b"d", ASIA, NEW, OLD)):
            batch = writer.batch()
            answer = exchange(body, f"https://{WORLD}", minute=minute)
            batch.visit(WORLD, answer.url, (answer,), links=links(*found), source=SOURCE.key)
            writer.commit(batch)
    return tmp_path / "news"


def test_an_arc_tells_from_when_to_when_a_page_was_linked_to(news: Path) -> None:
    with Store.open(news) as archive:
        graph = source_graph(archive, "news.example")

    home, world = graph.places_of(OLD)

    assert (home.father, home.first, home.last, home.visits) == (HOME, NOON, NOON + timedelta(hours=1), 2)
    assert (world.father, world.visits) == (WORLD, 2)


def test_feeds_and_other_sites_are_not_part_of_the_graph(news: Path) -> None:
    with Store.open(news) as archive:
        graph = source_graph(archive, "news.example")

    assert set(graph.pages) == {HOME, WORLD, ASIA, OLD, NEW, TERMS}


def test_sections_are_listed_as_a_tree_with_what_they_do(run: Run, news: Path) -> None:
    home, world, asia = run("graph", news, "news.example").rows

    assert (home["section"], home["depth"], home["articles"]) == ("https://news.example", 0, 2)
    assert (world["above"], world["depth"], world["every"]) == (HOME, 1, 3600.0)
    # One article appeared in 100 minutes, ten minutes before it was on the home page.
    assert (world["per_day"], world["new"]) == (14.4, 1.0)
    assert (asia["above"], asia["articles"], asia["per_day"]) == (WORLD, 0, None)


def test_further_pages_of_a_list_are_no_sections(run: Run, news: Path, tmp_path: Path) -> None:
    second, third, numbered = f"{WORLD}?page=2", f"{WORLD}/more", "news.example/route-66"
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        for key, found_on, anchor in ((second, WORLD, "2"), (third, second, "Next"), (numbered, HOME, "Route 66")):
            batch.page(page(key, fetch=FETCHED, judged=judged("section")))
            batch.member(member(key, found_on=found_on, anchor=anchor))
        answer = exchange(b"e", f"https://{third}", minute=130)
        further = VisitReason.FURTHER_PAGE
        batch.visit(third, answer.url, (answer,), why=further, links=links(OLD), source=SOURCE.key)
        writer.commit(batch)

    rows = run("graph", news, "news.example").rows
    run("graph", news, "news.example", "-o", tmp_path / "graph.svg", "--map", tmp_path / "map.svg")

    assert [row["section"].removeprefix("https://") for row in rows] == [HOME, numbered, WORLD, ASIA]
    assert third not in (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert "2 further pages of their lists are not drawn" in (tmp_path / "graph.svg").read_text(encoding="utf-8")


def test_a_numbered_page_that_is_followed_is_a_section(run: Run, news: Path) -> None:
    page_two = f"{WORLD}?page=2"
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(page_two, fetch=FETCHED, judged=judged("section")))
        batch.member(member(page_two, found_on=WORLD, anchor="2"))
        batch.plan(entry(page_two, reason=VisitReason.SECTION, every=3600.0))
        writer.commit(batch)

    rows = run("graph", news, "news.example").rows

    assert f"https://{page_two}" in [row["section"] for row in rows]


def test_the_articles_of_a_section_come_newest_first(run: Run, news: Path) -> None:
    rows = run("graph", news, "news.example", "--articles-of", f"https://{WORLD}").rows

    assert [row["page"] for row in rows] == [f"https://{NEW}", f"https://{OLD}"]


def test_the_places_of_an_article_come_in_the_order_of_time(run: Run, news: Path) -> None:
    rows = run("graph", news, "news.example", "--places-of", f"https://{NEW}").rows

    assert [row["page"] for row in rows] == [f"https://{WORLD}", "https://news.example"]


def test_an_unknown_address_is_an_error_that_says_where_to_look(run: Run, news: Path) -> None:
    outcome = run("graph", news, "news.example", "--places-of", "https://news.example/unknown")

    assert outcome.code != 0
    assert "broadsheet why" in outcome.err


@pytest.mark.parametrize("option", ["-o", "--map"])
def test_a_drawing_in_another_format_is_refused(run: Run, news: Path, tmp_path: Path, option: str) -> None:
    outcome = run("graph", news, "news.example", option, tmp_path / "graph.png")

    assert outcome.code == exits.USAGE
    assert "graph.png: only SVG is drawn; end the name in .svg" in outcome.err
    assert list(tmp_path.glob("*.png")) == []


def test_both_drawings_are_well_formed(run: Run, news: Path, tmp_path: Path) -> None:
    graph, tree = tmp_path / "graph.svg", tmp_path / "map.svg"

    outcome = run("graph", news, "news.example", "-o", graph, "--map", tree)

    assert (outcome.code, outcome.out) == (0, "")
    assert "To news.example/world" in words_of(graph.read_text(encoding="utf-8"))
    assert "visited every" in words_of(tree.read_text(encoding="utf-8"))


def large_graph(sections: int, articles: int) -> TypedHypergraph:
    pages = {HOME: TypedPage(HOME, "https://news.example/", "section")}
    arcs = []
    for number in range(sections):
        section = f"news.example/s{number:03}"
        pages[section] = TypedPage(section, f"https://{section}", "section", f"<Section & {number}>")
        for place in range(articles):
            story = f"{section}/{place:03}"
            pages[story] = TypedPage(story, f"https://{story}", "article")
            arcs.append(FatherSon(section, story, NOON, NOON, 1))
    return TypedHypergraph(HOME, pages, arcs, {})


def test_a_large_source_is_drawn_in_part_and_counted_in_words() -> None:
    graph = large_graph(MAX_SECTIONS + 3, MAX_ARTICLES + 1)

    drawing = draw_hypergraph(graph, "Large")

    words_of(drawing)
    assert "3 sections with fewer articles are not drawn" in drawing
    assert drawing.count(f"{MAX_ARTICLES + 1} articles, {MAX_ARTICLES} drawn") == MAX_SECTIONS
    assert "&lt;Section &amp;" in drawing


def test_a_map_of_many_sections_is_cut_and_says_so() -> None:
    facts = large_graph(MAX_ROWS + 4, 1).facts()

    drawing = draw_section_map(facts, {}, "Large")

    words_of(drawing)
    assert "5 more sections are not drawn" in drawing


def test_a_section_stands_below_the_one_whose_address_it_continues() -> None:
    assert section_parents(HOME, [HOME, WORLD, ASIA, "other.news.example/x"]) == {
        HOME: None,
        WORLD: HOME,
        ASIA: WORLD,
        "other.news.example/x": HOME,
    }


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "–"), (3600.0, "hour"), (5400.0, "1.5 hours"), (172_800.0, "2 days"), (30.0, "30 seconds")],
)
def test_a_pace_is_said_in_the_largest_unit(seconds: float | None, words: str) -> None:
    assert pace_words(seconds) == words


@pytest.mark.parametrize("option", ["-o", "--map"])
def test_a_drawing_replaces_no_file_unless_it_may(run: Run, news: Path, tmp_path: Path, option: str) -> None:
    file = tmp_path / "drawing.svg"
    file.write_text("a picture that took hours", encoding="utf-8")

    outcome = run("graph", news, "news.example", option, file)

    assert (outcome.code, file.read_text(encoding="utf-8")) == (2, "a picture that took hours")
    assert "use --overwrite to replace it" in outcome.err
    assert run("graph", news, "news.example", option, file, "--overwrite").code == 0
    assert "<svg" in file.read_text(encoding="utf-8")
