import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.pages.url_features import ANCHOR, FEATURES, measure


def features_of(url: str, anchor: str | None = None) -> dict[str, float]:
    [row] = measure([url], [anchor])
    return dict(zip(FEATURES, row.tolist(), strict=True))


def test_the_headline_in_a_url_is_the_segment_with_most_words() -> None:
    features = features_of("https://example.org/politik/wahl/so-hat-das-land-gewaehlt-12345678.html")

    assert features["depth"] == 3
    assert features["slug_words"] == features["last_words"] == 5
    assert features["slug_short_words"] == 3
    assert features["slug_longest_word"] == 8
    assert features["slug_from_end"] == 0
    assert features["longest_number"] == features["last_number"] == 8
    assert features["last_ends_in_digit"] == 1
    assert features["page_extension"] == 1
    assert features["words"] == 7
    assert features["first_length"] == len("politik")


def test_a_headline_may_come_before_the_last_segment() -> None:
    features = features_of("https://example.org/a-long-headline-of-words/4711")

    assert features["slug_from_end"] == 1
    assert features["last_is_number"] == 1


@pytest.mark.parametrize(
    ("path", "date", "longest_number"),
    [
        ("2026/03/02/a-storm", 3, 0),
        ("2026-3-2-a-storm", 3, 0),
        ("20260302-a-storm", 3, 0),
        ("2013/may/27/a-storm", 3, 0),
        ("a-storm-vom-02.03.2026", 3, 0),
        ("2026/03/a-storm", 2, 0),
        ("202603/a-storm", 2, 0),
        ("wahl-2026", 1, 0),
        ("2026/13/a-storm", 1, 2),
        ("a-storm-20261399", 0, 8),
        ("a-storm-12345", 0, 5),
        ("1899/12/31", 0, 4),
        ("a-storm", 0, 0),
    ],
)
def test_a_date_is_read_as_precisely_as_it_is_given_and_is_not_also_a_number(
    path: str, date: int, longest_number: int
) -> None:
    features = features_of(f"https://example.org/{path}")

    assert (features["date"], features["longest_number"]) == (date, longest_number)


def test_reserved_words_are_counted_by_position() -> None:
    features = features_of("https://shop.example.org/autor/jane-doe")

    assert features["host_service"] == 1
    assert features["above_listing"] == features["listing"] == 1
    assert features["last_listing"] == 0


def test_reserved_words_in_a_headline_do_not_count() -> None:
    assert features_of("https://example.org/no-more-help-with-the-shop")["last_service"] == 0


def test_a_token_of_letters_and_digits_is_measured_as_one() -> None:
    assert features_of("https://example.org/story-b2034519.html")["last_mixed"] == 8


def test_the_root_of_a_site_has_no_parts() -> None:
    features = features_of("https://example.org/")

    assert features["depth"] == features["path_length"] == features["last_length"] == 0
    assert features["slash"] == 1


def test_the_query_is_measured_apart_from_the_path() -> None:
    features = features_of("https://example.org/story?id=62025268&s=1")

    assert (features["parameters"], features["query_number"], features["digits"]) == (2, 8, 0)


def test_an_anchor_is_measured_in_words_and_width() -> None:
    features = features_of("https://example.org/a", " Storm:  “we were\n lucky” ")

    assert features["anchor_words"] == 4
    assert features["anchor_width"] == len("Storm: “we were lucky”") + 2
    assert features["anchor_marks"] == 3
    assert features["anchor_short_words"] == 1


def test_a_wide_letter_counts_double() -> None:
    assert features_of("https://example.org/a", "新闻")["anchor_width"] == 4


def test_without_an_anchor_its_features_are_missing() -> None:
    features = features_of("https://example.org/a")

    assert all(np.isnan(features[name]) for name in ANCHOR)
    assert not any(np.isnan(value) for name, value in features.items() if name not in ANCHOR)


def test_an_empty_anchor_is_not_a_missing_one() -> None:
    assert features_of("https://example.org/a", "")["anchor_words"] == 0


@given(st.text(max_size=60), st.text(max_size=60))
def test_features_of_any_text_are_finite(path: str, anchor: str) -> None:
    rows = measure([f"https://example.org/{path}", path], [anchor, anchor])

    assert np.isfinite(rows).all()
    assert (rows >= 0).all()


def test_a_url_of_hundreds_of_segments_and_numbers_is_measured() -> None:
    features = features_of("https://example.org/" + "2020/1/1/a-b-1/" * 120)

    assert features["depth"] == 32
    assert features["date"] == 3


def test_a_row_does_not_depend_on_the_rest_of_the_batch() -> None:
    urls = ["https://example.org/a", "https://shop.example.org/b-c-d?e=1", "x"]

    assert np.array_equal(measure(urls), np.concatenate([measure([url]) for url in urls]), equal_nan=True)
