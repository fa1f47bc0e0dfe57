"""No page takes a reader down: time and memory are bounded, whatever a page holds."""

import pytest

import broadsheet
from broadsheet.base.errors import TooManyLines
from broadsheet.reading.paragraphs import MAX_LINES
from tests.limits.measuring import Taken, measure_apart
from tests.limits.worst_pages import PARAGRAPH, WORST

#: On an idle machine a page takes at most a second (docs/explanation/limits.md); tests do not have such a machine.
SECONDS, TIMES_LXML = 3.0, 12.0
MEGABYTES = 600.0


@pytest.fixture(scope="module")
def taken() -> dict[str, Taken]:
    return measure_apart(WORST)


@pytest.mark.parametrize("name", WORST)
def test_the_worst_pages_are_read_or_refused_in_little_time_and_memory(taken: dict[str, Taken], name: str) -> None:
    found = taken[name]

    assert found.seconds < max(SECONDS, TIMES_LXML * found.lxml_seconds)
    assert found.megabytes < MEGABYTES


@pytest.mark.parametrize(
    "page",
    [
        PARAGRAPH * (MAX_LINES + 1),
        b"<p>" + b"A line of text<br>" * (MAX_LINES + 1),
        b"<pre>" + b"x\n" * (MAX_LINES + 2),
    ],
    ids=["paragraphs", "lines", "lines as they are written"],
)
def test_what_has_more_lines_than_any_article_is_refused(page: bytes) -> None:
    with pytest.raises(TooManyLines, match=r"number of lines of text is 20,00\d or more"):
        broadsheet.extract(page, force=True)


def test_as_many_lines_as_are_allowed_are_read() -> None:
    article = broadsheet.extract(PARAGRAPH * MAX_LINES, force=True)

    assert article is not None
    assert article.body.count("\n\n") == MAX_LINES - 1
