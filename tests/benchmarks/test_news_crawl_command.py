"""The command of the benchmark of news crawling, whole and with tiny counts, and its files of results."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

pytest.importorskip("scrapy")

from benchmarks.news_crawl.__main__ import main
from benchmarks.news_crawl.entrants import ENTRANTS
from benchmarks.news_crawl.measures import Cell, totals
from benchmarks.news_crawl.results import ROOMS, Results

from broadsheet.base.errors import InputError
from broadsheet.base.provenance import PACKAGE
from tests.benchmarks.replay_folder import SITE, write_data

REPOSITORY = Path(__file__).resolve().parents[2]


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
