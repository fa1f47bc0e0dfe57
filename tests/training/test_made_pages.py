"""Made pages: what each edit adds or removes, and that the labels follow."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.base.counters import Counters
from broadsheet.corpora.site_splits import fold_of
from broadsheet.training.line_model._additions import _READERS, notices, teasers_above
from broadsheet.training.line_model._examples import Example, examples
from broadsheet.training.line_model._made_pages import _marked, with_made_pages
from broadsheet.training.line_model._page_edits import EDITS
from tests.corpora.tiny import page

NAMES = tuple(edit.__name__ for edit in EDITS)
WORDS = ("harbour", "bridge", "council", "market", "river", "station", "school", "theatre")


def paragraphs(number: int) -> list[str]:
    """Six paragraphs that no other page has."""
    word = WORDS[number]
    return [
        f"The {word} number {number} part {part} was opened on Monday after months of work, the {word} office said."
        for part in range(6)
    ]


def labelled(number: int, start: str = "<div class=story>{}") -> Example:
    """An article with its headline, by default in its container, between a menu and a footer."""
    body = "".join(f"<p>{text}</p>" for text in paragraphs(number))
    title = f"A new {WORDS[number]} for the town"
    content = (
        f"<html><head><title>{title}</title></head><body><div class=menu><a href=/>Home</a></div><div class=page>"
        f"{start.format(f'<h1>{title}</h1>')}{body}</div></div>"
        "<div class=footer><p>All rights are reserved by the publisher.<p>We use cookies on this site.</div>"
    )
    some = page(
        f"page{number}", content, url=f"https://site{number}.example/a", domain=f"site{number}.example", title=title,
        body="\n\n".join(paragraphs(number)),
    )  # fmt: skip
    (example,) = examples([some], Counters())
    return example


def made(edit: str, monkeypatch: pytest.MonkeyPatch) -> list[Example]:
    """Make one edit to each of eight pages."""
    chosen = tuple(each for each in EDITS if each.__name__ == edit)
    monkeypatch.setattr("broadsheet.training.line_model._made_pages.EDITS", chosen)
    return [each for each in with_made_pages(map(labelled, range(8)), 1, Counters()) if each.made]


def body_of(example: Example) -> list[str]:
    """The lines that are labelled as body."""
    document, lines = example.document, example.lines
    spans = zip(lines.first.tolist(), lines.end.tolist(), example.is_body.tolist(), strict=True)
    return ["".join(map(document.piece_text, range(first, end))) for first, end, is_body in spans if is_body]


def around_body(example: Example) -> tuple[list[str], int, int]:
    """All lines, and where the body starts and ends; no line between is anything else."""
    document, lines = example.document, example.lines
    spans = zip(lines.first.tolist(), lines.end.tolist(), strict=True)
    texts = ["".join(map(document.piece_text, range(first, end))).strip() for first, end in spans]
    places = np.flatnonzero(example.is_body)
    start, end = int(places[0]), int(places[-1]) + 1
    assert len(places) == end - start
    return texts, start, end


def number_of(example: Example) -> int:
    return int(example.labels.name.removeprefix("page"))


@pytest.mark.parametrize("edit", [name for name in NAMES if name not in {"shortened", "itemized"}])
def test_the_body_stays_what_it_was(edit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    results = made(edit, monkeypatch)

    assert results
    assert all(body_of(each) == paragraphs(number_of(each)) for each in results)


@pytest.mark.parametrize("edit", ["second_article", "same_template", "teasers", "teasers_above", "comments"])
def test_text_of_other_pages_is_added_and_is_no_body(edit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in made(edit, monkeypatch):
        before = labelled(number_of(each))
        text = " ".join(map(each.document.piece_text, range(len(each.document.pieces))))

        assert len(each.lines) > len(before.lines)
        assert any(word in text for word in WORDS if word != WORDS[number_of(each)])


def test_teasers_above_stand_before_the_headline_and_often_name_the_article(monkeypatch: pytest.MonkeyPatch) -> None:
    results = made("teasers_above", monkeypatch)

    assert results
    named = 0
    for each in results:
        texts, start, end = around_body(each)
        headline = f"A new {WORDS[number_of(each)]} for the town"
        above, below = texts[: start - 1], texts[end:]
        assert texts[start - 1] == headline
        assert sum("A new " in line for line in above) >= 3
        named += any(headline in line for line in above)
        # The same list, or none.
        assert below[:-2] in ([], above[1:])
    assert named


@given(st.integers(0, 2**32 - 1))
def test_teasers_above_stand_before_a_headline_outside_the_container(seed: int) -> None:
    first, *others = (_marked(labelled(number, "<header>{}</header><div class=story>")) for number in range(5))
    assert first
    assert not first.has_headline

    root = teasers_above(first, [other for other in others if other], np.random.default_rng(seed))

    assert root is not None
    assert [each.tag for each in root.iter("a", "h1")].index("h1") >= 1 + 3  # the link of the menu and three stories


def test_comments_stand_below_the_article_and_have_authors(monkeypatch: pytest.MonkeyPatch) -> None:
    results = made("comments", monkeypatch)

    assert results
    for each in results:
        texts, start, end = around_body(each)
        assert texts[:start] == ["Home", f"A new {WORDS[number_of(each)]} for the town"]
        assert sum(any(line.startswith(name) for name in _READERS) for line in texts[end:]) >= 3
        assert sum("was opened on Monday" in line or "rights" in line for line in texts[end:]) >= 3


def test_a_notice_of_another_page_stands_before_or_after_the_article(monkeypatch: pytest.MonkeyPatch) -> None:
    results = made("notices", monkeypatch)

    assert results
    for each in results:
        texts, start, end = around_body(each)
        notice = [line for line in texts[:start] + texts[end:] if "reserved" in line or "cookies" in line]
        assert len(notice) == 2 + 2  # with those of the page itself
        # All is next to the article and its headline.
        assert notice[:2] == texts[1:3] or notice[:2] == texts[end : end + 2]


@pytest.mark.parametrize("edit", ["teasers", "teasers_above", "comments", "notices", "second_article"])
def test_without_other_pages_nothing_is_made(edit: str) -> None:
    first = _marked(labelled(0))
    (chosen,) = (each for each in EDITS if each.__name__ == edit)

    assert first
    assert chosen(first, [], np.random.default_rng(0)) is None


def test_a_notice_needs_a_page_with_several_sentences_around_its_article() -> None:
    first, other = (_marked(labelled(number)) for number in range(2))

    assert first
    assert other
    assert notices(first, [replace(other, noise=other.noise[-1:])], np.random.default_rng(0)) is None


def test_teasers_above_need_three_other_titles() -> None:
    first, *others = (_marked(labelled(number)) for number in range(4))
    untitled = [replace(other, title="") for other in others if other]

    assert first
    assert len(untitled) == 3
    assert teasers_above(first, untitled, np.random.default_rng(0)) is None


def test_a_shortened_article_keeps_its_first_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in made("shortened", monkeypatch):
        body = body_of(each)

        assert 1 <= len(body) <= 3
        assert body == paragraphs(number_of(each))[: len(body)]


def test_the_items_of_a_list_have_headings_that_are_body_and_offers_that_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = made("itemized", monkeypatch)

    assert results
    for each in results:
        body = body_of(each)
        headings = [line for line in body if line.startswith("A new ")]
        assert [line for line in body if line not in headings] == paragraphs(number_of(each))
        assert len(headings) in {3, 5}  # five paragraphs after the introduction, one or two an item
        assert not any("$" in line for line in body)


def test_boxes_between_paragraphs_are_no_body(monkeypatch: pytest.MonkeyPatch) -> None:
    results = made("interrupted", monkeypatch)

    assert results
    for each in results:
        is_body = each.is_body.astype(bool)
        first, last = np.flatnonzero(is_body)[[0, -1]]
        assert not is_body[first : last + 1].all()


def test_a_bare_page_has_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(not len(each.document.tokens.node) for each in made("bare", monkeypatch))


def test_a_moved_article_stands_in_another_page(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in made("moved", monkeypatch):
        title = " ".join(each.document.text(int(row)) for row in each.document.rows("title"))

        assert WORDS[number_of(each)] not in title


@pytest.mark.parametrize("edit", NAMES)
def test_control_characters_of_other_pages_do_no_harm(edit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.training.test_made_pages.WORDS", tuple(f"{word}\x01" for word in WORDS))

    assert made(edit, monkeypatch)


def test_pages_of_different_folds_are_never_combined() -> None:
    folds = 4
    results = list(with_made_pages(map(labelled, range(8)), folds, Counters()))

    for each in results:
        text = " ".join(map(each.document.piece_text, range(len(each.document.pieces))))
        sites = {number for number, word in enumerate(WORDS) if f"{word} number" in text}
        assert len({fold_of(f"site{number}.example", folds) for number in sites}) == 1


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_edits_leave_the_marked_page_as_it_was(seed: int) -> None:
    pages = [marked for number in range(4) if (marked := _marked(labelled(number)))]
    first, others = pages[0], pages[1:]

    for edit in EDITS:
        edit(first, others, np.random.default_rng(seed))

    assert pages == [_marked(labelled(number)) for number in range(4)]
