"""What the trained reader measures of a page's lines."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import parse
from broadsheet.reading.blocks.choice import choose
from broadsheet.reading.blocks.elements import find_elements
from broadsheet.reading.blocks.features import measure
from broadsheet.reading.blocks.lines import find_lines
from broadsheet.reading.blocks.names import NameScores
from broadsheet.reading.blocks.second import measure_again
from broadsheet.reading.blocks.words import attribute_words, code_of, word_of

_NAMES = NameScores.of_words({"comment": -3.0, "entry": 1.5})


def _column(page: str, name: str) -> list[float]:
    document = parse(page)
    features = measure(document, find_lines(document), None, _NAMES)
    return list(features.rows[:, features.names.index(name)].tolist())


def test_lines_are_what_a_browser_sets_on_one_line_outside_the_head() -> None:
    document = parse("<title>Not this</title><p>one <b>two</b></p>three<br>four")

    lines = find_lines(document)

    texts = [
        "".join(document.piece_text(piece) for piece in range(first, end))
        for first, end in zip(lines.first.tolist(), lines.end.tolist(), strict=True)
    ]
    assert [text.strip() for text in texts] == ["one two", "three", "four"]


def test_letters_of_scripts_without_spaces_count_for_more() -> None:
    lines = find_lines(parse("<p>abcdefgh ijklmnop</p><p>新聞記者発表内容説明</p>"))

    assert lines.length[0] == lines.characters[0]
    assert lines.length[1] > 2 * lines.characters[1]


def test_elements_know_the_lines_inside_them() -> None:
    document = parse("<body><div><p>one</p><p>two</p></div><p>three</p>")
    lines = find_lines(document)

    elements = find_elements(document, lines)

    div = int(document.rows("div")[0])
    assert (elements.first[div], elements.end[div]) == (0, 2)


def test_names_are_cut_at_capitals_and_signs() -> None:
    words = attribute_words(parse("<div class='articleBody main_nav x2' id='Top'>x</div>"))

    assert [word_of(code) for code in words.code.tolist()] == ["article", "body", "main", "nav", "x", "top"]


@given(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=1, max_size=12))
def test_a_word_is_told_by_its_first_eight_letters(word: str) -> None:
    assert word_of(code_of(word)) == word[:8]


def test_names_around_a_line_are_added_up() -> None:
    page = "<div class=comment><p class=entry>one</p></div><p>two</p>"

    assert _column(page, "names: bad") == [-3.0, 0.0]
    assert _column(page, "names: good") == [1.5, 0.0]
    assert _column(page, "in .comment") == [1.0, 0.0]


def test_endings_of_other_scripts_are_full_stops() -> None:
    endings = _column("<p>One.</p><p>新聞。</p><p>Καλά»</p><p>Menu</p>", "ending")

    assert endings[0] == endings[1] == endings[2]
    assert endings[3] != endings[0]


def test_lines_that_begin_alike_are_counted() -> None:
    page = "<p>Posted by Ann</p><p>Nice</p><p>Posted by Bob</p>"

    assert _column(page, "begun alike") == [2.0, 1.0, 2.0]


def test_neighbours_are_seen_and_the_ends_of_the_page_too() -> None:
    assert _column("<p>one</p><p>three</p>", "length at +1") == [5.0, -1.0]


def test_levels_apart_are_none_inside_the_container() -> None:
    text = "A sentence that is long enough to be running text in any page that it may stand on, surely. " * 2
    page = f"<body><div><div><p>{text}</p><p>{text}</p></div></div><footer>end</footer>"

    apart = _column(page, "container: levels apart")

    assert apart[0] == apart[1] == 0
    assert apart[2] > 0


def test_the_second_pass_sees_what_the_first_said_around() -> None:
    document = parse("<div><p>one two</p><p>three four</p></div><p>five</p>")
    lines = find_lines(document)
    features = measure(document, lines, None, _NAMES)

    names, rows = measure_again(features, lines, np.array([1.0, 0.0, 0.0]))

    assert rows.shape == (3, len(names))
    assert rows[1, names.index("likely at -1")] == 1.0
    assert rows[2, names.index("likely before all")] == 1.0


def test_what_is_sure_is_taken_and_the_rest_left() -> None:
    chosen = choose(np.array([0.95, 0.9, 0.05]), np.array([50, 50, 100], np.float32))

    assert chosen.tolist() == [True, True, False]


def test_where_nothing_is_sure_the_best_is_still_taken() -> None:
    chosen = choose(np.array([0.3, 0.28, 0.01]), np.array([50, 50, 100], np.float32))

    assert chosen.tolist() == [True, True, False]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 500)), min_size=1, max_size=8))
def test_no_other_lowest_probability_would_have_a_higher_expected_f(lines: list[tuple[float, int]]) -> None:
    likely, words = np.array([each[0] for each in lines]), np.array([each[1] for each in lines], np.float32)

    def expected(chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
        whole = float(words[chosen].sum() + (likely * words).sum())
        return float(2 * (likely * words)[chosen].sum() / (whole + 1e-9))

    best = expected(choose(likely, words))

    assert all(best >= expected(likely >= bar) - 1e-6 for bar in likely)
