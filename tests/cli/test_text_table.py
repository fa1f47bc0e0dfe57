import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.cli.text_table import Row, cell, clean, clip, fit, render, width, wrap


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("news", 4),
        ("Ειδήσεις", 8),
        ("日本語", 6),
        ("e\u0301", 1),
        ("ニュース", 8),
        ("👩\u200d🚀", 4),
        ("", 0),
    ],
)
def test_wide_characters_count_twice_and_combining_marks_not_at_all(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "clipped"),
    [
        ("harbour", 7, "harbour"),
        ("harbour", 4, "har…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_a_text_is_clipped_to_its_columns(text: str, columns: int, clipped: str) -> None:
    assert clip(text, columns) == clipped


@given(st.text(), st.integers(0, 30))
def test_no_clipped_text_is_too_wide(text: str, columns: int) -> None:
    assert width(clip(text, columns)) <= columns
    assert width(clip(text, columns, keep_end=True)) <= columns


@pytest.mark.parametrize(
    ("text", "columns", "clipped"),
    [
        ("harbour", 7, "harbour"),
        ("harbour", 4, "…our"),
        ("日本語", 5, "…本語"),
        ("日本語", 4, "…語"),
        ("xe\u0301a", 2, "…a"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_a_text_can_be_clipped_at_the_start(text: str, columns: int, clipped: str) -> None:
    assert clip(text, columns, keep_end=True) == clipped


def test_names_of_pages_stay_distinguishable_in_a_narrow_column() -> None:
    rows = [{"page": f"/a/long/folder/{number}.html", "title": "t" * 50} for number in range(2)]

    lines = list(render(rows, 30))

    assert [line.split("  ")[0] for line in lines[2:]] == ["…folder/0.html", "…folder/1.html"]


@given(st.text())
def test_clean_text_cannot_control_the_terminal(text: str) -> None:
    cleaned = clean(f"{text}\x1b[2J\u202e\n{text}")

    assert not set(cleaned) & set("\x1b\n\r\x07\x9b\u202e")


def test_columns_are_aligned_numbers_to_the_right() -> None:
    rows = [{"page": "a.html", "words": 1234}, {"page": "日本語", "words": 7}]

    lines = list(render(rows, 100))

    assert lines == [
        "page    words",
        "------  -----",
        "a.html  1,234",
        "日本語      7",
    ]


def test_only_wide_columns_shrink_on_a_narrow_terminal() -> None:
    rows = [{"n": 1, "title": "t" * 50, "url": "u" * 80}]

    lines = list(render(rows, 40))

    assert max(map(width, lines)) <= 40
    assert lines[2].split("  ") == ["1", "t" * 16 + "…", "…" + "u" * 17]


@given(
    st.dictionaries(st.text(min_size=1, max_size=5), st.integers(1, 200), min_size=1, max_size=6),
    st.integers(30, 120),
)
def test_columns_never_exceed_the_terminal(natural: dict[str, int], columns: int) -> None:
    widths = fit(natural, columns)

    assert sum(widths.values()) + 2 * (len(natural) - 1) <= columns
    assert all(1 <= widths[name] <= natural[name] for name in natural)


@pytest.mark.parametrize(
    ("columns", "header"),
    [(20, "phase  days  failed"), (14, "phase  failed"), (12, "phase"), (4, "pha…")],
)
def test_columns_that_are_spare_are_left_out_before_others_are_clipped(columns: int, header: str) -> None:
    rows = [{"phase": "known", "days": "1234", "failed": 12}]

    assert next(render(rows, columns, spare=("days", "failed"))) == header


def test_no_rows_give_no_table() -> None:
    assert list(render([], 80)) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (20000, "20,000"),
        (0.5, "0.500"),
        (1234.5, "1,234.500"),
        (["a", 1], "a, 1"),
        ("a\n b", "a b"),
    ],
)
def test_values_are_written_for_people(value: object, text: str) -> None:
    assert cell(value) == text


def test_a_column_with_larger_numbers_has_fewer_digits() -> None:
    rows = [{"share": 0.5, "a_day": 58.3}, {"share": 1.0, "a_day": 0.25}]

    assert list(render(rows, 80))[2:] == ["0.500   58.3", "1.000    0.2"]


def test_intervals_are_written_as_in_options() -> None:
    rows: list[Row] = [{"every": 1350.0}, {"every": 86400.0}, {"every": None}]

    assert list(render(rows, 80)) == ["every", "-----", "22.5m", "   1d", ""]


def test_moments_have_no_fractions_of_a_second() -> None:
    rows: list[Row] = [{"fetched_at": "2026-03-02T07:15:00.123456+00:00"}, {"fetched_at": None}]

    assert list(render(rows, 80))[2:] == ["2026-03-02 07:15:00+00:00", ""]


def test_settings_of_several_types_are_written_with_all_their_digits() -> None:
    rows: list[Row] = [{"value": value} for value in (21600.0, 0.25, True, "auto")]

    assert list(render(rows, 80))[2:] == ["21,600", "0.25", "yes", "auto"]


def test_what_continues_begins_below_the_last_column() -> None:
    line = "  broadsheet status news    summarise the archive, by source, and say what is missing"

    assert wrap(line, 60) == [
        "  broadsheet status news    summarise the archive, by",
        "                            source, and say what is missing",
    ]


@pytest.mark.parametrize("line", ["", "  short", "one two three " * 20, "x" * 200, "a  b  " * 50])
def test_no_word_is_lost_where_a_line_is_divided(line: str) -> None:
    assert " ".join(wrap(line, 40)).split() == line.split()
