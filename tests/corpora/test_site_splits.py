import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.site_splits import fold_of, sample
from tests.corpora import tiny

names = st.text(string.ascii_lowercase, min_size=1, max_size=6)


def labels(corpus: str, name: str, site: str) -> PageLabels:
    return PageLabels.from_row(corpus, tiny.row(name, domain=site))


@given(names, st.integers(2, 6), st.integers(0, 3))
def test_a_site_s_fold_is_one_of_those_there_are_and_always_the_same(site: str, folds: int, seed: int) -> None:
    assert fold_of(site, folds, seed) == fold_of(site, folds, seed)
    assert fold_of(site, folds, seed) in range(folds)


def test_the_fold_of_a_site_is_the_same_on_every_machine() -> None:
    assert [fold_of(site, 5) for site in ("bbc.co.uk", "spiegel.de", "yle.fi")] == [1, 2, 4]


def test_folds_are_of_similar_size() -> None:
    sizes = [0] * 5
    for number in range(1000):
        sizes[fold_of(f"site{number}.example", 5)] += 1

    assert min(sizes) > 150


def test_a_single_fold_is_refused() -> None:
    with pytest.raises(ValueError, match="at least two folds"):
        fold_of("bbc.co.uk", 1)


def test_a_sample_takes_turns_and_smaller_ones_are_part_of_larger() -> None:
    pages = [labels("large", str(number), "a") for number in range(50)] + [labels("small", "x", "b")]

    four = sample(pages, 4)

    assert [page.corpus for page in four] == ["large", "small", "large", "large"]
    assert sample(reversed(pages), 9)[:4] == four
    assert sample(pages, 4, seed=1) != four
    assert len(sample(pages, 1000)) == 51
