"""Pages with links without end: what they make an archive keep is bounded, and what is dropped is counted."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from broadsheet.archive import Store
from broadsheet.base.memory import peak_memory
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.agenda import WINDOW
from broadsheet.newsroom.known_links import KnownLinks
from broadsheet.newsroom.page_links import PageLinks
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


def test_pages_that_only_may_be_sections_leave_the_articles_their_share(tmp_path: Path) -> None:
    bar = "".join(f'<a href="/section{number}/">S{number}</a>' for number in range(100))
    articles = {article_path(number): story(str(number)) for number in range(1, 16)}
    site = ScriptedSite({"/": front(*articles, also=bar), **articles})

    progress = site.crawl(tmp_path, 1, quotas=Quotas(max_section_candidates=5, max_requests=30))

    assert progress.articles == 15
    assert sum(1 for path, _ in site.asked if path.startswith("/section")) == 5
    assert progress.skips["too many section candidates"] == 95


def test_no_more_sections_are_followed_than_the_quota(tmp_path: Path) -> None:
    paths = [f"/{name}/" for name in ("sport", "politics", "business", "culture", "science", "travel")]
    bar = "".join(f'<a href="{path}">{path.strip("/").title()}</a>' for path in paths)
    lists = {path: front(*(article_path(50 * n + k) for k in range(40))) for n, path in enumerate(paths, 1)}
    site = ScriptedSite({"/": front(article_path(1), also=bar), **lists})

    # The home page counts, too.
    progress = site.crawl(tmp_path, 1, quotas=Quotas(max_sections=4))

    assert progress.sections == 3
    assert progress.skips["too many sections"] == len(paths) - 3
    with Store.open(tmp_path) as archive:
        assert len(archive.sections()) == 4


def test_no_more_requests_are_made_in_an_hour_than_the_quota_and_the_rest_waits(tmp_path: Path) -> None:
    articles = {article_path(number): story(str(number)) for number in range(1, 31)}
    site = ScriptedSite({"/": front(*articles), **articles})
    quotas = Quotas(max_requests=10)

    first = site.crawl(tmp_path, 1, quotas=quotas)
    asked = len(site.asked)
    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
        waiting = sum(scheduled.entry.every is None for scheduled in archive.agenda(source.key))
    site.crawl(tmp_path, 4, start=START + HOUR, quotas=quotas)

    assert 0 < first.articles < asked <= 10
    assert first.articles + waiting == 30
    assert first.skips == {}
    # A full budget to begin with, and one more in each hour.
    assert len(site.asked) - asked <= 4 * 10
    with Store.open(tmp_path) as archive:
        assert len(list(archive.articles())) == 30


def test_no_more_bytes_are_fetched_in_an_hour_than_the_quota_and_the_rest_waits(tmp_path: Path) -> None:
    articles = {article_path(number): story(str(number)) for number in range(1, 81)}
    site = ScriptedSite({"/": front(*articles), **articles})

    progress = site.crawl(tmp_path, 1, quotas=Quotas(max_bytes=20_000))

    assert 10 <= progress.articles < 80
    # What was handed out when the last byte of the budget was spent still comes; each page has less than 1,000 bytes.
    assert progress.bytes <= 20_000 + WINDOW * 1_000
    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
        waiting = sum(scheduled.entry.every is None for scheduled in archive.agenda(source.key))
    assert progress.articles + waiting == 80


def test_pages_that_never_come_do_not_keep_the_home_page_waiting(tmp_path: Path) -> None:
    site = ScriptedSite({"/": lambda at: flood(10, f"h{(at - START) // HOUR}n")})
    answer = site._answer

    def failing(path: str, at: datetime, headers: object) -> Response:
        return answer(path, at, headers) if path in {"/", "/robots.txt"} else Response(503, {}, b"")  # type: ignore[arg-type]

    site._answer = failing  # type: ignore[method-assign]

    progress = site.crawl(tmp_path, 4, quotas=Quotas(max_requests=10))

    assert progress.snapshots == 4
    assert [path for path, _ in site.asked].count("/") == 4
    # A full budget to begin with, one more in each hour, and the home page goes first even if nothing is left.
    hours = (datetime.fromisoformat(progress.now) - START) / HOUR
    assert progress.requests <= 10 * (1 + hours) + 4


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
        assert known.of("49").keys[0] == "49/0"


def flooded(folder: Path, links: int, sections: int, snapshots: int) -> tuple[Progress, float]:
    """Follow a flooding site, and return how many bytes an archive grew beside its WARC for each that was received."""
    flooding_site(1, sections).crawl(folder / "calm", snapshots)
    progress = flooding_site(links, sections).crawl(folder / "flooded", snapshots)
    return progress, (size(folder / "flooded") - size(folder / "calm")) / progress.bytes


def test_a_source_pays_for_its_links_with_what_it_sends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.newsroom.ledger.FREE_PAGES", 10)

    progress, ratio = flooded(tmp_path, links=2_500, sections=3, snapshots=1)

    assert progress.skips["more links than its bytes pay for"] > 0
    assert ratio <= BAR


@pytest.mark.soak
def test_an_archive_does_not_grow_faster_than_the_greatest_flood_comes_in(tmp_path: Path) -> None:
    progress, ratio = flooded(tmp_path, links=100_000, sections=10, snapshots=3)

    print(f"{progress.bytes:,} bytes received, {ratio:.2f} times as many kept beside the WARC, {peak_memory():,} peak")
    assert progress.skips["too many links on a page"] > 0
    assert ratio <= BAR
    assert peak_memory() <= 500_000_000
