"""What feeds and sitemaps say about revisions: dates of modification and headlines that changed."""

from datetime import datetime
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import PageRecord, Store
from broadsheet.archive.page_records import FetchRecord, PageState, VerdictRecord
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.records import Verdict
from broadsheet.document.feeds import ListedItem, Listing
from broadsheet.newsroom.feed_items import changed_items
from broadsheet.newsweb.response import ServedContent
from tests.newsroom.feed_sites import NAMED, hour, page_with, robots, rss, served, stories, urlset
from tests.newsroom.site import HOME, ScriptedSite, article_path, front, story

SIGNS = NewsroomSettings(revisits="signs")
ONE = article_path(1)
REVISED = hour(2.3)


def sitemap(at: datetime) -> ServedContent:
    """Return a sitemap of two articles, of which the first changes."""
    items = [(ONE, REVISED if at >= REVISED else hour(-1)), (article_path(2), hour(-1))]
    return served(urlset_of(items), "application/xml")


def urlset_of(items: list[tuple[str, datetime]]) -> str:
    entries = (
        f"<url><loc>{HOME.rstrip('/')}{path}</loc><lastmod>{at.isoformat()}</lastmod></url>" for path, at in items
    )
    return f"<urlset>{''.join(entries)}</urlset>"


def atom(at: datetime) -> ServedContent:
    changed = REVISED if at >= REVISED else hour(-1)
    entry = f"<title>Number 1</title><link href='{ONE}'/><updated>{changed.isoformat()}</updated>"
    dated = f"<published>{hour(-1).isoformat()}</published>"
    return served(f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{entry}{dated}</entry></feed>')


def revised(at: datetime) -> str:
    text = story("Number 1")
    return text.replace("</article>", "<p>The mayor has resigned since.</p></article>") if at >= REVISED else text


def versions(folder: Path) -> list[int]:
    with Store.open(folder) as archive:
        return [stored.version for stored in archive.versions("gazette.example" + ONE)]


def slow_clock(at: datetime) -> ServedContent:
    """Return the sitemap of a site whose dates are five hours early, as local time that is said to be UTC."""
    items = [(ONE, hour(-2.7) if at >= REVISED else hour(-6)), (article_path(2), hour(-6))]
    return served(urlset_of(items), "application/xml")


def test_a_date_that_moved_tells_a_revision_even_if_it_lies_before_the_last_fetch(tmp_path: Path) -> None:
    site = ScriptedSite({"/": page_with(NAMED, ONE, article_path(2)), **stories(2), ONE: revised})
    site.pages |= {"/robots.txt": robots("/map.xml"), "/map.xml": slow_clock}

    site.crawl(tmp_path, snapshots=7, settings=SIGNS)

    assert versions(tmp_path) == [1, 2]
    # Once is enough: the date stays as it is then.
    assert len(site.hours(ONE)) == 2


@pytest.mark.parametrize("form", ["sitemap", "atom"])
def test_an_article_whose_date_of_modification_changed_is_visited_at_once(tmp_path: Path, form: str) -> None:
    site = ScriptedSite({"/": page_with(NAMED, ONE, article_path(2)), **stories(2), ONE: revised})
    if form == "sitemap":
        site.pages |= {"/robots.txt": robots("/map.xml"), "/map.xml": sitemap}
    else:
        site.pages["/news.rss"] = atom

    site.crawl(tmp_path, snapshots=7, settings=SIGNS)

    # Once, by the next visit but one to the sitemap at the latest.
    first, again = site.hours(ONE)
    assert first == pytest.approx(0.0, abs=0.1)
    assert 2.3 < again < 4.3
    assert len(site.hours(article_path(2))) == 1
    assert versions(tmp_path) == [1, 2]


def test_a_sitemap_that_is_dated_anew_at_every_visit_leads_to_no_visits(tmp_path: Path) -> None:
    paths = [article_path(number) for number in range(1, 9)]
    site = ScriptedSite(
        {
            "/": front(*paths),
            "/robots.txt": robots("/map.xml"),
            "/map.xml": lambda at: urlset(paths, at - (at - hour(0)) / 100),
            **stories(8),
        }
    )

    site.crawl(tmp_path, snapshots=6, settings=SIGNS)

    assert [len(site.hours(path)) for path in paths] == [1] * 8


def test_dates_that_most_items_share_or_that_lie_ahead_say_nothing() -> None:
    verdict = Verdict("article", None, 1.0, {"article": 1.0}, (), "given")
    keys = [f"news.example/{number}" for number in range(8)]
    known = {
        key: PageRecord(
            key=key,
            url=f"https://{key}",
            judged=VerdictRecord(verdict=verdict, at=hour(0)),
            fetch=FetchRecord(state=PageState.FETCHED, fetched_at=hour(1)),
        )
        for key in keys
    }

    def changed(number: int, date: datetime) -> set[str] | None:
        dates = [date] * number + [hour(0)] * (len(keys) - number)
        items = (ListedItem(f"https://{key}", changed=when) for key, when in zip(keys, dates, strict=True))
        found = changed_items(Listing("sitemap", tuple(items)), known, hour(3))
        return None if found is None else set(found)

    assert changed(4, hour(2)) == set(keys[:4])
    assert changed(5, hour(2)) is None
    assert changed(1, hour(3)) == set()
    assert changed(1, hour(1)) == set()
    # Hardly any says when it changed.
    assert changed(7, hour(3)) is None


def test_another_headline_in_a_feed_is_a_sign(tmp_path: Path) -> None:
    def feed(at: datetime) -> ServedContent:
        listed = rss([ONE, article_path(2)])
        new = listed.body.replace(f"The headline of {ONE}".encode(), b"Mayor resigns after long night")
        return served(new) if at >= REVISED else listed

    site = ScriptedSite({"/": page_with(NAMED, ONE), "/news.rss": feed, **stories(2), ONE: revised})

    site.crawl(tmp_path, snapshots=5, settings=SIGNS)

    assert [round(asked) for asked in site.hours(ONE)] == [0, 3]
    assert len(site.hours(article_path(2))) == 1
    assert versions(tmp_path) == [1, 2]


def test_a_headline_that_the_archived_article_has_already_is_not_a_sign(tmp_path: Path) -> None:
    title = "Mayor resigns after long night"

    def home(at: datetime) -> str:
        shown = f"The long headline of {ONE} in full" if at < hour(1.5) else title
        return front(ONE).replace(f"The long headline of {ONE} in full", shown)

    site = ScriptedSite({"/": home, ONE: story(title)})

    site.crawl(tmp_path, snapshots=4, settings=SIGNS)

    assert len(site.hours(ONE)) == 1
