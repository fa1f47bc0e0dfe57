"""The features of a page's lines, and the words known in them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import Document, parse
from broadsheet.document.tags import CODES
from broadsheet.reading.lines._words import keys_of, keys_of_texts
from broadsheet.reading.lines.line_choice import LONGEST_GAP, choose, fill_gaps
from broadsheet.reading.lines.line_features import COLUMNS, LineMeasurements, measure
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.lines.vocabulary import Vocabulary, decode_name, encode_name

NAMES, TEXTS = (
    ("comment", "content", "entry"),
    ("council", "more", ">council", ">today", "=read more", "=new", "новости"),
)
VOCABULARY = Vocabulary.build(NAMES, TEXTS)
LONG = "A sentence that is long enough to be running text in any page that it may stand on, surely. " * 2


def measured(page: str | Document, title: tuple[int | None, str] = (None, "")) -> LineMeasurements:
    document = parse(page)
    return measure(document, find_lines(document), title, VOCABULARY)


def column(page: str, name: str, title: tuple[int | None, str] = (None, "")) -> list[float]:
    return list(measured(page, title).rows[:, COLUMNS.index(name)].tolist())


def words(page: str, line: int) -> set[str]:
    """The known words of a line: texts as they are, names and tags with their zone as prefix."""
    features = measured(page)
    known = set()
    for number in features.words[line, : features.counts[line]].tolist():
        zone, place = divmod(number, VOCABULARY.zone)
        if zone == 3 or number >= 3 * VOCABULARY.zone:
            known.add(TEXTS[number - 3 * VOCABULARY.zone])
        elif place < len(NAMES):
            known.add(f"{zone} .{NAMES[place]}")
        else:
            known.add(f"{zone} {list(CODES)[place - len(NAMES)]}")
    return known


def test_every_column_is_filled_and_has_one_name() -> None:
    rows = measured("<body><div><h1>Title</h1><p>one</p><p>two</p></div>").rows

    assert rows.shape == (3, len(COLUMNS))
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert np.isfinite(rows).all()


def test_words_at_the_beginning_and_end_and_short_lines_are_known() -> None:
    page = "<p>Council one two three four five six seven eight council today</p><p>READ  More!</p><p>New</p>"

    assert {"council", ">council", ">today"} <= words(page, 0)
    assert {"more", "=read more"} <= words(page, 1)
    assert "=new" in words(page, 2)


def test_a_word_in_the_middle_of_a_long_line_is_ignored() -> None:
    page = f"<p>{'one ' * 9}more {'one ' * 9}</p>"

    assert "more" not in words(page, 0)


def test_words_of_other_alphabets_are_known() -> None:
    assert "новости" in words("<p>новости, дня</p>", 0)


def test_names_are_distinguished_by_the_distance_of_their_elements() -> None:
    page = f"<body><div class=CommentList><div><div><p class=entry-1>one</p></div></div></div><p>two</p><p>{LONG}</p>"

    assert {"0 .entry", "0 p", "1 .comment"} <= words(page, 0)
    assert not {"0 .entry", "1 .comment"} & words(page, 1)


def test_names_of_elements_with_most_of_the_text_have_their_own_zone() -> None:
    page = f"<body><div class=comment><p>{LONG}</p><p>{LONG}</p></div><p>end</p>" + "<p>x</p>" * 9

    assert "2 .comment" in words(page, 0)
    assert not {"0 .comment", "1 .comment"} & words(page, 0)


def test_names_of_elements_around_the_whole_page_are_ignored() -> None:
    page = f"<body class='has-comment'><main class=comment><p>{LONG}</p><p>two</p></main>"

    assert not {word for word in words(page, 0) if "comment" in word}


@given(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=1, max_size=12))
def test_a_name_is_encoded_by_its_first_eight_letters(name: str) -> None:
    assert decode_name(encode_name(name)) == name[:8]


def test_words_are_distinguished_by_position() -> None:
    keys = keys_of_texts(np.frombuffer("\n".join(TEXTS).encode(), np.uint8))

    assert len(keys) == len(set(keys)) == len(TEXTS)


def test_capitals_and_marks_between_words_make_no_difference() -> None:
    keys = [keys_of(np.frombuffer(text.encode(), np.uint8)) for text in ("Read more", "read — MORE…", "«read» more。")]

    assert keys[0] == keys[1] == keys[2]


def test_the_share_of_a_lines_words_in_the_title_is_measured() -> None:
    overlap = column("<h1>Crane falls</h1><p>The crane stands</p><p>Menu</p>", "title overlap", (0, "Crane falls"))

    assert overlap == pytest.approx([1, 1 / 3, 0])


def test_endings_of_other_scripts_are_full_stops() -> None:
    stops = column("<p>One.</p><p>新聞。</p><p>Καλά»</p><p>Menu</p>", "ends: stop")

    assert stops == [1, 1, 1, 0]


def test_lines_that_begin_alike_are_counted() -> None:
    page = "<p>Posted by Ann</p><p>Nice</p><p>Posted by Bob</p>"

    assert np.expm1(column(page, "begun alike")) == pytest.approx([2, 1, 2], abs=1e-5)


def test_lines_with_the_same_markup_are_counted_together() -> None:
    page = "<body><div class=a><p>one</p></div><div class=a><p>two</p></div><ul><li>three</li></ul>"

    assert np.expm1(column(page, "on path: lines")) == pytest.approx([2, 2, 1], abs=1e-5)


def test_lines_inside_the_container_are_no_levels_apart() -> None:
    page = f"<body><div><div><p>{LONG}</p><p>{LONG}</p></div></div><footer>end</footer>"

    apart = column(page, "container: levels apart")

    assert apart[0] == apart[1] == 0
    assert apart[2] > 0
    assert column(page, "container: inside") == [1, 1, 0]


def test_the_run_with_the_most_text_begins_and_ends_with_it() -> None:
    page = f"<p>menu</p><p>{LONG}</p><p>short</p><p>{LONG}</p><p>end</p>"

    assert column(page, "in the run") == [0, 1, 1, 1, 0]


def test_headings_before_a_line_are_counted() -> None:
    page = "<h1>Title</h1><p>one</p><h3>Part</h3><p>two</p>"

    assert column(page, "heading: h1") == [1, 0, 0, 0]
    assert np.expm1(column(page, "heading: before")) == pytest.approx([1, 1, 2, 2], abs=1e-5)
    assert np.expm1(column(page, "heading: since", (0, "Title"))) == pytest.approx([0, 1, 0, 1], abs=1e-5)


def test_confident_lines_are_selected_and_the_rest_left_out() -> None:
    chosen = choose(np.array([0.95, 0.9, 0.05], np.float32), np.array([50, 50, 100], np.float32))

    assert chosen.tolist() == [True, True, False]


def test_the_best_line_is_selected_even_if_none_is_likely() -> None:
    chosen = choose(np.array([0.3, 0.28, 0.01], np.float32), np.array([50, 50, 100], np.float32))

    assert chosen.tolist() == [True, True, False]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 500)), min_size=1, max_size=8))
def test_no_other_threshold_has_a_higher_expected_f_score(lines: list[tuple[float, int]]) -> None:
    likely, counts = (np.array([each[at] for each in lines], np.float32) for at in (0, 1))

    def expected(chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
        correct = likely.astype(np.float64) * counts
        return float(2 * correct[chosen].sum() / (counts[chosen].sum() + correct.sum() + 1e-9))

    best = expected(choose(likely, counts))

    assert all(best >= expected(likely >= bar) - 1e-6 for bar in likely)


_TAGS = st.sampled_from("p div li ul table tr td h1 h2 a span article figure br form noscript".split())
_MARKUP = st.lists(
    st.one_of(
        st.builds("<{}>".format, _TAGS),
        st.builds("</{}>".format, _TAGS),
        st.builds("<div class='{}'>".format, st.sampled_from(["comment", "navBar", "x_y-Z", "", "ÄÖ entry-content"])),
        st.text(st.characters(codec="utf-8", exclude_characters="<>"), max_size=40),
    ),
    max_size=30,
).map("".join)


@given(_MARKUP)
def test_the_features_of_any_page_are_finite_and_its_words_known(page: str) -> None:
    document = parse(page)
    lines = find_lines(document)
    if not len(lines):
        return

    features = measure(document, lines, (None, "a title"), VOCABULARY)

    assert np.isfinite(features.rows).all()
    for row, count in zip(features.words, features.counts.tolist(), strict=True):
        assert 0 <= count <= features.words.shape[1]
        assert all(0 <= number < VOCABULARY.size for number in row[:count].tolist())


def test_a_likely_line_between_lines_of_the_body_is_body() -> None:
    chosen = np.array([True, False, False, True, False])
    probabilities = np.array([0.9, 0.3, 0.1, 0.9, 0.3], np.float32)

    assert fill_gaps(chosen, probabilities, np.zeros(5, np.float32)).tolist() == [True, True, False, True, False]


def test_links_and_long_gaps_are_left_out() -> None:
    chosen = np.array([True, False, True, *[False] * (LONGEST_GAP + 1), True])
    probabilities = np.full(len(chosen), 0.4, np.float32)
    links = np.array([0.0, 0.9, *[0.0] * (len(chosen) - 2)], np.float32)

    assert fill_gaps(chosen, probabilities, links).tolist() == chosen.tolist()


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=40))
def test_filling_gaps_only_adds_lines_between_chosen_ones(rows: list[tuple[bool, float, float]]) -> None:
    chosen = np.array([row[0] for row in rows])
    probabilities, links = (np.array([row[at] for row in rows], np.float32) for at in (1, 2))

    filled = fill_gaps(chosen, probabilities, links)

    assert (filled | ~chosen).all()
    if chosen.any():
        first, last = np.flatnonzero(chosen)[[0, -1]]
        assert not filled[:first].any()
        assert not filled[last + 1 :].any()
    else:
        assert not filled.any()
