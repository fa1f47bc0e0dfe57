"""A crawl that is given a span ends with it, however much a site has to offer, and can be resumed."""

from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from broadsheet.archive import PageState, Store, VisitReason
from broadsheet.base.counters import Counted
from broadsheet.cli import exits
from broadsheet.newsroom.agenda import WINDOW
from broadsheet.newsroom.assignment import Assignment
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.program import LOOPBACK, articles, run, serving
from tests.newsroom.site import HOME, ONCE, START, ScriptedSite, article_path, front, story

ARTICLES = range(1, 121)
#: Far more pages than seconds, at two requests a second.
MANY = range(1, 101)


def test_a_crawl_ends_with_its_span_and_goes_on_when_it_is_given_again(tmp_path: Path) -> None:
    pages = {article_path(number): story(str(number)) for number in ARTICLES}
    site = ScriptedSite({"/": front(*pages), **pages})
    assignment = Assignment((HOME,), every=3600.0, span=5.0)

    first = simulate(tmp_path, site.fetch, START, assignment)
    later = START + timedelta(seconds=20)
    second = simulate(tmp_path, site.fetch, later, Assignment((HOME,), every=3600.0, span=3600.0), settings=ONCE)

    # The simulation waits a tenth of a second between two requests.
    assert 35 <= first.articles <= 51
    assert first.articles + second.articles == len(ARTICLES)
    asked = [path for path, _ in site.asked]
    assert len(asked) == len(set(asked)) + asked.count("/") - 1
    with Store.open(tmp_path) as archive:
        states = {page.state for page in archive.pages([f"gazette.example{path}" for path in pages]).values()}
        assert list(archive.check()) == []
    assert states == {PageState.FETCHED}


def test_the_program_ends_with_its_span_and_counts_what_it_left(tmp_path: Path) -> None:
    pages = {article_path(number): story(str(number)) for number in MANY}
    with serving({"/": front(*pages), **pages}) as site:
        code, _, err = run("crawl", tmp_path, site.url, "--for", "8s", *LOOPBACK[:2], "--set", "crawl.delay=0.5")

    assert code == exits.DONE, err
    assert len(articles(tmp_path)) <= 17
    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
        waiting = sum(scheduled.entry.reason is VisitReason.CANDIDATE for scheduled in archive.agenda(source.key))
        dropped = archive.counters.snapshot()[Counted("skipped", "deadline")]
    # What the crawler had been given is counted; the rest was never given to it.
    assert 0 < dropped <= WINDOW
    assert len(articles(tmp_path)) + waiting == len(MANY)
