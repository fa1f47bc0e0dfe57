"""What is committed can be asked for, and nothing else."""

from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from broadsheet.archive import (
    NEVER_FETCHED,
    ArchiveError,
    FetchRecord,
    PageState,
    ScheduledPage,
    Store,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base.counters import Counted
from broadsheet.base.records import Block, Image, Label, Verdict
from tests.archive.samples import (
    JUDGED,
    NOON,
    OTHER,
    SOURCE,
    VERDICT,
    article,
    entry,
    exchange,
    harm,
    keep,
    links,
    member,
    page,
)


def test_sources_come_back_as_they_were_given(archive: Store) -> None:
    other = replace(
        OTHER,
        every=60.0,
        snapshots=3,
        state="paused",
        until_snapshot=9,
        until=NOON,
        goal="9 snapshots",
        reviewed_at=NOON,
    )

    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.source(other)
        writer.commit(batch)

    assert archive.sources() == [SOURCE, other]
    assert archive.find_source("https://www.other.example/") == other
    with pytest.raises(ArchiveError, match=r"does not follow third\.example; its sources are news\.example, other"):
        archive.find_source("third.example")


def test_pages_come_back_as_they_were_given(archive: Store) -> None:
    fetch = FetchRecord(
        state=PageState.DUPLICATE, attempts=1, etag='"x"', last_modified="Mon", fetched_at=NOON + timedelta(hours=1)
    )
    verdict = Verdict("section", "front", 0.5, {"section": 0.5}, ("many links",), "trees-1")
    judged = VerdictRecord(verdict=verdict, at=NOON, evidence={"page": {"section": 0.5, "other": 0.5}})
    whole = page("news.example/a", fetch=fetch, judged=judged, duplicate_of="news.example/b")
    known, fetched = page("news.example/known"), page("news.example/fetched", fetch=fetch)
    judged_by_its_link = page("news.example/judged", judged=judged)
    given = (whole, known, fetched, judged_by_its_link)

    with archive.writer() as writer:
        batch = writer.batch()
        for one in given:
            batch.page(one)
        writer.commit(batch)

    assert archive.pages([*(one.key for one in given), "news.example/unknown"]) == {one.key: one for one in given}
    assert known.fetch == NEVER_FETCHED
    assert archive.verdict("http://www.news.example/a/") == verdict
    assert archive.verdict("https://news.example/unknown") is None
    assert archive.verdict("https://news.example/known") is None


def test_members_and_plans_come_back_as_they_were_given(archive: Store) -> None:
    key = "news.example/a"
    led = member(key, first_seen=NOON + timedelta(minutes=1), found_on="news.example/section", anchor="Ä section")
    planned = entry(key, reason=VisitReason.SECTION, due=NOON + timedelta(hours=1), priority=10, every=60.0)
    once = entry("news.example/b")

    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page(key, judged=JUDGED))
        batch.page(page("news.example/b"))
        batch.member(led)
        batch.plan(planned)
        batch.plan(once)
        writer.commit(batch)
        assert writer.members(SOURCE.key, [key, "news.example/b"]) == {key: led}

    assert archive.agenda("https://www.news.example/") == [
        ScheduledPage(once, page("news.example/b")),
        ScheduledPage(planned, page(key, judged=JUDGED)),
    ]
    assert archive.sections() == archive.sections(SOURCE.key) == [ScheduledPage(planned, page(key, judged=JUDGED))]


def test_a_page_belongs_to_every_source_that_leads_to_it(archive: Store) -> None:
    shared, own = "news.example/shared", "news.example/own"
    with archive.writer() as writer:
        keep(writer, shared, b"a")
        keep(writer, shared, b"b", title="changed")
        keep(writer, own, b"c")
        batch = writer.batch()
        batch.source(OTHER)
        batch.member(member(shared, OTHER.key, anchor="Seen there"))
        batch.plan(entry(shared, source=OTHER.key, reason=VisitReason.REVISION))
        writer.commit(batch)

    assert archive.sources_of(f"https://{shared}") == [SOURCE.key, OTHER.key]
    assert archive.sources_of(f"https://{own}") == [SOURCE.key]
    assert {stored.key for stored in archive.articles(source=SOURCE.key)} == {shared, own}
    assert [stored.key for stored in archive.articles(source=OTHER.key)] == [shared]
    assert sorted(stored.key for stored in archive.articles()) == [own, shared]
    news, other = archive.status().sources
    assert (news.articles, news.versions, news.in_state("fetched")) == (2, 3, 2)
    assert (other.articles, other.versions, other.in_state("fetched")) == (1, 2, 1)
    assert (news.planned, other.planned) == ({}, {"revision": 1})
    assert list(archive.check()) == []


def test_more_keys_than_one_statement_takes_are_asked_for_in_parts(archive: Store) -> None:
    keys = [f"news.example/{number}" for number in range(1234)]
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for key in keys:
            batch.page(page(key))
        writer.commit(batch)

    assert archive.pages(keys).keys() == set(keys)


def test_the_agenda_has_what_is_due_first_and_then_what_matters_most(archive: Store) -> None:
    hour = timedelta(hours=1)
    given = {
        "news.example/late": entry("news.example/late", due=NOON + hour, priority=50),
        "news.example/b": entry("news.example/b"),
        "news.example/a": entry("news.example/a"),
        "news.example": entry("news.example", reason=VisitReason.HOME, priority=20, every=3600.0),
    }
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        for key, planned in given.items():
            batch.page(page(key))
            batch.plan(planned)
        writer.commit(batch)

    order = ["news.example", "news.example/a", "news.example/b", "news.example/late"]
    assert [planned.page.key for planned in archive.agenda(SOURCE.key)] == order
    (source,) = archive.status().sources
    assert source.planned == {"home page": 1, "candidate": 3}
    assert (source.next_snapshot, source.sections) == (NOON, 1)


