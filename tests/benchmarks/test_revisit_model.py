"""The model of a crawl: it sees what a crawl would see, and no more."""

from datetime import UTC, datetime, timedelta

import pytest

pytest.importorskip("scrapy")

from benchmarks.revisit_model import HOUR, ModelCrawl

from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.revisit_tally import RevisitTally
from broadsheet.newsweb.site_knobs import Knobs, RevisionKnobs
from broadsheet.newsweb.web import NewsWeb

START = datetime(2026, 11, 16, tzinfo=UTC)


def crawl(revisions: RevisionKnobs, policy: str, *, dates: bool = False) -> ModelCrawl:
    web = NewsWeb(1, 1, Knobs(revisions=revisions))
    span = START, START + timedelta(days=2)
    modelled = ModelCrawl(web, web.sites[0], span, NewsroomSettings(revisits=policy), RevisitTally())
    modelled.run(dates=dates)
    return modelled


def visits(modelled: ModelCrawl) -> int:
    return modelled.tally.visits.total()


def test_articles_are_fetched_at_the_first_hour_after_their_publication() -> None:
    modelled = crawl(RevisionKnobs(), "never")

    new = [article for article in modelled.articles if article.published > START and article.fetches]
    assert len(new) > 20
    assert all(timedelta() <= article.fetches[0] - article.published <= HOUR for article in new)
    assert visits(modelled) == 0


def test_headlines_show_on_fronts_and_dates_in_sitemaps_unless_the_change_is_silent() -> None:
    retitled = RevisionKnobs(corrected=0.0, retitled=0.5, silent=1.0)
    corrected = RevisionKnobs(corrected=0.5)
    silent = RevisionKnobs(corrected=0.5, silent=1.0)

    assert visits(crawl(retitled, "signs")) > 10
    assert visits(crawl(corrected, "signs")) == 0
    assert visits(crawl(corrected, "signs", dates=True)) > 10
    assert visits(crawl(silent, "signs", dates=True)) == 0
