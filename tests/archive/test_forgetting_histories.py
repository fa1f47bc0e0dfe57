"""What is not forgotten stays as it was, after any history of an archive."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from broadsheet.archive import Store, repair
from broadsheet.archive.compaction import GRACE
from broadsheet.base.clock import ManualClock, SystemClock
from tests.archive.forgotten import addresses, forget_
from tests.archive.rereaders import NothingRead
from tests.archive.samples import FETCHED, SOURCE, exchange, harm, links, member, page

KEY = st.sampled_from([f"news.example/{name}" for name in "abcde"])
COMMITS = st.lists(st.lists(st.tuples(KEY, st.integers(0, 2), st.booleans()), min_size=1, max_size=4), max_size=6)


@given(COMMITS, st.sets(KEY, max_size=3), st.lists(st.sampled_from(["merge", "purge", "repair"]), max_size=3))
@example(
    [[("news.example/a", 0, False)], [("news.example/a", 0, False), ("news.example/b", 0, True)]],
    {"news.example/a"},
    ["repair", "purge"],
)
@example(
    [[("news.example/a", 0, False)], [("news.example/b", 0, False), *[("news.example/c", 0, False)] * 3]],
    {"news.example/a"},
    ["merge"],
)
@settings(max_examples=15, deadline=None)
def test_what_is_not_forgotten_stays_as_it_was(
    commits: list[list[tuple[str, int, bool]]], forgotten: set[str], then: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        with Store.open(folder, create=True) as archive:
            bodies = dict(committed(archive, commits))
            places = {row["visit"]: row for row in archive.visits().to_table().to_pylist()}
            known = forgotten & {row["page"] for row in places.values()}
            if known:
                forget_(archive, *known)
        kept = {visit: body for visit, body in bodies.items() if places[visit]["page"] not in known}
        for step in then:
            tidy(Path(folder), step)

        with Store.open(folder) as archive:
            rows = archive.visits().to_table().to_pylist()
            assert {row["visit"]: archive.exchange(row["visit"]).body for row in rows} == kept
            assert {row["page"] for row in rows}.isdisjoint(known)
            targets = archive.occurrences().to_table()
            assert {*targets["page"].to_pylist(), *targets["target"].to_pylist()}.isdisjoint(known)
            if "purge" in then:
                assert addresses(Path(folder)).isdisjoint(known)
            assert harm(archive) == []


def committed(archive: Store, commits: list[list[tuple[str, int, bool]]]) -> Iterator[tuple[int, bytes]]:
    """Commit visits, some of which repeat the last, and some of which were redirected; give their bodies."""
    with archive.writer(most_files=3) as writer:
        for visits in commits:
            batch = writer.batch()
            batch.source(SOURCE)
            for key, content, is_redirected in visits:
                url, body = f"https://{key}", f"{key} {content}".encode()
                batch.page(page(key, fetch=FETCHED))
                batch.member(member(key))
                redirect = (exchange(b"", f"https://{key}/old", 301),) if is_redirected else ()
                found = links("news.example/a", f"{key}/next")
                visit = batch.visit(key, url, (*redirect, exchange(body, url)), links=found, source=SOURCE.key)
                yield visit, body
            writer.commit(batch)


def tidy(folder: Path, step: str) -> None:
    """Merge, purge or repair an archive."""
    if step == "repair":
        repair(folder, NothingRead(), SystemClock(), lambda _: None)
        return
    clock = ManualClock(SystemClock().now())
    with Store.open(folder) as archive, archive.writer(machine=clock, most_files=1) as writer:
        if step == "purge":
            writer.purge()
        else:
            batch = writer.batch()
            batch.count("something")
            writer.commit(batch)
            clock.advance(GRACE * 2)
            writer.heartbeat()
