"""The review of a source: a judge that changes its mind changes what is followed, read and fetched."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import PageState, SourceRecord, Store, VerdictRecord
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.records import Kind, Verdict
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.target_judges import Target, judge_targets
from broadsheet.newsweb.response import Response
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, service, story

HOURLY = NewsroomSettings(review_every=3600.0, revisit_after=0)
NEVER_SWITCHES = NewsroomSettings(revisit_after=0, switch="silhouette")
WORLD, SERVICES = "/world", "/services"
BAR = f'<a href="{WORLD}">World</a><a href="{SERVICES}">Services</a>'


class OpinionatedJudge:
    """Judges as the newsroom does, but for the paths that a test has an opinion on; notes who was judged."""

    def __init__(self, opinions: Mapping[str, Kind], probability: float = 0.98) -> None:
        """Take the kinds of pages by their paths, and how sure the judge is of them."""
        self._opinions = opinions
        self._probability = probability
        self.reviews: list[list[str]] = []

    def __call__(self, source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
        """Judge the targets."""
        self.reviews.append([target.url for target in targets])
        judged = judge_targets(source, targets)
        return [self._judged(target, record) for target, record in zip(targets, judged, strict=True)]

    def _judged(self, target: Target, record: VerdictRecord) -> VerdictRecord:
        kind = self._opinions.get("/" + target.url.removeprefix(HOME))
        if kind is None:
            return record
        rest = (1 - self._probability) / 2
        odds = {"article": rest, "section": rest, "other": rest, kind: self._probability}
        return replace(record, verdict=Verdict(kind, None, self._probability, odds, ("a test says so",), "opinion"))


def make_site(**pages: str) -> ScriptedSite:
    """Return a site whose home page links to two articles and to two pages that may be anything."""
    site = ScriptedSite({"/": front(article_path(1), article_path(2), also=BAR)})
    site.pages.update({article_path(number): story(str(number)) for number in range(1, 20)})
    site.pages.update({f"/{name}": page for name, page in pages.items()})
    return site


def crawl(folder: Path, site: ScriptedSite, judge: OpinionatedJudge | None = None, snapshots: int = 4) -> None:
    """Follow a site with another judge."""
    assignment = Assignment((HOME,), every=3600.0, snapshots=snapshots)
    simulate(folder, site.fetch, START, assignment, settings=HOURLY, judge=judge or judge_targets)


def titles(folder: Path) -> list[str]:
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return sorted(stored.article.title or "" for stored in archive.articles())


def followed(folder: Path) -> list[str]:
    with Store.open(folder) as archive:
        return [page.url for page in archive.sections()]


def test_a_page_that_was_neither_is_followed_once_it_is_judged_to_be_a_section(tmp_path: Path) -> None:
    site = make_site(world=service(article_path(9)))
    crawl(tmp_path / "before", site)
    assert followed(tmp_path / "before") == [HOME]

    crawl(tmp_path / "after", site, OpinionatedJudge({WORLD: "section"}))

    assert followed(tmp_path / "after") == [HOME, HOME + "world"]
    assert titles(tmp_path / "after") == ["1", "2", "9"]


def test_a_false_section_is_no_longer_followed(tmp_path: Path) -> None:
    # It changes all the time, so that nothing but the review can stop it.
    def changing(at: datetime) -> str | Response:
        return front(*map(article_path, range(3, 11))) + f"<!-- {at} -->"

    site = make_site()
    site.pages[WORLD] = changing

    crawl(tmp_path, site, OpinionatedJudge({WORLD: "other"}), snapshots=6)

    assert followed(tmp_path) == [HOME]
    assert len(site.hours(WORLD)) <= 3


def test_an_article_that_was_taken_for_something_else_is_read(tmp_path: Path) -> None:
    site = make_site(world=story("of the world"))
    crawl(tmp_path / "before", site)
    assert "of the world" not in titles(tmp_path / "before")

    crawl(tmp_path / "after", site, OpinionatedJudge({WORLD: "article"}))

    assert "of the world" in titles(tmp_path / "after")
    with Store.open(tmp_path / "after") as archive:
        whys = [row["why"] for row in archive.visits().to_table().to_pylist() if row["url"] == HOME + "world"]
    assert (whys[0], whys[-1]) == ("candidate", "second look")


def test_a_judge_and_a_page_that_disagree_do_not_cost_a_visit_at_each_review(tmp_path: Path) -> None:
    site = make_site(services=service(article_path(1)))

    crawl(tmp_path, site, OpinionatedJudge({SERVICES: "article"}), snapshots=3 * 24)

    with Store.open(tmp_path) as archive:
        looks = [row for row in archive.visits().to_table().to_pylist() if row["why"] == "second look"]
        assert 1 <= len(looks) <= 2
        # What the page itself says holds.
        assert archive.verdict(HOME + "services").kind == "other"  # type: ignore[union-attr]


@pytest.mark.parametrize(("probability", "visits"), [(0.7, 1), (0.9, 2)])
def test_a_page_that_was_neither_is_read_only_if_it_is_likely_to_be_an_article(
    tmp_path: Path, probability: float, visits: int
) -> None:
    site = make_site(world=service(article_path(9)))

    crawl(tmp_path, site, OpinionatedJudge({WORLD: "article"}, probability), snapshots=2)

    assert len(site.hours(WORLD)) == visits


@pytest.mark.parametrize("kind", ["article", "section"])
def test_a_page_that_was_not_worth_a_visit_is_planned_once_it_is(tmp_path: Path, kind: Kind) -> None:
    site = make_site(services=front(*map(article_path, range(3, 13))))
    crawl(tmp_path / "before", site)
    with Store.open(tmp_path / "before") as archive:
        assert archive.pages(["gazette.example/services"])["gazette.example/services"].state is PageState.KNOWN

    crawl(tmp_path / "after", site, OpinionatedJudge({SERVICES: kind}))

    with Store.open(tmp_path / "after") as archive:
        assert archive.pages(["gazette.example/services"])["gazette.example/services"].state is PageState.FETCHED


def test_a_review_comes_after_its_interval_and_judges_every_target(tmp_path: Path) -> None:
    judge = OpinionatedJudge({})

    crawl(tmp_path, make_site(), judge, snapshots=4)

    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
    assert source.reviewed_at is not None
    assert source.reviewed_at >= START + 3 * HOUR
    assert len(judge.reviews) == 3
    expected = {HOME + "world", HOME + "services", *(HOME.rstrip("/") + article_path(number) for number in (1, 2))}
    assert set(judge.reviews[-1]) == expected


@pytest.mark.parametrize(
    ("minutes", "snapshots", "reviews"), [(10, 3, 0), (10, 7, 2), (30, 2, 0), (30, 5, 2), (60, 5, 4), (120, 5, 4)]
)
def test_in_exploration_a_source_is_reviewed_after_every_snapshot_of_an_hour_or_after_three(
    tmp_path: Path, minutes: int, snapshots: int, reviews: int
) -> None:
    judge = OpinionatedJudge({})
    assignment = Assignment((HOME,), every=60.0 * minutes, snapshots=snapshots)

    simulate(tmp_path, make_site().fetch, START, assignment, settings=NEVER_SWITCHES, judge=judge)

    assert len(judge.reviews) == reviews
