"""Articles that tell one story are linked when they are committed, whatever becomes of them, and none is dropped."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from broadsheet.archive import NearDuplicate, Store, Writer, likeness_index, repair, tables
from broadsheet.archive.database import Database
from broadsheet.base.clock import SystemClock
from tests.archive.old_layouts import make_layout_4
from tests.archive.rereaders import NothingRead
from tests.archive.samples import FETCHED, OTHER, SOURCE, article, exchange, member, page

AGENCY, COPY, UNRELATED = "agency.example/story", "paper.example/kurz", "paper.example/other"


def words(start: int, end: int) -> str:
    return " ".join(f"word{number}" for number in range(start, end))


def keep(writer: Writer, *articles: tuple[str, str]) -> None:
    """Commit articles, given by key and body, in one batch."""
    batch = writer.batch()
    batch.source(SOURCE)
    batch.source(OTHER)
    for key, body in articles:
        batch.page(page(key, fetch=FETCHED))
        batch.member(member(key))
        answer = exchange((key + body).encode(), f"https://{key}")
        visit = batch.visit(key, answer.url, (answer,), source=SOURCE.key)
        batch.article(key, SOURCE.key, article(key, body), visit=visit)
    writer.commit(batch)


def keys(archive: Store, key: str) -> list[str]:
    return [near.key for near in archive.near_duplicates(key)]


@pytest.mark.parametrize("at_once", [True, False], ids=["in one batch", "in batches of their own"])
def test_a_shortened_copy_on_another_site_is_linked_both_ways(tmp_path: Path, at_once: bool) -> None:
    articles = [(AGENCY, words(0, 400)), (UNRELATED, words(1000, 1400)), (COPY, words(0, 150))]
    with Store.open(tmp_path, create=True) as archive:
        with archive.writer() as writer:
            for some in [articles] if at_once else [[one] for one in articles]:
                keep(writer, *some)

        [near] = archive.near_duplicates(f"https://{AGENCY}")
        assert (near.key, near.url, near.source) == (COPY, f"https://{COPY}", SOURCE.key)
        assert near.containment == 1.0
        assert near.resemblance < 0.5
        assert keys(archive, COPY) == [AGENCY]
        assert keys(archive, UNRELATED) == []
        assert {stored.key: stored.story for stored in archive.articles()} == {
            AGENCY: AGENCY,
            COPY: AGENCY,
            UNRELATED: UNRELATED,
        }
        assert [stored.key for stored in archive.articles(distinct=True)] == [AGENCY, UNRELATED]
        assert [stored.key for stored in archive.articles(similar_to=AGENCY)] == [COPY]
        assert list(archive.check()) == []


def test_an_article_that_is_revised_leaves_its_story(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        keep(writer, (AGENCY, words(0, 400)))
        keep(writer, (COPY, words(0, 300)))
        assert keys(archive, AGENCY) == [COPY]

        keep(writer, (COPY, words(2000, 2400)))
        assert keys(archive, AGENCY) == keys(archive, COPY) == []

        keep(writer, (COPY, "Too short."))
        keep(writer, (AGENCY, words(2000, 2400)))
        assert keys(archive, AGENCY) == []

        keep(writer, (COPY, words(2000, 2400)))
        assert keys(archive, AGENCY) == [COPY]


def test_articles_that_share_a_round_up_are_not_copies_of_each_other(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        keep(writer, (AGENCY, words(0, 150)))
        keep(writer, ("round.example/up", words(0, 150) + " " + words(500, 650)))
        keep(writer, (COPY, words(500, 650)))

        assert keys(archive, AGENCY) == keys(archive, COPY) == ["round.example/up"]
        assert set(keys(archive, "round.example/up")) == {AGENCY, COPY}


def test_the_index_stays_bounded_however_many_articles_share_a_text(tmp_path: Path) -> None:
    number = 5 * likeness_index.ARTICLES_PER_HASH
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        for start in range(0, number, 10):
            keep(writer, *((f"site{count}.example/a", words(0, 300)) for count in range(start, start + 10)))

        assert len(archive.near_duplicates("site3.example/a")) == number - 1
        entries = archive._ask(
            lambda connection: connection.execute(select(func.count()).select_from(tables.sketch_hashes))
        )
        assert entries.scalar_one() == likeness_index.HASHES * likeness_index.ARTICLES_PER_HASH


def test_a_story_survives_the_article_that_told_it_first(tmp_path: Path) -> None:
    others = ["b.example/a", "c.example/a"]
    with Store.open(tmp_path, create=True) as archive:
        with archive.writer() as writer:
            keep(writer, *((key, words(0, 300)) for key in (AGENCY, *others)))
        database = Database(tmp_path, writable=True)
        with database.writing() as connection:
            likeness_index.forget(connection, [AGENCY])
        database.close()

        assert keys(archive, AGENCY) == []
        assert keys(archive, others[0]) == [others[1]]
        assert {stored.story for stored in archive.articles() if stored.key != AGENCY} == {others[0]}


@pytest.mark.parametrize("how", ["repair", "migration"])
def test_stories_are_found_again_in_the_articles_themselves(tmp_path: Path, how: str) -> None:
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        keep(writer, (AGENCY, words(0, 400)), (UNRELATED, words(1000, 1400)), (COPY, words(0, 150)))

    if how == "repair":
        repair(tmp_path, NothingRead(), SystemClock(), lambda _: None)
    else:
        make_layout_4(tmp_path)

    with Store.open(tmp_path) as archive:
        assert keys(archive, AGENCY) == [COPY]
        assert keys(archive, UNRELATED) == []


def test_a_forgotten_article_leaves_the_index_and_the_others_still_tell_its_story(tmp_path: Path) -> None:
    third = "third.example/story"
    with Store.open(tmp_path, create=True) as archive:
        with archive.writer() as writer:
            keep(writer, (AGENCY, words(0, 400)), (COPY, words(0, 300)), (third, words(0, 200)))
            writer.forget(archive.plan_forgetting(AGENCY))

        assert keys(archive, AGENCY) == []
        assert keys(archive, COPY) == [third]
        assert {stored.story for stored in archive.articles()} == {COPY}
        assert list(archive.check()) == []


def test_more_near_duplicates_than_a_statement_takes_values_can_be_selected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = [
        NearDuplicate(key=f"x.example/{n}", url="", source="", resemblance=1, containment=1) for n in range(300_000)
    ]
    with Store.open(tmp_path, create=True) as archive:
        with archive.writer() as writer:
            keep(writer, (AGENCY, words(0, 400)), ("x.example/7", words(0, 300)))
        monkeypatch.setattr(archive, "near_duplicates", lambda _: near)

        assert [stored.key for stored in archive.articles(similar_to=AGENCY)] == ["x.example/7"]
