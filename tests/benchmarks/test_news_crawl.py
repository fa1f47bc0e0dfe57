"""The benchmark of news crawling: its rules on a made-up site, and the whole command with tiny counts."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest

pytest.importorskip("scrapy")

from benchmarks.news_crawl import entrants
from benchmarks.news_crawl.__main__ import main
from benchmarks.news_crawl.engine import Finds, Wish, crawl
from benchmarks.news_crawl.entrants import ENTRANTS
from benchmarks.news_crawl.grounds import Answer, Tier, Truth, on_grain
from benchmarks.news_crawl.measures import Cell, Total, cell, percentile, total, totals
from benchmarks.news_crawl.paced_crawler import PacedCrawler
from benchmarks.news_crawl.places import Extent, news_web_places
from benchmarks.news_crawl.planned_ground import daily_articles, judging_sites
from benchmarks.news_crawl.report import at_budget, compare, lay_out
from benchmarks.news_crawl.results import ROOMS, Results

from broadsheet.base.errors import InputError
from broadsheet.base.provenance import PACKAGE
from broadsheet.base.records import Kind
from broadsheet.newsroom.front_turnover import FrontTurnover, SourceTurnover
from tests.benchmarks.replay_folder import SITE, write_data

REPOSITORY = Path(__file__).resolve().parents[2]
NEWS_CRAWL = REPOSITORY / "docs/explanation/news-crawl.md"
START = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOME, SECTION, FEED, OLD, NEW, LATE, ABOUT = "home", "section", "feed", "old", "new", "late", "about"


TRUTH = Truth({NEW: START + 2 * HOUR, LATE: START + 2 * HOUR}, frozenset({SECTION}))


@dataclass(frozen=True)
class MadeUpPage:
    kind: Kind
    links: tuple[str, ...] = ()


@dataclass
class MadeUpGround:
    """A site whose section shows an article for an hour that the home page never shows; the feed has both, and more."""

    site: str = "gazette"
    family: str = "news web"
    tier: Tier = "links"
    home: str = HOME
    feeds: tuple[str, ...] = (FEED,)
    sitemaps: tuple[str, ...] = ()
    start: datetime = START
    end: datetime = START + 6 * HOUR
    counted_from: datetime = START
    truth: Truth = TRUTH
    asked: list[tuple[str, datetime, bool]] = field(default_factory=list)

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        self.asked.append((address, at, again))
        is_out, is_listed = at >= START + 2 * HOUR, START + 2 * HOUR <= at < START + 3 * HOUR
        pages = {
            HOME: MadeUpPage("section", (SECTION, ABOUT, OLD, *([NEW] if is_out else []))),
            SECTION: MadeUpPage("section", (HOME, OLD, *([LATE] if is_listed else []))),
            FEED: MadeUpPage("other", (OLD, ABOUT, *([NEW, LATE] if is_out else []))),
            ABOUT: MadeUpPage("other", (HOME,)),
        }
        return Answer(address, at, 200, pages.get(address, MadeUpPage("article", (HOME,))), size=100, full_size=100)

    def forget(self) -> None:
        self.asked.clear()

    def article(self, address: str, at: datetime) -> str | bool | None:
        del at
        return address if address in {OLD, NEW, LATE} else False


@dataclass
class NotedPace:
    """Visits every front every hour, and keeps what it was told about them."""

    fronts: dict[str, FrontTurnover] = field(default_factory=dict)

    def next_interval(self, source: SourceTurnover, page: str, least: timedelta, now: datetime) -> timedelta:
        del now
        self.fronts[page] = source.front(page)
        return least


def test_a_paced_crawler_tells_its_policy_how_long_articles_stayed() -> None:
    pace = NotedPace()

    crawl(PacedCrawler(pace, HOUR), MadeUpGround())

    assert len(pace.fronts[SECTION].stays) == 1, "the late article left after an hour"
    assert pace.fronts[SECTION].gaps == 0, "an old article stayed"


def test_a_paced_crawler_notes_a_front_on_which_nothing_stayed() -> None:
    pace = NotedPace()
    crawler = PacedCrawler(pace, HOUR)
    list(crawler.begin(MadeUpGround()))

    for hour, links in enumerate((("a", "b"), ("b", "c"), ("d", "e"))):
        list(crawler.take(Answer(FEED, START + hour * HOUR, 200, MadeUpPage("other", links))))

    assert pace.fronts[FEED].gaps == 1


@dataclass
class LeavingPace:
    """Visits every front every two hours, and sections once a day while a file leads, which is visited every hour."""

    heeds_leader: bool = True

    def next_interval(self, source: SourceTurnover, page: str, least: timedelta, now: datetime) -> timedelta:
        del now
        if page == source.leading.page:
            return least
        return 24 * least if source.leading.page and page == SECTION else 2 * least


def test_a_paced_crawler_plans_anew_when_a_file_begins_to_lead_or_ceases_to() -> None:
    crawler, wishes = PacedCrawler(LeavingPace(), HOUR), dict[int, list[Wish]]()
    list(crawler.begin(MadeUpGround()))
    list(crawler.take(Answer(HOME, START, 200, MadeUpPage("section", (SECTION,)))))
    list(crawler.take(Answer(SECTION, START, 200, MadeUpPage("section"))))

    def take(hour: int, address: str, numbers: Iterable[int]) -> list[Wish]:
        links = (SECTION, *(f"article {number}" for number in numbers))
        answer = Answer(address, START + hour * HOUR, 200, MadeUpPage("section", links))
        return [wish for wish in crawler.take(answer) if wish.is_instead]

    for hour in range(40):
        listed = take(hour, FEED, range(min(hour, 20)))
        wishes[hour] = [*listed, *take(hour, HOME, range(hour))]

    changes = [(hour, wish.at) for hour, each in wishes.items() for wish in each]
    (_, left), (lost, soon) = changes
    assert left == START + 24 * HOUR, "a day after the last visit"
    assert soon == min(left, START + (lost + 1) * HOUR)


def measured(name: str, minutes: float = 60) -> Cell:
    ground, every = MadeUpGround(), timedelta(minutes=minutes)
    finds, effort = ENTRANTS[name].run(ground, every)
    return cell(name, every, ground, finds, effort)


@pytest.mark.parametrize(
    ("name", "found", "stored", "wrong", "sections"),
    [
        ("generic", 2, 3, 0, 1),
        ("home page", 1, 2, 0, 0),
        # All that a feed lists is taken for an article.
        ("feeds", 2, 4, 1, 0),
        ("sitemaps", 0, 0, 0, 0),
        ("feeds + sitemaps", 2, 4, 1, 0),
        ("broadsheet, fixed", 2, 3, 0, 1),
        ("fronts, adaptive", 2, 3, 0, 1),
    ],
)
def test_each_crawler_finds_what_its_idea_lets_it_find(
    name: str, found: int, stored: int, wrong: int, sections: int
) -> None:
    got = measured(name)

    assert (got.found, got.stored, got.wrong, got.sections_found) == (found, stored, wrong, sections)


class ChainedGround(MadeUpGround):
    """A site whose home page leads to one section, that one to the next, and so on."""

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        del again
        number = 0 if address == HOME else int(address)
        return Answer(address, at, 200, MadeUpPage("section", (str(number + 1),)))


def test_sections_are_followed_up_to_two_links_from_the_home_page() -> None:
    finds, _ = ENTRANTS["broadsheet, fixed"].run(ChainedGround(feeds=()), HOUR)

    assert finds.sections == {"1", "2"}


def test_every_crawler_can_run_at_any_interval() -> None:
    for name in ENTRANTS:
        often, rarely = measured(name, 15), measured(name, 120)

        assert often.requests >= rarely.requests, name


def test_the_crawler_of_the_documentation_finds_what_the_home_page_shows() -> None:
    [example] = re.findall(r"^```python\n(.*?)^```", NEWS_CRAWL.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - our own example
    ground, crawler = MadeUpGround(end=START + 10 * HOUR), names["NightAndDay"](HOUR)

    crawl(crawler, ground)

    assert crawler.finds.stored == {OLD: START, NEW: START + 2 * HOUR}
    at_home = [(at - START) / HOUR for address, at, _ in ground.asked if address == HOME]
    assert at_home == [0, 2, 4, 6, 7, 8, 9], "half as often before six"


def test_a_policy_of_another_package_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrants, "registered", lambda _: dict.fromkeys(("fixed", "nightly")))

    assert list(entrants.installed_policies()) == ["broadsheet, nightly"]


def test_an_article_that_was_missed_is_late_until_the_end() -> None:
    # In the order of their addresses: the late one, then the new one.
    assert measured("home page").delays == [4 * 60, 0]


def test_the_generic_crawler_asks_for_everything_within_two_links_at_each_interval() -> None:
    ground = MadeUpGround()

    ENTRANTS["generic"].run(ground, HOUR)

    assert sorted(address for address, at, _ in ground.asked if at == START) == sorted([HOME, SECTION, ABOUT, OLD])
    assert all(again == (at > START or address != HOME) for address, at, again in ground.asked if address == HOME)


def test_what_was_asked_for_before_counting_began_is_not_counted() -> None:
    ground = MadeUpGround(counted_from=START + 3 * HOUR)
    finds, effort = ENTRANTS["home page"].run(ground, HOUR)

    assert effort.requests == 3
    assert cell("home page", HOUR, ground, finds, effort).hours == 3


def test_visits_begin_on_the_grain() -> None:
    assert on_grain(START) == START
    assert on_grain(START + timedelta(minutes=1)) == START + timedelta(minutes=5)


class FrontPageOnly:
    """A crawler in a few lines, as the documentation shows it."""

    def __init__(self, every: timedelta) -> None:
        self.finds = Finds()
        self.every = every

    def begin(self, ground: Any) -> Iterable[Wish]:
        return [Wish(ground.start, ground.home)]

    def take(self, answer: Answer) -> Iterator[Wish]:
        for link in answer.page.links if answer.page else ():
            self.finds.store(link, answer.at)
        yield Wish(answer.at + self.every, answer.address)


class ChangingItsMind(FrontPageOnly):
    """Asks for a page in three hours, and at once takes that back for one in an hour, and nothing else."""

    def take(self, answer: Answer) -> Iterator[Wish]:
        if answer.at == START:
            yield Wish(answer.at + 3 * HOUR, answer.address)
            yield Wish(answer.at + HOUR, answer.address, is_instead=True)


def test_a_wish_may_replace_those_before_for_its_address() -> None:
    ground = MadeUpGround()

    crawl(ChangingItsMind(HOUR), ground)

    assert [at for _, at, _ in ground.asked] == [START, START + HOUR]


def test_a_crawler_is_a_class_with_two_methods() -> None:
    crawler = FrontPageOnly(HOUR)

    effort = crawl(crawler, MadeUpGround())

    assert effort.requests == 6
    assert crawler.finds.stored[NEW] == START + 2 * HOUR


def figures(requests: float, recall: float, delay: float, crawler: str = "a") -> Total:
    rest: dict[str, Any] = dict.fromkeys(("precision", "requests_per_article", "bytes_per_article"))
    return Total(
        crawler=crawler,
        family="news web",
        tier="links",
        every=60,
        sites=1,
        articles=10,
        recall=recall,
        mean_delay=delay,
        median_delay=delay,
        p95_delay=7.0,
        requests=requests + 1,
        looking=requests,
        size=0,
        finding_size=None,
        full_size=0,
        sections=1.0,
        **rest,
    )


def test_figures_at_a_budget_are_those_of_the_best_interval_within_it() -> None:
    often, usual, rarely = figures(16, 1.0, 1.0), figures(4, 0.5, 2.0), figures(5, 0.75, 3.0)
    curve = [often, rarely, usual]

    assert at_budget(curve, 100) == often
    assert at_budget(curve, 8) == usual
    assert at_budget(curve, 3) is None
    assert "| a       | \N{EN DASH} | 0.5000 2.00 2.00 7.00 |" in compare(curve, (3, 8))


def test_an_interval_that_was_not_measured_on_all_sites_is_not_compared() -> None:
    curve = [replace(figures(4, 1.0, 1.0), sites=2), figures(2, 1.0, 0.1)]

    assert "| a       | 1.0000 1.00 1.00 7.00 |" in compare(curve, (8,))
    assert "news web, links: 2 sites" in lay_out(curve)
    assert "1 rows are left out" in lay_out(curve)
    assert "0.10" not in lay_out(curve)


def test_the_bytes_of_finding_are_those_that_are_not_of_articles() -> None:
    together = total([measured("home page")])

    # Six times the home page, the section, and a page that is not an article.
    assert (together.size, together.finding_size) == (10 * 100, 8 * 100)


class NumberedGround(MadeUpGround):
    """A site whose home page has a second page, and whose section has one, too."""

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        del again
        links = {HOME: (SECTION, f"{HOME}/page/2"), SECTION: (f"{SECTION}/page/2",)}.get(address, ())
        return Answer(address, at, 200, MadeUpPage("section", links))


def test_the_further_pages_of_a_section_are_not_followed() -> None:
    finds, _ = ENTRANTS["broadsheet, fixed"].run(NumberedGround(feeds=()), HOUR)

    assert finds.sections == {SECTION, f"{HOME}/page/2"}


def test_percentiles_are_nearest_ranks() -> None:
    assert percentile(range(1, 101), 0.95) == 95
    assert percentile([7], 0.95) == 7


def run(*options: str) -> int:
    return main(["--quick", *options])


def test_the_command_follows_the_news_web_in_both_tiers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, plot = tmp_path / "crawl.json", tmp_path / "crawl.svg"

    code = run("--policies", "home page", "--json", str(file), "--plot", str(plot))

    assert code == 0
    assert "news web, pages: 1 sites" in capsys.readouterr().out
    report = json.loads(file.read_text())
    cells = [Cell(**row) for row in report["cells"]]
    assert report["conditions"]["seeds"] == [1000]
    assert [(each.tier, each.every) for each in cells] == [("links", 240), ("links", 60), ("pages", 60)]
    assert [each.size > 0 for each in cells] == [False, False, True]
    assert len(report["totals"]) == len(totals(cells))
    assert plot.read_text().count("<svg") == 1


def test_a_crawler_that_looks_far_too_often_does_not_run_at_shorter_intervals(tmp_path: Path) -> None:
    file = tmp_path / "crawl.json"
    options = ("--tiers", "links", "--policies", "home page", "broadsheet, fixed", "--json", str(file))

    for _ in range(2):
        assert run(*options, "--budgets", "0.5") == 0

    cells = [(row["crawler"], row["every"]) for row in json.loads(file.read_text())["cells"]]
    assert cells == [("home page", 240), ("home page", 60), ("broadsheet, fixed", 240)]


def test_what_was_measured_is_kept_when_a_run_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setitem(ENTRANTS, "feeds", replace(ENTRANTS["feeds"], run_elsewhere=stop))
    file = tmp_path / "crawl.json"

    with pytest.raises(KeyboardInterrupt):
        run("--tiers", "links", "--policies", "home page", "feeds", "--json", str(file))

    assert [row["every"] for row in json.loads(file.read_text())["cells"]] == [240, 60]


def test_saved_sites_are_replayed_and_a_run_goes_on_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, file = str(write_data(tmp_path)), tmp_path / "crawl.json"
    options = ("--snapshots", data, "--pages", data, "--sites", SITE, "--json", str(file), "--policies")

    assert run(*options, "home page", "--tiers", "links") == 0
    first = capsys.readouterr()
    assert run(*options, "home page", "broadsheet, arrivals", "feeds") == 0
    second = capsys.readouterr()

    assert f"{SITE}, links: 2 articles, 2 crawls" in first.err
    assert f"{SITE}, pages: 2 articles, 2 crawls" in second.err
    cells = [Cell(**row) for row in json.loads(file.read_text())["cells"]]
    # Feeds were not saved.
    assert {each.crawler for each in cells} == {"home page", "broadsheet, arrivals"}
    assert len(cells) == 6
    (ours,) = (each for each in cells if (each.tier, each.crawler) == ("pages", "broadsheet, arrivals"))
    assert ours.found >= 1
    assert ours.requests > 7


FAKE_NEWSPAPER = """
import re, urllib.parse, urllib.request

