from datetime import UTC, datetime

from broadsheet.archive.archive_records import FetchRecord, PageRecord
from broadsheet.archive.catalogue import LastContent
from broadsheet.archive.recent_rows import Memory

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def page(key: str, attempts: int = 0) -> PageRecord:
    return PageRecord(key=key, url=f"http://{key}", fetch=FetchRecord(attempts=attempts))


def test_what_was_seen_last_is_remembered() -> None:
    memory = Memory()
    memory.remember({"a.example/1": page("a.example/1")})
    memory.remember({"a.example/1": page("a.example/1", attempts=7)})

    assert memory.pages(["a.example/1", "a.example/2"]) == {"a.example/1": page("a.example/1", attempts=7)}


def test_that_a_page_has_no_content_is_remembered_too() -> None:
    memory = Memory()
    content = LastContent(3, "sha1:A", "http://a.example/1", NOON)
    memory.remember_content("a.example/1", content)
    memory.remember_content("a.example/2", None)

    assert memory.content("a.example/1") == content
    assert memory.knows("a.example/2")
    assert memory.content("a.example/2") is None
    assert not memory.knows("a.example/3")


def test_a_full_memory_begins_anew() -> None:
    memory = Memory(most=2)
    for number in range(3):
        memory.remember({str(number): page(str(number))})
        memory.remember_content(str(number), None)

    assert set(memory.pages(["0", "1", "2"])) == {"2"}
    assert [memory.knows(str(number)) for number in range(3)] == [False, False, True]
