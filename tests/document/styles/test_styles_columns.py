"""The style columns, subsets of them, and linked sheets."""

import numpy as np

from broadsheet.document.document import parse
from broadsheet.document.styles import read_styles

PAGE = """<!DOCTYPE html><link rel=stylesheet href=/main.css><style>h1{font-size:40px}p{color:#111}.x{color:red}</style>
<h1>Head</h1><p>one <b>two</b> three</p><p class=x>four</p><p hidden style='font-size:90px'>gone</p>"""


def test_the_columns_have_one_row_per_piece() -> None:
    styles = read_styles(parse(PAGE))
    assert styles.piece.tolist() == list(range(6))
    assert styles.size.tolist() == [40, 16, 16, 16, 16, 90]
    assert styles.bold.tolist() == [True, False, True, False, False, False]
    assert styles.hidden.tolist() == [False] * 5 + [True]
    assert styles.relative_size.tolist()[:2] == [1, np.float32(0.4)]
    assert styles.alike.tolist() == [1, 2, 1, 2, 1, 1]
    assert styles.group[1] == styles.group[3]
    assert not styles.size.flags.writeable


def test_a_subset_of_pieces_has_the_same_styles() -> None:
    document = parse(PAGE)
    some = read_styles(document, pieces=[4, 2])
    assert some.piece.tolist() == [4, 2]
    assert some.colour.tolist() == [0xFF0000, 0x111111]
    assert some.bold.tolist() == [False, True]


def test_a_page_without_text_has_no_rows() -> None:
    styles = read_styles(parse(""))
    assert len(styles) == len(styles.relative_size) == len(styles.alike) == 0


def test_linked_sheets_are_loaded() -> None:
    asked = []

    def load(address: str) -> bytes | None:
        asked.append(address)
        return {
            "http://h/main.css": b"@import url(more.css) screen;p{font-weight:bold}",
            "http://h/more.css": b"p{font-size:9px}",
        }.get(address)

    styles = read_styles(parse(PAGE, url="http://h/a/b"), load)
    assert asked == ["http://h/main.css", "http://h/more.css"]
    assert (float(styles.size[1]), bool(styles.bold[1])) == (9, True)
    assert "sheet not loaded: not there" not in styles.dropped


def test_sheets_that_are_not_loaded_are_counted() -> None:
    assert read_styles(parse(PAGE)).dropped["sheet not loaded: no loader"] == 1
    assert read_styles(parse(PAGE), lambda _: None).dropped["sheet not loaded: not there"] == 1


def test_values_that_are_not_understood_are_counted() -> None:
    page = (
        "<!DOCTYPE html><style>p:has(b){color:red}p:bogus{color:red}p{color:oklch(1 2 3)}u{margin:0}</style><p>text</p>"
    )
    dropped = read_styles(parse(page)).dropped
    assert dropped["unsupported :has()"] == 1
    assert dropped["unknown pseudo-class"] == 1
    assert dropped["value not understood"] == 1
    assert dropped["rule sets nothing of interest"] == 1