class ArticleException(Exception): pass

class Article:
    def __init__(self, url): self.url = url
    def download(self):
        if "imprint" in self.url: raise ArticleException
        urllib.request.urlopen(self.url).read()
    def parse(self): pass

class Paper:
    def __init__(self, home):
        page = urllib.request.urlopen(home).read().decode("latin-1")
        links = re.findall(r'href="(/[^"]+)"', page)[:8]
        self.articles = [Article(urllib.parse.urljoin(home, link)) for link in links]

def build(home, **options): return Paper(home)
"""


def test_newspaper4k_runs_over_http_in_an_environment_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "newspaper.py").write_text(FAKE_NEWSPAPER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    file = tmp_path / "crawl.json"

    code = run("--newspaper4k", sys.executable, "--policies", "newspaper4k", "--json", str(file))

    (row,) = json.loads(file.read_text())["cells"]
    assert code == 0
    assert "| newspaper4k |" in capsys.readouterr().out
    # Three rounds of a home page in two and a half hours, and at first what it links to.
    assert 3 < row["requests"] <= 3 + 3 * 8
    assert row["stored"] > 0


FAKE_NEWS_PLEASE = """
import json, re, sys, urllib.parse, urllib.request
from pathlib import Path

folder = Path(sys.argv[sys.argv.index("-c") + 1])
home = json.loads((folder / "sitelist.hjson").read_text())["base_urls"][0]["url"]
place = Path(re.search("working_path = (.*)", (folder / "config.cfg").read_text())[1])
(place / ".resume_jobdir").mkdir(parents=True, exist_ok=True)
(place / ".resume_jobdir" / "active.json").write_text("{}")
(place / "data").mkdir(exist_ok=True)
page = urllib.request.urlopen(home).read().decode("latin-1")
for number, link in enumerate(re.findall(r'href="(/[^"]+)"', page)[:8]):
    url = urllib.parse.urljoin(home, link)
    urllib.request.urlopen(url).read()
    (place / "data" / f"{number}.json").write_text(json.dumps({"url": url}))
