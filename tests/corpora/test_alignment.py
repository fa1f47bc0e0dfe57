import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.corpora._compared_words import WordNumbers
from broadsheet.corpora.alignment import Strictness, align, common_runs

NOISE = "home sport weather login subscribe share".split()
LEAD = "the harbour was closed on monday after a crane fell".split()
REST = "nobody was hurt said the master who watched it from the pier until divers came".split()


def aligned(page: list[str], text: list[str], strictness: Strictness | None = None) -> list[int]:
    vocabulary = WordNumbers.empty()
    matched = align(vocabulary.encode(page), vocabulary.encode(text), strictness or Strictness())
    return [int(place) for place in matched]


def test_a_text_is_found_between_noise() -> None:
    matched = aligned([*NOISE, *LEAD, *REST, *NOISE], LEAD + REST)

    assert matched == [-1] * 6 + list(range(len(LEAD + REST))) + [-1] * 6


def test_a_teaser_that_repeats_the_lead_is_not_matched() -> None:
    page = [*LEAD, *NOISE * 3, *LEAD, *REST]

    matched = aligned(page, LEAD + REST)

    assert matched[: len(LEAD)] == [-1] * len(LEAD)
    assert matched[-len(LEAD + REST) :] == list(range(len(LEAD + REST)))


def test_a_teaser_after_the_text_is_not_matched() -> None:
    matched = aligned([*LEAD, *REST, *NOISE * 3, *LEAD], LEAD + REST)

    assert matched[-len(LEAD) :] == [-1] * len(LEAD)


def test_interruptions_of_a_text_are_not_matched() -> None:
    matched = aligned([*LEAD, *NOISE, *REST], LEAD + REST)

    assert matched[len(LEAD) : len(LEAD) + len(NOISE)] == [-1] * len(NOISE)
    assert sum(place >= 0 for place in matched) == len(LEAD + REST)


def test_a_different_word_affects_only_itself() -> None:
    changed = [*LEAD[:4], "tuesday", *LEAD[5:]]

    matched = aligned(changed, LEAD)

    assert [place for place in matched if place >= 0] == [0, 1, 2, 3, 5, 6, 7, 8, 9]


def test_a_long_passage_may_be_elsewhere_in_the_page() -> None:
    matched = aligned([*REST, *NOISE, *LEAD], LEAD + REST)

    assert sum(place >= 0 for place in matched) == len(LEAD + REST)


def test_single_words_far_from_the_text_are_not_matched() -> None:
    matched = aligned([*LEAD, *NOISE * 5, "pier", *NOISE, "divers"], [*LEAD, *REST])

    assert matched[len(LEAD) :] == [-1] * (len(matched) - len(LEAD))


def test_a_missing_text_is_not_matched() -> None:
    assert aligned(NOISE * 10, LEAD + REST) == [-1] * 60
    assert aligned([], LEAD) == []
    assert aligned(NOISE, []) == [-1] * 6


def test_scripts_without_spaces_are_aligned_by_character() -> None:
    lead, rest = list("海市蜃楼是眺望的结果新的陆地是航行的结果"), list("现在的生活就是新的陆地两个人航行的结果")

    matched = aligned([*lead, *"首页体育天气登录" * 3, *lead, *rest], lead + rest, Strictness.choose(1.0))

    assert matched[: len(lead)] == [-1] * len(lead)
    assert matched[-len(lead + rest) :] == list(range(len(lead + rest)))


words = st.integers(0, 6).map(str)


@given(st.lists(words, max_size=40), st.lists(words, max_size=40))
def test_only_equal_words_match_and_each_at_most_once(page: list[str], text: list[str]) -> None:
    matched = aligned(page, text)

    used = [place for place in matched if place >= 0]
    assert len(matched) == len(page)
    assert len(set(used)) == len(used)
    assert all(page[at] == text[place] for at, place in enumerate(matched) if place >= 0)


@given(st.lists(words, max_size=30), st.lists(words, max_size=30), st.integers(1, 4))
def test_common_runs_agree_with_a_brute_force_search(page: list[str], text: list[str], seed: int) -> None:
    vocabulary = WordNumbers.empty()
    runs = common_runs(vocabulary.encode(page), vocabulary.encode(text), seed)

    matched = {
        (int(at + step), int(of + step))
        for at, of, length in zip(runs.page, runs.text, runs.length, strict=True)
        for step in range(length - seed + 1)
    }
    grams = [tuple(text[of : of + seed]) for of in range(len(text) - seed + 1)]
    places = {
        (at, of)
        for of, gram in enumerate(grams)
        for at in range(len(page) - seed + 1)
        if tuple(page[at : at + seed]) == gram
    }
    often = {gram: grams.count(gram) * sum(text_gram == gram for _, text_gram in _at(page, seed)) for gram in grams}
    assert matched == {(at, of) for at, of in places if often[grams[of]] <= 64}


def _at(page: list[str], seed: int) -> list[tuple[int, tuple[str, ...]]]:
    return [(at, tuple(page[at : at + seed])) for at in range(len(page) - seed + 1)]


@given(st.lists(st.integers(0, 10**6).map(str), min_size=12, max_size=80, unique=True), st.data())
def test_an_excerpt_of_a_page_is_matched_completely(page: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(page) - 8))
    end = data.draw(st.integers(start + 8, len(page)))

    matched = aligned(page, page[start:end])

    assert matched == [-1] * start + list(range(end - start)) + [-1] * (len(page) - end)


def test_long_repetitive_texts_take_bounded_time() -> None:
    generator = np.random.default_rng(1)
    page, text = generator.integers(0, 12, 60_000), generator.integers(0, 12, 20_000)

    begin = time.process_time()
    align(page, text, Strictness())

    assert time.process_time() - begin < 20
