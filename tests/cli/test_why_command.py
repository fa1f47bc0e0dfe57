"""`why`: one sentence that says whether a page is archived and why, then everything that is known of it."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import (
    ArchiveEvent,
    EventKind,
    FetchRecord,
    FrontRecord,
    OpenLook,
    PageState,
    SourceRecord,
    Store,
    VerdictRecord,
    VisitReason,
    Writer,
)
from broadsheet.base import reasons
from broadsheet.base.incident import Incident
from broadsheet.base.records import Verdict
from tests.archive.samples import (
    FETCHED,
    JUDGED,
    NOON,
    SOURCE,
    article,
    entry,
    exchange,
    links,
    member,
    page,
)
from tests.cli.conftest import Outcome

Run = Callable[..., Outcome]
HOUR = timedelta(hours=1)
SECTION = Verdict("section", None, 0.93, {"section": 0.93, "article": 0.07}, ("many links",), "trees-1")


def visit_front(writer: Writer, body: bytes, minute: int, *targets: str) -> None:
    """Commit one visit to the section `news.example/world`."""
    batch = writer.batch()
    batch.source(SOURCE)
    batch.page(page("news.example/world", fetch=FETCHED, judged=VerdictRecord(verdict=SECTION, at=NOON)))
    batch.member(member("news.example/world"))
    batch.plan(entry("news.example/world", reason=VisitReason.SECTION, every=3600.0))
    answer = exchange(body, "https://news.example/world", minute=minute)
    batch.visit("news.example/world", answer.url, (answer,), links=links(*targets), source=SOURCE.key)
    writer.commit(batch)


def archive_story(writer: Writer, key: str = "news.example/world/story") -> None:
    """Commit an article in two versions, found on the section."""
    for minute, title in ((10, "Draft"), (70, "Final")):
        batch = writer.batch()
        batch.page(page(key, fetch=FETCHED, judged=JUDGED))
        batch.member(member(key, found_on="news.example/world", anchor="To the story"))
        answer = exchange(title.encode(), f"https://{key}", minute=minute)
        why = VisitReason.CANDIDATE if title == "Draft" else VisitReason.REVISION
        visit = batch.visit(key, answer.url, (answer,), source=SOURCE.key, why=why)
        batch.article(key, SOURCE.key, article(title), visit=visit)
        kind = EventKind.NEW_ARTICLE if title == "Draft" else EventKind.REVISION
        batch.event(ArchiveEvent(kind=kind, at=answer.at, source=SOURCE.key, page=key, detail={"title": title}))
        writer.commit(batch)


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """An archive with a section that was visited three times, and the article that it linked to twice."""
    with Store.open(tmp_path / "news", create=True) as archive, archive.writer() as writer:
        visit_front(writer, b"one", 0, "news.example/world/story", "news.example/about")
        archive_story(writer)
        visit_front(writer, b"one", 60, "news.example/world/story", "news.example/about")
        visit_front(writer, b"two", 120, "news.example/about")
    return tmp_path / "news"


def add(folder: Path, key: str, **values: object) -> None:
    """Add a page that belongs to the source."""
    with Store.open(folder) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.page(page(key, **values))
        batch.member(member(key, found_on="news.example/world"))
        writer.commit(batch)


def summary(run: Run, folder: Path, url: str) -> str:
    return str(run("why", folder, url).rows[0]["summary"])


def test_an_archived_page_says_when_and_why(run: Run, news: Path) -> None:
    outcome = run("why", news, "http://www.news.example/world/story?utm_source=x")

    [row] = outcome.rows
    assert outcome.code == 0
    assert row["summary"] == (
        "Archived on 2026-03-02 12:10 UTC, in 2 versions, the last on 2026-03-02 13:10 UTC, because"
        " news.example/world linked to it on 2026-03-02 12:00 UTC and it was judged an article (p=0.75)."
    )
    assert [version["title"] for version in row["versions"]] == ["Draft", "Final"]
    assert [(visit["why"], visit["status"]) for visit in row["visits"]] == [("candidate", 200), ("revision", 200)]
    assert row["verdict"]["evidence"] == {"link": {"article": 0.6}, "page": {"article": 0.9}}
    assert [event["kind"] for event in row["events"]] == ["new article", "revision"]


def test_a_section_tells_of_the_look_at_its_further_pages_that_has_not_ended(run: Run, news: Path) -> None:
    look = OpenLook(page="news.example/world?page=2", number=2, since=NOON, begun=NOON + HOUR)
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.front(FrontRecord(source=SOURCE.key, page="news.example/world", looks=(look,)))
        writer.commit(batch)

    [row] = run("why", news, "https://news.example/world").rows

    [front] = row["fronts"]
    times = {"since": NOON.isoformat(), "begun": (NOON + HOUR).isoformat()}
    assert front["looks"] == [{"page": "news.example/world?page=2", "number": 2, **times}]


def test_links_are_summed_by_page_and_last_as_long_as_the_page_was_unchanged(run: Run, news: Path) -> None:
    [row] = run("why", news, "https://news.example/world/story").rows

    [link] = row["links"]
    assert (link["page"], link["visits"], link["anchors"]) == (
        "news.example/world",
        2,
        ["To news.example/world/story"],
    )
    assert (link["first_seen"], link["last_seen"]) == (NOON.isoformat(), (NOON + HOUR).isoformat())
    assert row["all_links"] is True


def test_on_a_terminal_the_sentence_comes_first_and_the_rest_in_plain_words(run: Run, news: Path) -> None:
    shown = run("why", news, "https://news.example/world/story", terminal=True).out

    assert shown.startswith("https://news.example/world/story: Archived on 2026-03-02 12:10 UTC")
    for part in (
        'found: for news.example on 2026-03-02 12:00:00, on news.example/world as "To the story"',
        "judged: article (news), p=0.75, by trees-1",
        "evidence: page gives article 0.90",
        "fetched: 2026-03-02 12:10:00 (candidate): status 200",
        "version 2: 2026-03-02 13:10:00, 2 words",
        "event: revision",
    ):
        assert part in shown


@pytest.mark.parametrize("address", [" ", "a story about harbours"])
def test_what_is_not_an_address_is_refused(run: Run, news: Path, address: str) -> None:
    outcome = run("why", str(news), address)

    assert (outcome.code, outcome.out) == (2, "")
    assert "is not an address; give that of a page" in outcome.err


def test_the_format_can_be_chosen(run: Run, news: Path) -> None:
    text = run("why", news, "news.example/world/story", "-f", "text")
    row = run("why", news, "news.example/world/story", "-f", "jsonl", terminal=True)

    assert text.out.startswith("https://news.example/world/story: Archived on ")
    assert json.loads(row.out)["archived"] is True


def test_a_section_is_said_to_be_visited_for_its_links(run: Run, news: Path) -> None:
    assert summary(run, news, "news.example/world") == (
        "Not archived: it is a section (p=0.93), which is visited every 1 h for links to articles."
    )
    [row] = run("why", news, "news.example/world").rows
    assert [visit["same_as"] for visit in row["visits"]] == [None, row["visits"][0]["visit"], None]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Not archived: it was never asked for."),
        (
            {"judged": VerdictRecord(verdict=SECTION, at=NOON)},
            "Not archived: it was never asked for; judged a section (p=0.93, many links) on 2026-03-02 12:00 UTC.",
        ),
        (
            {"fetch": FETCHED, "judged": VerdictRecord(verdict=replace(SECTION, kind="other", reasons=()), at=NOON)},
            "Not archived: judged other (p=0.93) on 2026-03-02 12:00 UTC.",
        ),
        ({"fetch": FETCHED}, "Not archived: it was not judged."),
        ({"fetch": FetchRecord(state=PageState.GONE)}, "Not archived: it was gone."),
        (
            {"fetch": FetchRecord(state=PageState.FAILED, attempts=3)},
            "Not archived: it could not be fetched or read after 3 attempts.",
        ),
    ],
)
def test_a_page_without_an_article_says_why(run: Run, news: Path, values: dict[str, object], said: str) -> None:
    add(news, "news.example/page", **values)

    assert summary(run, news, "https://news.example/page") == said


def test_a_page_that_waits_says_for_when(run: Run, news: Path) -> None:
    add(news, "news.example/soon")
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.plan(entry("news.example/soon", due=NOON + 3 * HOUR))
        batch.incident(
            SOURCE.key, "failed", Incident("https://news.example/soon", reasons.TIMEOUT, "took too long", NOON)
        )
        writer.commit(batch)

    assert summary(run, news, "news.example/soon") == (
        "Not archived yet: it is to be fetched on 2026-03-02 15:00 UTC (reason: candidate);"
        " the last problem: took too long."
    )


def test_a_page_that_is_gone_says_what_was_answered(run: Run, news: Path) -> None:
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.page(page("news.example/gone", fetch=FetchRecord(state=PageState.GONE)))
        answer = exchange(b"", "https://news.example/gone", status=404, minute=5)
        batch.visit("news.example/gone", answer.url, (answer,), source=SOURCE.key, why=VisitReason.CANDIDATE)
        writer.commit(batch)

    assert summary(run, news, "news.example/gone") == "Not archived: it was gone (status 404) on 2026-03-02 12:05 UTC."


def test_a_duplicate_leads_to_its_original_and_back(run: Run, news: Path) -> None:
    copied = FetchRecord(state=PageState.DUPLICATE, fetched_at=NOON)
    add(news, "news.example/copy", fetch=copied, duplicate_of="news.example/world/story")

    [copy], [original] = (run("why", news, f"news.example/{path}").rows for path in ("copy", "world/story"))

    assert copy["summary"] == (
        "Not archived at this address: it is a duplicate of news.example/world/story,"
        " which was archived on 2026-03-02 12:10 UTC."
    )
    assert copy["original"]["archived"] is True
    assert original["copies"] == ["news.example/copy"]


def test_a_page_that_was_never_seen_gets_the_nearest_addresses_and_its_source(run: Run, news: Path) -> None:
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.count("skipped", "too many new links in a day", 12, source=SOURCE.key)
        batch.page(page("elsewhere.example/world/stories"))
        writer.commit(batch)

    [row] = run("why", news, "https://news.example/world/stori").rows
    shown = run("why", news, "https://news.example/world/stori", terminal=True).out

    assert row["summary"] == "Never seen: no visited page of the source news.example has linked to it."
    assert row["near"][0] == "news.example/world/story"
    assert all(key.startswith("news.example") for key in row["near"])
    assert row["dropped"] == {"too many new links in a day": 12}
    assert "left out by its source: too many new links in a day (12)" in shown
    assert "near: news.example/world/story" in shown


def test_a_link_that_was_left_out_is_found_in_the_link_occurrences(run: Run, news: Path) -> None:
    [row] = run("why", news, "https://news.example/about").rows

    assert row["summary"].startswith("Not archived: linked on news.example/world, but left out")
    assert row["links"][0]["visits"] == 3


def test_an_address_of_no_source_is_said_to_be_of_none(run: Run, news: Path) -> None:
    assert summary(run, news, "https://unknown.example/") == (
        "Never seen: no source of this archive is at the site of https://unknown.example/."
    )


def test_a_paused_source_is_named_as_such(run: Run, news: Path) -> None:
    with Store.open(news) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SourceRecord(key="other.example", url="https://other.example/", name="O", added_at=NOON))
        batch.source(replace(SOURCE, state="paused"))
        writer.commit(batch)

    assert "the source news.example, which is paused, has" in summary(run, news, "news.example/xyz")
