"""A writer remembers the pages that it saw last, and no more than there is room for."""

from broadsheet.archive.recent_rows import Memory
from tests.archive.samples import page


def test_the_pages_seen_last_are_remembered() -> None:
    memory = Memory(most=4)
    for key in "abcd":
        memory.remember({key: page(key)})

    memory.remember({"a": page("a")})
    for key in "ef":
        memory.remember({key: page(key)})

    assert memory.page("f") == page("f")
    assert memory.page("b") is None
    assert len(memory.pages("abcdef")) <= 4


def test_contents_are_bounded_too() -> None:
    memory = Memory(most=4)

    for key in "abcdefgh":
        memory.remember_content(key, None)

    assert memory.knows("h")
    assert sum(map(memory.knows, "abcdefgh")) <= 4