print("stored")
"""


def install_news_please(folder: Path, program: str) -> None:
    """Write a package that takes the place of news-please."""
    package = folder / "newsplease"
    (package / "config").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(program)
    (package / "config" / "config.cfg").write_text("[Files]\nworking_path = ~/news-please-repo/\n")


def test_news_please_runs_over_http_with_the_configuration_that_it_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_news_please(tmp_path, FAKE_NEWS_PLEASE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    file = tmp_path / "crawl.json"

    code = run("--news-please", sys.executable, "--policies", "news-please", "--json", str(file))

    (row,) = json.loads(file.read_text())["cells"]
    assert code == 0
    assert row["stored"] > 0
    assert row["requests"] > 3 * 2, "it asks for everything again in each round"
    assert (row["rounds"], row["cut_rounds"]) == (3, 0)


def test_a_round_that_does_not_end_is_ended_and_what_it_stored_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install_news_please(tmp_path, f"{FAKE_NEWS_PLEASE}\nimport time\ntime.sleep(600)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    file = tmp_path / "crawl.json"
    one_round = ("--page-every", "600", "--round-minutes", "0.1")

    code = run("--news-please", sys.executable, "--policies", "news-please", *one_round, "--json", str(file))

    (row,) = json.loads(file.read_text())["cells"]
    assert code == 0
    assert row["stored"] > 0
    assert (row["rounds"], row["cut_rounds"]) == (1, 1)
    assert "1 of 1 rounds were ended before it had finished" in capsys.readouterr().out


def test_sites_of_several_seeds_are_told_apart_and_chosen_by_name_and_by_articles_a_day() -> None:
    extent = Extent(sites=2, days=1.0)

    all_names = [place.site for place in news_web_places("links", extent, (4, 7))]
    named = [place.site for place in news_web_places("links", extent, (4, 7), all_names[1:2])]
    rates = {f"{seed}/{site.slug}": daily_articles(site) for seed in (4, 7) for site in judging_sites(2, seed)}
    least = sorted(rates.values())[2]
    busy = [place.site for place in news_web_places("links", replace(extent, articles=(least, 1e9)), (4, 7))]

    assert [name.split("/")[0] for name in all_names] == ["4", "4", "7", "7"]
    assert named == all_names[1:2]
    assert busy == [name for name, rate in rates.items() if rate >= least]


def test_a_file_of_other_conditions_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "crawl.json"
    file.write_text(json.dumps({"conditions": {"seeds": [1]}, "cells": []}))

    assert run("--json", str(file)) == 1
    assert "was measured with" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["broadsheet", "code", "models", "benchmark"])
def test_cells_of_other_code_or_models_are_not_gone_on_with(tmp_path: Path, what: str) -> None:
    file = tmp_path / "crawl.json"
    Results(file, {"seeds": [1]}).save()
    assert Results(file, {"seeds": [1]}).cells == []
    report = json.loads(file.read_text())

    report["conditions"][what] = "another"
    file.write_text(json.dumps(report))

    with pytest.raises(InputError, match=f"was measured with .*'{what}': 'another'"):
        Results(file, {"seeds": [1]})


def test_all_rooms_that_take_part_are_in_the_digest() -> None:
    program = (
        "import sys, benchmarks.news_crawl.__main__\n"
        "print(*{name.split('.')[1] for name in sys.modules if name.startswith('broadsheet.')})"
    )

    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)  # noqa: S603 - our own

    rooms = {name for name in done.stdout.split() if (PACKAGE / name).is_dir()}
    assert "newsroom" in rooms
    assert rooms <= ROOMS


@pytest.mark.parametrize(
    "options", [("--snapshots", "x"), ("--days", "0"), ("--number", "0"), ("--policies", "no"), ("--articles", "9 3")]
)
def test_options_that_cannot_be_are_refused(options: tuple[str, str]) -> None:
    name, values = options

    with pytest.raises(SystemExit):
        main([name, *values.split()])
