"""Exploration and exploitation: when a source switches, what follows, and what sends it back."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from benchmarks.redesigns import phase_changes

from broadsheet.archive import EventKind, LinkRows, Phase, PhaseRecord, SourceRecord, Store
from broadsheet.base.errors import ConfigError
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.front_paces import EXPLORED_INTERVALS
from broadsheet.newsroom.home_design import ODD_VISITS, HomeDesign
from broadsheet.newsroom.known_kinds import read_kinds
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.response import Response, failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, ONCE, START, ScriptedSite, article_path, front, story
from tests.newsroom.test_review import HOURLY, OpinionatedJudge

HOUR = timedelta(hours=1)
SECTIONS = ("sport", "politics", "culture", "science")
REDESIGNED = ("news-of-sport", "news-of-politics", "news-of-culture", "news-of-science")
STORIES = {article_path(number): story(f"Story {number}") for number in range(140)}


def menu(names: tuple[str, ...]) -> str:
    return "".join(f'<a href="/{name}">{name.title()}</a>' for name in names)


def box(name: str, *paths: str) -> str:
    items = "".join(f'<li><a href="{path}">The long headline of {path} in full</a></li>' for path in paths)
    return f'<div class="{name}"><h2>{name}</h2><ul class="{name}-list">{items}</ul></div>'


def home_page(now: datetime, names: tuple[str, ...], boxes: tuple[str, ...]) -> str:
    """Return a home page with several lists, to which a new article comes every hour."""
    hours = (now - START) // HOUR
    stories = [article_path(number) for number in range(hours, hours + 12)]
    lists = "".join(box(name, *stories[place * 3 : place * 3 + 3]) for place, name in enumerate(boxes))
    return (
        f"<html><head><title>The Gazette</title></head><body><nav class='{boxes[0]}-bar'>{menu(names)}</nav>"
        f"<main class='{boxes[0]}-main'>{lists}</main></body></html>"
    )


def section_page(place: int, names: tuple[str, ...], also: str = "") -> str:
    return front(*(article_path(60 + 20 * place + number) for number in range(12)), also=menu(names) + also)


def steady_site() -> ScriptedSite:
    """Return a site with four sections that never changes its design."""

    def home(now: datetime) -> str:
        return home_page(now, SECTIONS, ("top", "more", "local", "world"))

    sections = {f"/{name}": section_page(place, SECTIONS) for place, name in enumerate(SECTIONS)}
    return ScriptedSite({"/": home, **sections, **STORIES})


def the_source(folder: Path) -> SourceRecord:
    with Store.open(folder) as archive:
        [source] = archive.sources()
    return source


def history(folder: Path) -> list[tuple[str, str]]:
    with Store.open(folder) as archive:
        return [
            (str(event.detail["phase"]), str(event.detail["because"]))
            for event in archive.events(kinds=[EventKind.PHASE])
        ]


def test_a_source_begins_in_exploration_with_all_sections_at_the_pace_of_the_home_page(tmp_path: Path) -> None:
    site = steady_site()

    site.crawl(tmp_path, snapshots=2, settings=replace(ONCE, pace="arrivals"))

    phase = the_source(tmp_path).phase
    assert (phase.phase, history(tmp_path)) == (Phase.EXPLORATION, [])
    assert phase.evidence["measure"] == "expected F1 of articles"
    assert site.hours("/sport") == pytest.approx([0.0, 1.0], abs=0.1)


def test_a_source_tells_since_when_and_why_it_is_explored(tmp_path: Path) -> None:
    steady_site().crawl(tmp_path, snapshots=3, settings=replace(ONCE, pace="arrivals"))

    source = the_source(tmp_path)

    assert source.phase_since == source.added_at < START + HOUR
    assert source.phase.reason == "its sections were the same in 1 of 3 reviews in a row"


def test_a_source_whose_articles_are_not_recognised_says_so_while_it_is_explored(tmp_path: Path) -> None:
    labels, folder = tmp_path / "labels.jsonl", tmp_path / "archive"
    rows = [{"url": HOME.rstrip("/") + path, "kind": "other"} for path in STORIES]
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    steady_site().crawl(folder, snapshots=3, settings=replace(ONCE, switch="supervised", labels=str(labels)))

    reason = the_source(folder).phase.reason
    assert reason.startswith("F1 of articles by ")
    assert reason.endswith(" labels 0.00 is not good enough (the bound is 0.86)")


@pytest.mark.parametrize(
    ("phase", "reason"),
    [
        (PhaseRecord(), "not reviewed yet"),
        (PhaseRecord(because="the home page was redesigned"), "the home page was redesigned; not reviewed yet"),
        (PhaseRecord(phase=Phase.EXPLOITATION, because="F1 0.91", evidence={"measure": "F1"}), "F1 0.91"),
        # As earlier versions left it.
        (PhaseRecord(since=START, evidence={"measure": "F1", "value": 0.5}), ""),
    ],
)
def test_a_phase_tells_why_it_began_and_why_exploration_goes_on(phase: PhaseRecord, reason: str) -> None:
    assert phase.reason == reason


def test_in_exploration_a_section_that_brings_nothing_is_visited_every_three_intervals(tmp_path: Path) -> None:
    site, labels, folder = steady_site(), tmp_path / "labels.jsonl", tmp_path / "archive"
    # By these labels, hardly any article is told from other pages, so that exploration goes on.
    rows = [{"url": HOME.rstrip("/") + path, "kind": "other"} for path in STORIES]
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    settings = replace(ONCE, pace="arrivals", switch="supervised", labels=str(labels))

    site.crawl(folder, snapshots=24, settings=settings)

    assert the_source(folder).phase.phase is Phase.EXPLORATION
    later = [hour for hour in site.hours("/sport") if hour > 4]
    assert {round(after - before) for before, after in pairwise(later)} == {EXPLORED_INTERVALS}
    with Store.open(folder) as archive:
        fronts = {record.page: record.set_by for record in archive.front_records()}
    assert fronts["gazette.example/sport"] == "exploration"


def test_a_source_is_explored_after_four_snapshots_at_the_earliest(tmp_path: Path) -> None:
    steady_site().crawl(tmp_path, snapshots=8, settings=replace(ONCE, pace="arrivals"))

    phase = the_source(tmp_path).phase
    assert phase.phase is Phase.EXPLOITATION
    assert 4 <= phase.evidence["snapshot"] <= 6


def test_a_source_whose_sections_are_settled_is_exploited(tmp_path: Path) -> None:
    steady_site().crawl(tmp_path, snapshots=18, settings=replace(ONCE, pace="adaptive"))

    phase = the_source(tmp_path).phase
    assert phase.phase is Phase.EXPLOITATION
    assert phase.evidence["evaluator"] == "quality"
    assert phase.evidence["sections"] == len(SECTIONS)
    assert history(tmp_path) == [("exploitation", phase.because)]
    assert phase.reason == phase.because
    with Store.open(tmp_path) as archive:
        [sport] = [each for each in archive.front_records() if each.page.endswith("/sport")]
        paces = {each.page.key: each.entry.every for each in archive.sections()}
    assert sport.set_by == "adaptive"
    assert paces["gazette.example"] == 3600.0
    assert (paces["gazette.example/sport"] or 0.0) > 3600.0


def followed(folder: Path) -> set[str]:
    """Return the names of the sections that are followed."""
    with Store.open(folder) as archive:
        return {each.page.key.rpartition("/")[2] for each in archive.sections()} - {"gazette.example"}


def given_up(folder: Path) -> dict[str, str]:
    """Return the sections that were given up, and why; the log of events says the same."""
    with Store.open(folder) as archive:
        left = {record.page: record.left_because for record in archive.front_records() if record.left_at}
        lost = {event.page: event.detail["why"] for event in archive.events(kinds=[EventKind.SECTION_LOST])}
    assert left.items() <= lost.items()
    return {page.removeprefix("gazette.example/"): because for page, because in left.items()}


def test_what_is_rather_no_section_stays_until_exploration_ends(tmp_path: Path) -> None:
    def crawled(snapshots: int) -> Path:
        folder = tmp_path / str(snapshots)
        assignment = Assignment((HOME,), every=3600.0, snapshots=snapshots)
        doubts = OpinionatedJudge({"/culture": "other"}, probability=0.5)
        simulate(folder, steady_site().fetch, START, assignment, settings=HOURLY, judge=doubts)
        return folder

    before, after = crawled(4), crawled(8)

    assert [the_source(folder).phase.phase for folder in (before, after)] == [Phase.EXPLORATION, Phase.EXPLOITATION]
    assert (followed(before), given_up(before)) == (set(SECTIONS), {})
    assert followed(after) == set(SECTIONS) - {"culture"}
    assert given_up(after) == {"culture": "did not look like a section when exploration ended"}


def test_a_section_that_is_gone_or_leads_to_another_is_given_up_with_its_reason(tmp_path: Path) -> None:
    def moved(now: datetime) -> str | Response:
        to = {"Location": f"{HOME}politics"}
        return section_page(0, SECTIONS) if now - START < 3 * HOUR else Response(301, to, b"")

    def gone(now: datetime) -> str | Response:
        return section_page(2, SECTIONS) if now - START < 3 * HOUR else failure(410, b"closed", now)

    site = steady_site()
    site.pages |= {"/sport": moved, "/culture": gone}

    site.crawl(tmp_path, snapshots=6)

    assert followed(tmp_path) == {"politics", "science"}
    assert given_up(tmp_path) == {
        "sport": "redirects to a section that is followed",
        "culture": "answers with status 410",
    }


def test_what_no_longer_looks_like_a_section_is_followed_again_as_soon_as_it_does(tmp_path: Path) -> None:
    def crawl(snapshots: int, judge: OpinionatedJudge) -> None:
        start = START + the_source(tmp_path).snapshots * HOUR if (tmp_path / "catalogue.sqlite").exists() else START
        assignment = Assignment((HOME,), every=3600.0, snapshots=snapshots)
        simulate(tmp_path, steady_site().fetch, start, assignment, settings=HOURLY, judge=judge)

    crawl(3, OpinionatedJudge({}))
    crawl(3, OpinionatedJudge({"/sport": "other"}))
    assert (followed(tmp_path), given_up(tmp_path)) == (
        set(SECTIONS) - {"sport"},
        {"sport": "no longer looks like a section"},
    )

    crawl(3, OpinionatedJudge({"/sport": "section"}))

    assert (followed(tmp_path), given_up(tmp_path)) == (set(SECTIONS), {})


def test_what_lists_no_article_of_its_own_leaves_when_exploration_ends(tmp_path: Path) -> None:
    names, everywhere = (*SECTIONS, "quiz", "services"), box("most-read", *map(article_path, range(130, 134)))

    def home(now: datetime) -> str:
        return home_page(now, names, ("top", "more", "local", "world")).replace("</main>", f"{everywhere}</main>")

    site = steady_site()
    pages = {f"/{name}": section_page(place, names, everywhere) for place, name in enumerate(SECTIONS)}
    site.pages |= {"/": home, **pages, "/quiz": front(also=menu(names)), "/services": front(also=everywhere)}
    judge = OpinionatedJudge({"/quiz": "section", "/services": "section"})

    simulate(tmp_path, site.fetch, START, Assignment((HOME,), every=3600.0, snapshots=8), settings=HOURLY, judge=judge)

    assert the_source(tmp_path).phase.phase is Phase.EXPLOITATION
    because = "had listed no article of its own when exploration ended"
    assert given_up(tmp_path) == {"quiz": because, "services": because}
    assert followed(tmp_path) == set(SECTIONS)


def test_sections_stay_when_exploration_ends_if_each_shows_what_all_show(tmp_path: Path) -> None:
    site = steady_site()
    site.pages |= {f"/{name}": section_page(0, SECTIONS) for name in SECTIONS}
    judge = OpinionatedJudge({f"/{name}": "section" for name in SECTIONS})

    simulate(tmp_path, site.fetch, START, Assignment((HOME,), every=3600.0, snapshots=8), settings=HOURLY, judge=judge)

    assert the_source(tmp_path).phase.phase is Phase.EXPLOITATION
    assert given_up(tmp_path) == {}


def test_a_redesign_sends_a_source_back_and_its_new_sections_are_found(tmp_path: Path) -> None:
    change = START + 19.5 * HOUR

    def home(now: datetime) -> str | None:
        if now < change:
            return home_page(now, SECTIONS, ("top", "more", "local", "world"))
        return home_page(now, REDESIGNED, ("lead", "river", "region", "abroad"))

    site = steady_site()
    site.pages["/"] = home  # type: ignore[assignment]
    for place, name in enumerate(REDESIGNED):
        site.pages[f"/{name}"] = section_page(place, REDESIGNED)

    site.crawl(tmp_path, snapshots=24, settings=ONCE)

    assert [phase for phase, _ in history(tmp_path)] == ["exploitation", "exploration"]
    back = the_source(tmp_path).phase
    assert back.because == "the home page was redesigned"
    assert back.reason.startswith("the home page was redesigned; ")
    assert the_source(tmp_path).phase_since > change
    assert set(REDESIGNED) <= followed(tmp_path)


def test_a_redesign_of_an_invented_site_that_keeps_a_third_of_its_collections_is_noticed() -> None:
    site = draw_site(5, 1, "redesigned")
    assert site.extras.redesign is not None
    at, settings = site.extras.redesign.at, replace(ONCE, pace="arrivals", revisits="never")

    changes = phase_changes(site, at - 8 * HOUR + timedelta(minutes=40), 12, settings)

    [(explored, first), (noticed, second)] = changes
    assert (first, second) == (Phase.EXPLOITATION, Phase.EXPLORATION)
    assert explored < at < noticed


def test_a_home_page_that_is_empty_for_a_while_is_no_redesign(tmp_path: Path) -> None:
    site = steady_site()
    full = site.pages["/"]
    site.pages["/"] = lambda now: full(now) if not 18 <= (now - START) / HOUR <= 21.5 else front()  # type: ignore[operator]

    site.crawl(tmp_path, snapshots=25, settings=ONCE)

    assert [phase for phase, _ in history(tmp_path)] == ["exploitation"]


def rows(*names: str) -> LinkRows:
    """Return the links of a page: five in each of some collections, and those to two sections."""
    collections = [name for name in names for _ in range(5)]
    targets = tuple(f"news.example/{number}" for number in range(len(collections)))
    empty = ("",) * len(collections)
    return LinkRows(targets, targets, tuple(collections), np.arange(len(collections), dtype=np.int32), empty, empty)


OLD, NEW = ("a", "b", "c", "d", "e"), ("v", "w", "x", "y", "z")


def test_a_home_page_that_links_to_other_sections_is_redesigned_though_its_lists_are_the_same() -> None:
    design, known = HomeDesign(), PhaseRecord()
    before, after = rows(*OLD), replace(rows(*OLD), targets=tuple(f"news.example/new-{number}" for number in range(25)))
    found = []

    for visit in (before, before, after, after):
        known, redesign = design.observe(known, visit, ("news.example/1", "news.example/2", "news.example/3"))
        found.append(redesign)

    assert found[:3] == [None] * 3
    assert found[3] == {"collections kept": 1.0, "sections still linked": 0.0, "visits": 2.0}


def observe(*visits: tuple[str, ...]) -> list[bool]:
    design, known, found = HomeDesign(), PhaseRecord(), []
    for visit in visits:
        known, redesign = design.observe(known, rows(*visit), ())
        found.append(redesign is not None)
    return found


def test_a_design_has_to_be_seen_several_times() -> None:
    assert observe(OLD, OLD, *[NEW] * ODD_VISITS) == [False] * (ODD_VISITS + 1) + [True]
    assert not any(observe(OLD, NEW, OLD, NEW, OLD, NEW, OLD))


@pytest.mark.parametrize(("kept", "is_redesign"), [(2, True), (3, False)])
def test_a_redesign_may_keep_bars_and_footers_but_not_nearly_half_of_all_collections(
    kept: int, is_redesign: bool
) -> None:
    after = (*OLD[:kept], *NEW[kept:])

    assert observe(OLD, OLD, *[after] * ODD_VISITS)[-1] == is_redesign


def test_collections_that_have_another_name_at_every_visit_are_no_redesign() -> None:
    assert not any(observe(*(tuple(f"{number}{name}" for name in OLD) for number in range(12))))


def test_a_design_may_change_little_by_little() -> None:
    assert not any(observe(*(tuple(map(str, range(number, number + 8))) for number in range(12))))


@pytest.mark.parametrize(
    "content", ['{"url": "https://a.example/"}', '{"url": "https://a.example/", "kind": "list"}', "no"]
)
def test_labels_that_make_no_sense_are_refused_with_their_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f'{{"url": "https://a.example/1", "kind": "article"}}\n{content}\n', encoding="utf-8")

    with pytest.raises(ConfigError, match=r"newsroom\.labels: line 2 of .* is not like"):
        read_kinds(str(path))


def test_labels_that_are_missing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        read_kinds(str(tmp_path / "none.jsonl"))
    assert read_kinds("") == {}


def test_an_unknown_evaluator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"newsroom\.switch: no evaluator is called 'guess'; the installed ones are quality, "
    ):
        steady_site().crawl(tmp_path, snapshots=1, settings=replace(ONCE, switch="guess"))


def test_a_section_that_lists_no_article_leaves_and_so_does_a_copy(tmp_path: Path) -> None:
    """Sections change with the time, so that a copy shows itself by changing together with what it is a copy of."""

    def home(now: datetime) -> str:
        return home_page(now, (*SECTIONS, "latest-sport", "empty-section"), ("top", "more", "local", "world"))

    def sport(now: datetime) -> str:
        days = (now - START) // (12 * HOUR)
        return front(*(article_path(60 + days + number) for number in range(12)), also=menu(SECTIONS))

    def empty(now: datetime) -> str:
        is_new = now - START < 108 * HOUR
        return front(*(map(article_path, range(120, 132)) if is_new else ()), also=menu(SECTIONS))

    site = steady_site()
    site.pages |= {"/": home, "/sport": sport, "/latest-sport": sport, "/empty-section": empty}
    assignment = Assignment((HOME,), every=12 * 3600.0, snapshots=18)

    # An empty page may look like anything.
    judge = OpinionatedJudge({"/empty-section": "section"})
    simulate(tmp_path, site.fetch, START, assignment, settings=ONCE, judge=judge)

    left = given_up(tmp_path)
    assert left["latest-sport"] == "shows what gazette.example/sport shows"
    assert left["empty-section"].startswith("has listed no article since 2026-03-0")
    # They are not followed again, though the judge would still take them for sections.
    assert followed(tmp_path) == set(SECTIONS)
