"""The index of words: it finds what a plain scan finds, and follows the catalogue whatever happens to either."""

import sqlite3
import threading
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broadsheet.archive import Store, Writer
from broadsheet.archive.article_filter import ArticleFilter
from broadsheet.archive.folder import SEARCH
from broadsheet.archive.text_index import discard
from broadsheet.base.errors import InputError
from broadsheet.base.records import Article
from broadsheet.base.search_query import SearchQuery
from tests.archive.samples import NOON, SOURCE, article, exchange


def put(writer: Writer, *articles: tuple[str, Article]) -> None:
    """Commit articles, each under its key."""
    batch = writer.batch()
    batch.source(SOURCE)
    for key, each in articles:
        body = f"{key} {each.title} {each.body}".encode("utf-8", "replace")
        visit = batch.visit(key, f"https://{key}", (exchange(body),), source=SOURCE.key)
        batch.article(key, SOURCE.key, each, visit=visit)
    writer.commit(batch)


def keys(archive: Store, *words: str, **options: object) -> list[str]:
    return [stored.key for stored in archive.articles(words=words, **options)]  # type: ignore[arg-type]


def with_articles(archive: Store, texts: Sequence[str]) -> None:
    with archive.writer() as writer:
        put(writer, *((str(number), article(text, text)) for number, text in enumerate(texts)))


VOCABULARY = (
    "bridge",
    "Brücke",
    "harbour",
    "Hafen",
    "東京",
    "東",
    "京都",
    "don't",
    "e\u0301te",
    "ÉTÉ",
    "서울",
    "x-1",
    "हिन्दी",
)
TEXTS = st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join)
TERMS = st.builds(
    lambda minus, words, quoted, star: f'{minus}"{" ".join(words)}"{star}' if quoted else f"{minus}{words[0]}{star}",
    st.sampled_from(("", "", "", "-")),
    st.lists(st.sampled_from((*VOCABULARY, "bri", "har", "ha")), min_size=1, max_size=3),
    st.booleans(),
    st.sampled_from(("", "*")),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8), st.lists(TERMS, min_size=1, max_size=4), st.booleans()
)
def test_a_search_finds_what_a_plain_scan_finds(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]], terms: list[str], best_first: bool
) -> None:
    with Store.open(tmp_path_factory.mktemp("news"), create=True) as archive:
        with archive.writer() as writer:
            put(writer, *((str(number), article(*pair)) for number, pair in enumerate(texts)))
        try:
            choice = ArticleFilter(query=SearchQuery.parse(" ".join(terms)))
        except InputError:
            return

        found = keys(archive, *terms, best_first=best_first)

        expected = [stored.key for stored in archive.articles() if choice.matches(stored.article)]
        assert sorted(found) == sorted(expected)
        assert best_first or found == expected


def test_articles_that_came_since_the_last_search_are_found(archive: Store) -> None:
    with_articles(archive, ["old bridge"])
    assert keys(archive, "bridge") == ["0"]

    with archive.writer() as writer:
        put(writer, ("new", article("new bridge")))

    assert sorted(keys(archive, "bridge")) == ["0", "new"]


def test_only_the_newest_version_is_found(archive: Store) -> None:
    with archive.writer() as writer:
        put(writer, ("a", article("Draft", "the bridge is closed")))
        assert keys(archive, "closed") == ["a"]
        put(writer, ("a", article("Final", "the bridge is open")))

    assert keys(archive, "closed") == keys(archive, "closed", best_first=True) == []
    assert keys(archive, "open") == ["a"]


def test_the_best_match_comes_first_if_asked_for(archive: Store) -> None:
    long = "bridge " + "word " * 200
    with archive.writer() as writer:
        put(writer, ("weak", article("W", long, published=NOON)), ("strong", article("bridge", "bridge bridge")))

    assert keys(archive, "bridge", best_first=True) == ["strong", "weak"]
    assert keys(archive, "bridge", best_first=True, limit=1) == ["strong"]


def test_a_ranked_search_looks_on_while_filters_leave_too_few(archive: Store) -> None:
    day = timedelta(days=1)
    with archive.writer() as writer:
        better = [(f"b{number}", article("bridge", f"bridge {number}", published=NOON - day)) for number in range(300)]
        put(writer, *better, ("wanted", article("W", "one bridge " + "word " * 50, published=NOON + day)))

    assert keys(archive, "bridge", best_first=True, limit=1, since=NOON) == ["wanted"]


