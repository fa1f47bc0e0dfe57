"""Character-based annotation files: where labelled texts begin and end in the source of a page."""

import pytest

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.character_annotation import (
    Span,
    format_spans,
    letters_of,
    locate,
    parse_spans,
    spans_of,
)
from broadsheet.corpora.annotation.label_set import ARTICLE_LABELS
from broadsheet.document import parse

SOURCE = (
    "<title>Fish &amp; chips</title><script>var b = '<p>Fish';</script><style>b {}</style><!-- Fish <p> -->"
    "<h1 title='a > b'>Fish &amp; chips</h1>\n<p>One <b>two</b>\n three</p> 1 < 2 <p>Caf&eacute;</p>"
)
PAGE = parse(SOURCE)
PUBLISHED = "title: 2151 2183\nbody1: 2512 2782\nbody2: 2986 3154\nheading1: 3307 3323\nbody3: 3400 3587\n"


def test_a_published_file_is_read() -> None:
    spans = parse_spans(PUBLISHED, ARTICLE_LABELS)

    # The title of that page has 32 characters.
    assert spans[0] == Span("t", 2151, 2183)
    assert [span.letter for span in spans] == ["t", "b", "b", "h", "b"]


def test_every_text_is_found_in_the_source_behind_tags_comments_and_entities() -> None:
    found = [SOURCE[start:end] for place in locate(PAGE, SOURCE) if place for start, end in [place]]

    assert found == ["Fish &amp; chips", "Fish &amp; chips", "One", "two", "three", "1 < 2", "Caf&eacute;"]


def test_labels_come_back_from_positions_and_neighbours_on_a_line_are_one_span() -> None:
    spans = spans_of(PAGE, SOURCE, "gtbbbgb", ARTICLE_LABELS)

    assert [SOURCE[span.start : span.end] for span in spans] == [
        "Fish &amp; chips",
        "One <b>two</b>\n three",
        "Caf&eacute;",
    ]
    assert format_spans(spans, ARTICLE_LABELS).split(": ")[0] == "title"
    assert "body1: " in format_spans(spans, ARTICLE_LABELS)
    assert "body2: " in format_spans(spans, ARTICLE_LABELS)
    again = parse_spans(format_spans(spans, ARTICLE_LABELS), ARTICLE_LABELS)
    assert letters_of(again, PAGE, SOURCE, ARTICLE_LABELS) == "gtbbbgb"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("body 12 13", "line 1: not a label with two positions"),
        ("title: 1 2\n\nprice: 3 4", "line 3: the label 'price' is not one of title, heading"),
        ("body: 9 9", "line 1: the text ends at 9, before it begins at 9"),
        ("body: 1 99999", "the page ends at"),
        ("body: 1 3", "there is no text of the page in these characters"),
    ],
)
def test_a_file_that_is_damaged_or_does_not_fit_is_refused(content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        letters_of(parse_spans(content, ARTICLE_LABELS), PAGE, SOURCE, ARTICLE_LABELS)


@pytest.mark.parametrize("source", ["<p>a<p", "<script>x", "<!-- x", "a <b class='x>y", "<", "</>x", '<a title="x>y'])
def test_broken_markup_ends_somewhere(source: str) -> None:
    page = parse(f"<p>text</p>{source}")

    assert locate(page, f"<p>text</p>{source}")[0] == (3, 7)
