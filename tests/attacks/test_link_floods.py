"""Pages with links without end: what they make an archive keep is bounded, and what is dropped is counted."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from broadsheet.archive import PageRecord, Store
from broadsheet.base.memory import peak_memory
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.page_links import KnownLinks, PageLinks
from broadsheet.newsroom.progress import Progress
from broadsheet.newsweb.response import Response
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story

#: Bytes of catalogue and occurrences for each byte that was received.
BAR = 10


def flood(links: int, page: str = "") -> str:
    """Return a page of many short links, all of them different from those of other pages."""
    return "".join(
        f"<a href=/2026/03/02/{page}{number}-of-all-the-many>the headline of {number} " for number in range(links)
    )


def flooding_site(links: int, sections: int) -> ScriptedSite:
    """Return a site whose sections link to other pages each time."""

    def fresh(section: int) -> object:
        return lambda at: flood(links, f"s{section}h{(at - START) // HOUR}n")

    bar = "".join(f'<a href="/s{number}/">S{number}</a>' for number in range(sections))
    pages = {f"/s{number}/": fresh(number) for number in range(sections)}
    return ScriptedSite({"/": front(article_path(1), also=bar), article_path(1): story("one"), **pages})  # type: ignore[dict-item]


def size(folder: Path) -> int:
    """Return how many bytes the catalogue and the link occurrences of an archive take."""
    with closing(sqlite3.connect(folder / "catalogue.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files = [folder / "catalogue.sqlite", *(folder / "occurrences").iterdir()]
    return sum(file.stat().st_size for file in files)


def test_no_more_links_of_a_page_are_taken_than_the_quota(tmp_path: Path) -> None:
    site = ScriptedSite({"/": flood(50)})

    progress = site.crawl(tmp_path, 1, quotas=Quotas(max_page_links=20, max_page_rows=30))

    assert progress.skips["too many links on a page"] == 30
    assert progress.skips["too many link occurrences on a page"] == 20
    assert progress.failures["answered 404"] == 20


def test_no_more_new_links_are_kept_in_a_day_than_the_quota(tmp_path: Path) -> None:
    site = ScriptedSite({"/": lambda at: flood(20, f"h{(at - START) // HOUR}n")})
    quotas = Quotas(max_new_links=50)

    first = site.crawl(tmp_path, 4, quotas=quotas)
    again = site.crawl(tmp_path, 1, start=START + 5 * HOUR, quotas=quotas)
    next_day = site.crawl(tmp_path, 1, start=START + 24 * HOUR, quotas=quotas)

    reason = "too many new links in a day"
    assert (first.skips[reason], again.skips[reason]) == (30, 20)
    assert reason not in next_day.skips


def test_no_more_pages_of_a_source_are_kept_than_the_quota(tmp_path: Path) -> None:
    site = ScriptedSite({"/": lambda at: flood(20, f"h{(at - START) // HOUR}n")})

    progress = site.crawl(tmp_path, 3, quotas=Quotas(max_pages=30))

    assert progress.skips["too many pages of the source"] == 30


def test_a_round_looks_at_no_more_links_than_the_quota(tmp_path: Path) -> None:
    site = ScriptedSite({"/": flood(50)})

    progress = site.crawl(tmp_path, 1, quotas=Quotas(max_round_links=10))

    assert progress.skips["too many links in a round"] == 40


def test_pages_that_only_may_be_sections_leave_the_articles_their_share(tmp_path: Path) -> None:
    bar = "".join(f'<a href="/fake{number}/">F{number}</a>' for number in range(100))
    articles = {article_path(number): story(str(number)) for number in range(1, 16)}
    site = ScriptedSite({"/": front(*articles, also=bar), **articles})

    progress = site.crawl(tmp_path, 1, quotas=Quotas(max_fetches=20))

    assert progress.articles == 15
    assert sum(1 for path, _ in site.asked if path.startswith("/fake")) == 5


def test_what_earlier_rounds_did_not_get_counts_in_the_budget(tmp_path: Path) -> None:
    down = Response(503, {}, b"")
    site = ScriptedSite({"/": lambda at: flood(10, f"h{(at - START) // HOUR}n")})
    answer = site._answer

    def failing(path: str, at: datetime, headers: object) -> Response:
        return answer(path, at, headers) if path in {"/", "/robots.txt"} else down  # type: ignore[arg-type]

    site._answer = failing  # type: ignore[method-assign]
    site.crawl(tmp_path, 3, quotas=Quotas(max_fetches=10))
    site.asked.clear()

    progress = site.crawl(tmp_path, 1, start=START + 4 * HOUR, quotas=Quotas(max_fetches=10))

    assert len({path for path, _ in site.asked}) == 11
    assert progress.skips["over the round's budget"] == 30


def test_an_address_that_is_too_long_is_no_canonical_one(tmp_path: Path) -> None:
    long = f'<link rel="canonical" href="{HOME}2026/03/02/{"x" * 3000}-of-all-the-many">'
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one", long)})

    progress = site.crawl(tmp_path, 1)

    assert (progress.articles, progress.skips) == (1, {"address too long": 1})


def test_links_that_are_remembered_are_bounded(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as archive:
        known = KnownLinks(archive, most=100)
        for number in range(50):
            keys = tuple(f"{number}/{each}" for each in range(30))
            known.remember(str(number), PageLinks(keys, keys, keys, keys))

        assert len(known) <= 100
        assert known.of(PageRecord(key="49", url="", source="")).keys[0] == "49/0"


def flooded(folder: Path, links: int, sections: int, rounds: int) -> tuple[Progress, float]:
    """Follow a flooding site, and return how many bytes an archive grew beside its WARC for each that was received."""
    flooding_site(1, sections).crawl(folder / "calm", rounds)
    progress = flooding_site(links, sections).crawl(folder / "flooded", rounds)
    return progress, (size(folder / "flooded") - size(folder / "calm")) / progress.bytes


def test_a_source_pays_for_its_links_with_what_it_sends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.newsroom.ledger.FREE_PAGES", 10)

    progress, ratio = flooded(tmp_path, links=2_500, sections=3, rounds=1)

    assert progress.skips["more links than its bytes pay for"] > 0
    assert ratio <= BAR


@pytest.mark.soak
def test_an_archive_does_not_grow_faster_than_the_greatest_flood_comes_in(tmp_path: Path) -> None:
    progress, ratio = flooded(tmp_path, links=100_000, sections=10, rounds=3)

    print(f"{progress.bytes:,} bytes received, {ratio:.2f} times as many kept beside the WARC, {peak_memory():,} peak")
    assert progress.skips["too many links on a page"] > 0
    assert ratio <= BAR
    assert peak_memory() <= 500_000_000