def test_an_article_comes_back_whole(archive: Store) -> None:
    written = article(
        "Ein Titel \ud83d",
        url="https://news.example/a",
        authors=("A", "B"),
        published=NOON.astimezone(timezone(timedelta(hours=2))),
        headings=("H",),
        blocks=(Block(Label.BODY, "text", "/html/p"),),
        images=(Image("https://news.example/i.png", "caption"),),
        topics=("t",),
        paywalled=False,
        verdict=VERDICT,
        evidence={"title": "og:title"},
    )
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        visit = batch.visit("news.example/a", "https://news.example/a", (exchange(b"page"),))
        batch.article("news.example/a", SOURCE.key, written, visit=visit)
        writer.commit(batch)

    (stored,) = archive.articles()

    assert stored.article == written
    assert (stored.key, stored.source, stored.version, stored.visit) == ("news.example/a", SOURCE.key, 1, visit)
    assert (stored.fetched_at, stored.model) == (NOON, "trees-1")
    assert archive.exchange(stored).body == archive.exchange(stored.place).body == b"page"
    assert archive.exchange(stored).asked == exchange().asked


def test_a_version_is_kept_only_if_it_says_something_else(archive: Store) -> None:
    key = "news.example/a"
    with archive.writer() as writer:
        keep(writer, key, b"first", title="First")
        keep(writer, key, b"filed elsewhere", title="First")
        batch = writer.batch()
        visit = batch.visit(key, f"https://{key}", (exchange(b"third"),))
        same = batch.article(key, SOURCE.key, article("First", section="elsewhere"), visit=visit)
        changed = batch.article(key, SOURCE.key, article("Second"), visit=visit)
        again = batch.article(key, SOURCE.key, article("Third"), visit=visit)
        writer.commit(batch)

    assert (same, changed, again) == (False, True, True)
    assert [stored.article.title for stored in archive.versions(key)] == ["First", "Second", "Third"]
    assert [(stored.article.title, stored.version) for stored in archive.articles()] == [("Third", 3)]
    assert harm(archive) == []


def test_articles_come_the_newest_first_and_can_be_selected(archive: Store) -> None:
    other = replace(SOURCE, key="other.example")
    days = {"a": NOON, "b": NOON + timedelta(days=2), "c": None}
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.source(other)
        for name, day in days.items():
            visit = batch.visit(name, f"https://{name}", (exchange(name.encode(), minute=5),))
            source = other.key if name == "a" else SOURCE.key
            batch.article(name, source, article(name, published=day), visit=visit)
        writer.commit(batch)

    assert [stored.key for stored in archive.articles()] == ["b", "c", "a"]
    assert [stored.key for stored in archive.articles(limit=1)] == ["b"]
    assert [stored.key for stored in archive.articles(since=NOON + timedelta(minutes=1))] == ["b", "c"]
    assert [stored.key for stored in archive.articles(source="other.example")] == ["a"]


def test_counters_add_up_over_commits(archive: Store) -> None:
    with archive.writer() as writer:
        for _ in range(2):
            batch = writer.batch()
            batch.source(SOURCE)
            batch.count("failed", "timeout", 2, source=SOURCE.key)
            batch.count("failed", "robots")
            writer.commit(batch)

    assert archive.counters.snapshot() == {Counted("failed", "timeout"): 4, Counted("failed", "robots"): 2}
    status = archive.status()
    assert status.failures == {"timeout": 4, "robots": 2}
    assert status.sources[0].failures == {"timeout": 4}


def test_the_status_counts_what_each_source_brought(archive: Store) -> None:
    with archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        keep(writer, "news.example/a", b"b", title="changed")
        batch = writer.batch()
        batch.page(page("news.example/b", judged=JUDGED))
        batch.member(member("news.example/b"))
        batch.page(page("news.example/of-nobody"))
        batch.plan(entry("news.example/b", every=60.0))
        writer.commit(batch)
        during = archive.status()

    (source,) = during.sources
    assert (source.articles, source.versions, source.visits, source.requests) == (1, 2, 2, 2)
    assert source.bytes == 2 * (1 + sum(len(name) + len(value) + 4 for name, value in exchange().headers))
    assert source.pages == {"unjudged": {"fetched": 1}, "article": {"known": 1}}
    assert (source.in_state("known"), source.sections, during.commits) == (1, 1, 3)
    assert source.next_snapshot is None
    assert during.holder is not None
    assert during.disk["warc"] > 0
    assert archive.status().holder is None


def test_what_is_not_committed_is_not_there(archive: Store) -> None:
    with archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page())
        batch.visit("news.example", "https://news.example/", (exchange(),), links=links("a"))

    assert archive.sources() == []
    assert archive.visits().count_rows() == archive.occurrences().count_rows() == 0
    assert list((archive.folder / "warc").iterdir()) == []


def test_an_empty_batch_writes_nothing(archive: Store) -> None:
    with archive.writer() as writer:
        writer.commit(writer.batch())

    assert archive.status().commits == 0
    assert list(archive.folder.glob("*/*")) == []


def test_an_archive_is_read_from_a_path_of_any_letters(tmp_path: Path) -> None:
    with Store.open(tmp_path / "ä ?#%41", create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")

    with Store.open(str(tmp_path / "ä ?#%41")) as archive:
        assert len(list(archive.articles())) == 1
