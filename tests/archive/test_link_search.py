"""Which pages linked to a page, as the link occurrences say, without reading all of them."""

from datetime import timedelta

from broadsheet.archive import Store, Writer
from broadsheet.archive.link_search import links_to
from tests.archive.samples import NOON, SOURCE, exchange, links


def visit(writer: Writer, page: str, minute: int, *targets: str) -> None:
    """Commit one visit with links, in files of its own."""
    batch = writer.batch()
    batch.source(SOURCE)
    answer = exchange(f"{page} {minute}".encode(), f"https://{page}", minute=minute)
    batch.visit(page, answer.url, (answer,), links=links(*targets), source=SOURCE.key)
    writer.commit(batch)


def test_no_more_rows_are_searched_than_allowed_and_that_is_said(archive: Store) -> None:
    with archive.writer() as writer:
        for minute in range(4):
            visit(writer, f"news.example/{minute}", minute, "news.example/a", "news.example/b")

    def found(since: int | None, most_rows: int) -> tuple[list[str], bool]:
        moment = None if since is None else NOON + timedelta(minutes=since)
        answer = links_to(archive.folder, archive._ask, "news.example/a", moment, most_rows)
        return [link.page[-1] for link in answer.links], answer.is_complete

    assert found(0, 8) == (["0", "1", "2", "3"], True)
    assert found(0, 7) == (["0", "1", "2"], False)
    assert found(2, 8) == (["2", "3"], True)
    assert found(None, 4) == (["2", "3"], False)
    assert found(None, 1) == (["3"], False)


def test_a_page_that_nothing_links_to_has_no_links(archive: Store) -> None:
    with archive.writer() as writer:
        visit(writer, "news.example", 0, "news.example/a")

    assert links_to(archive.folder, archive._ask, "news.example/x", NOON).links == ()
    assert links_to(archive.folder, archive._ask, "news.example/a", NOON + timedelta(hours=1)).links == ()
