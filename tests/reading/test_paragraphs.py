from html import escape

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.records import Label
from broadsheet.document import parse
from broadsheet.reading.paragraphs import collapse, to_blocks, to_paragraphs
from tests.document.html import MARKUP, TEXTS


def paragraphs(page: str) -> list[str]:
    document = parse(page)
    return [block.text for block in to_blocks(document, np.full(len(document.pieces), Label.BODY, np.int8))]


def test_inline_elements_do_not_divide_a_paragraph() -> None:
    assert paragraphs("<p>The <b>bold</b>er, the <a href=x>better</a>.</p>") == ["The bolder, the better."]


def test_block_elements_divide_paragraphs() -> None:
    assert paragraphs("<div>One<p>Two</p>Three<ul><li>Four<li>Five</ul></div>") == [
        "One", "Two", "Three", "Four", "Five",
    ]  # fmt: skip


def test_one_break_is_a_line_and_two_are_a_paragraph() -> None:
    assert paragraphs("<p>One<br>two<br><br>Three<br/> <br/>four</p>") == ["One\ntwo", "Three", "four"]


def test_scripts_without_spaces_get_none() -> None:
    assert paragraphs("<p>島の<b>評議会</b>は<a href=x>計画</a>を承認した。</p>") == ["島の評議会は計画を承認した。"]
    assert paragraphs("<p>กรุงเทพ<b>มหานคร</b></p>") == ["กรุงเทพมหานคร"]


def test_a_line_break_between_wide_characters_is_not_a_space() -> None:
    assert paragraphs("<p>島の\n  評議会\nNHK の</p>") == ["島の評議会 NHK の"]


def test_white_space_is_collapsed_and_layout_hints_are_removed() -> None:
    assert paragraphs("<p>&nbsp;10&nbsp;000\u2003euro&shy;zone\u200b \t\n s</p>") == ["10 000 eurozone s"]


def test_joiners_that_shape_letters_stay() -> None:
    assert paragraphs("<p>می\u200cخواهم</p>") == ["می\u200cخواهم"]


def test_preformatted_text_keeps_its_lines_and_blank_lines_divide_it() -> None:
    assert paragraphs("<pre>One\ntwo\n\n  Three</pre>") == ["One\ntwo", "Three"]


def test_garbage_between_two_words_leaves_them_apart() -> None:
    document = parse("<p>One <a href=x>share</a> two</p>")
    labels = np.array([Label.BODY, Label.GARBAGE, Label.BODY], np.int8)

    assert [block.text for block in to_blocks(document, labels)] == ["One two"]


def test_white_space_between_inline_elements_is_one_space() -> None:
    assert paragraphs("<p><b>One</b>\n <i>two</i><u>three</u></p>") == ["One twothree"]
    assert paragraphs("<p><b>島の</b>\n<b>評議会</b></p>") == ["島の 評議会"]


def test_invisible_characters_between_inline_elements_are_left_out() -> None:
    assert paragraphs("<p><b>One</b>\u200e<i>two</i></p>") == ["Onetwo"]


def test_labels_divide_text_on_one_line() -> None:
    document = parse("<p>Ann Lee <b>in Rome</b>, today</p>")
    labels = np.array([Label.AUTHOR, Label.BODY, Label.BODY], np.int8)

    assert [(paragraph.label, paragraph.text) for paragraph in to_paragraphs(document, labels)] == [
        (Label.AUTHOR, "Ann Lee"),
        (Label.BODY, "in Rome, today"),
    ]


def test_without_labels_there_are_no_blocks() -> None:
    document = parse("<p>One</p>")

    assert list(to_blocks(document, np.zeros(len(document.pieces), np.int8))) == []


def test_a_block_has_the_path_of_its_element() -> None:
    document = parse("<body><p>One</p><p>Two <i>three</i></p></body>")

    blocks = list(to_blocks(document, np.full(len(document.pieces), Label.BODY, np.int8)))

    assert [block.path for block in blocks] == ["/html/body/p[1]", "/html/body/p[2]"]


def test_a_very_deep_block_has_the_path_of_an_ancestor() -> None:
    document = parse("<div>" * 600 + "<p>One</p><p>Two</p>")

    blocks = list(to_blocks(document, np.full(len(document.pieces), Label.BODY, np.int8)))

    assert [block.text for block in blocks] == ["One", "Two"]
    assert blocks[0].path == "/html/body" + "/div" * 249


@given(MARKUP)
def test_paragraphs_contain_the_text_of_the_page_and_nothing_else(markup: str) -> None:
    document = parse(markup)
    page = "".join(collapse(document.piece_text(piece)) for piece in range(len(document.pieces)))

    written = "".join(paragraphs(markup))

    assert "".join(written.split()) == "".join(page.split())


@given(st.one_of(TEXTS, st.text()))
def test_collapsed_text_stays_as_it_is(text: str) -> None:
    assert collapse(collapse(text)) == collapse(text)


@given(st.text(st.sampled_from("aé島 \u00a0\u3000\u00ad\u200b\u200c\ufeff\t\x1c\x85\u2028."), max_size=12))
def test_collapsed_text_has_no_white_space_but_single_spaces_and_no_layout_hint(text: str) -> None:
    shown = collapse(text)

    for hint in "\u00ad\u200b\u2060\ufeff":
        text = text.replace(hint, "")
    assert shown == " ".join(text.split())


@given(TEXTS)
def test_a_paragraph_of_one_text_is_that_text_collapsed(text: str) -> None:
    document = parse(f"<p>{escape(text)}</p>")
    labels = np.full(len(document.pieces), Label.BODY, np.int8)

    paragraphs = [paragraph.text for paragraph in to_paragraphs(document, labels)]

    assert paragraphs == [collapse(document.piece_text(piece)) for piece in range(len(document.pieces))]