def test_of_very_many_matches_the_newest_are_ranked(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.archive.text_index.MAX_RANKED", 2)
    with_articles(archive, ["bridge", "a bridge", "another bridge again"])

    assert keys(archive, "bridge", best_first=True) == ["1", "2"]


def test_many_matches_are_given_newest_first_up_to_the_limit(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with archive.writer() as writer:
        moments = [NOON + timedelta(hours=number * 7 % 30) for number in range(30)]
        put(writer, *((str(n), article("bridge", f"{n}", published=moment)) for n, moment in enumerate(moments)))
    few = keys(archive, "bridge", limit=7)

    monkeypatch.setattr("broadsheet.archive.article_rows.FEW", 5)

    assert keys(archive, "bridge", limit=7) == few
    assert keys(archive, "bridge") == keys(archive)


@pytest.mark.parametrize("bytes_", [b"", b"not a database at all", b"SQLite format 3\x00" + b"\x07" * 4000])
def test_a_damaged_index_is_reported_as_harmless_and_made_anew(archive: Store, bytes_: bytes) -> None:
    with_articles(archive, ["bridge"])
    keys(archive, "bridge")
    discard(archive.folder)
    (archive.folder / SEARCH).write_bytes(bytes_)

    problems = list(archive.check())

    assert [(problem.where, problem.harmless) for problem in problems] == [(SEARCH, True)]
    assert keys(archive, "bridge") == ["0"]
    assert list(archive.check()) == []


def test_an_index_of_articles_that_are_gone_is_made_anew(archive: Store) -> None:
    with_articles(archive, ["bridge one", "bridge two", "bridge three"])
    assert len(keys(archive, "bridge")) == 3

    with sqlite3.connect(archive.folder / "catalogue.sqlite") as connection:
        connection.execute("DELETE FROM versions WHERE key = '1'")

    assert sorted(keys(archive, "bridge")) == ["0", "2"]
    with sqlite3.connect(archive.folder / SEARCH) as connection:
        assert connection.execute("SELECT count(*) FROM words WHERE words MATCH 'two'").fetchone() == (0,)


def test_the_index_of_another_archive_is_not_used(archive: Store, tmp_path: Path) -> None:
    with_articles(archive, ["bridge"])
    with Store.open(tmp_path / "other", create=True) as other:
        with_articles(other, ["tunnel"])
        keys(other, "tunnel")
        (archive.folder / SEARCH).write_bytes((other.folder / SEARCH).read_bytes())

    assert (keys(archive, "bridge"), keys(archive, "tunnel")) == (["0"], [])


def test_an_interrupted_indexing_goes_on_where_it_was(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.archive.text_index._AT_ONCE", 2)
    with_articles(archive, [f"bridge {number}" for number in range(7)])
    steps: list[tuple[int, int]] = []

    def interrupt(done: int, total: int) -> None:
        steps.append((done, total))
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        archive.refresh_index(interrupt)
    archive.refresh_index(lambda done, total: steps.append((done, total)))

    assert steps == [(2, 7), (4, 7), (2, 3), (3, 3)]
    assert len(keys(archive, "bridge")) == 7


def test_a_transaction_that_fails_leaves_nothing_behind(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with_articles(archive, ["bridge one", "bridge two"])
    with monkeypatch.context() as patched:
        patched.setattr("broadsheet.archive.text_index._values", lambda _: ("too", "few"))
        # Every search still gives the right answer, by reading the articles.
        assert len(keys(archive, "bridge")) == 2

    assert len(keys(archive, "bridge")) == 2
    assert list(archive.check()) == []


def test_two_that_index_at_the_same_time_index_everything_once(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.archive.text_index._AT_ONCE", 5)
    with_articles(archive, [f"bridge {number}" for number in range(100)])
    threads = [threading.Thread(target=archive.refresh_index) for _ in range(2)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with sqlite3.connect(archive.folder / SEARCH) as connection:
        assert connection.execute("SELECT count(*) FROM words_docsize").fetchone() == (100,)
    assert len(keys(archive, "bridge")) == 100


def test_indexing_can_be_done_in_small_portions(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broadsheet.archive.text_index._AT_ONCE", 2)
    with_articles(archive, [f"bridge {number}" for number in range(5)])

    assert not (archive.folder / SEARCH).exists()
    assert [archive.refresh_index(most=2), archive.refresh_index(most=2), archive.refresh_index(most=2)] == [
        False,
        False,
        True,
    ]


def test_without_a_place_for_an_index_the_articles_are_read(archive: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with_articles(archive, ["bridge", "tunnel"])
    monkeypatch.setattr("os.access", lambda *_: False)

    assert keys(archive, "bridge") == ["0"]
    assert not (archive.folder / SEARCH).exists()


def test_a_damaged_article_is_left_out_of_the_index_and_of_the_results(archive: Store) -> None:
    with_articles(archive, ["bridge one", "bridge two"])
    with sqlite3.connect(archive.folder / "catalogue.sqlite") as connection:
        connection.execute("UPDATE versions SET article = '{}' WHERE key = '0'")

    assert keys(archive, "bridge") == ["1"]
    assert keys(archive, "bridge") == ["1"]
