import pytest
from benchmarks.pages import Page
from benchmarks.scaling import MULTIPLES, choose, grow, summarise
from benchmarks.stages import BASELINE
from benchmarks.timing import Record

PAGE = Page.decode("a", b"<html><head><title>T</title></head><body class=x><p>one</p></body></html>")


def record(power: float, *pages: Page) -> Record:
    grown = [grow(page, multiple) for page in pages for multiple in MULTIPLES]
    return Record(BASELINE, {page.id: round(1000 * len(page.data) ** power) for page in grown})


def test_only_the_body_is_repeated() -> None:
    assert grow(PAGE, 3).data == PAGE.data.replace(b"<p>one</p>", b"<p>one</p>" * 3)
    assert grow(PAGE, 1).data == PAGE.data
    linking = Page.decode("b", PAGE.data.replace(b"one", b"<a href='/one?q#f'>one</a><a HREF=/two>"))
    assert grow(linking, 2).data.count(b"href='/one?q#f'") == grow(linking, 3).data.count(b"href='/one-2?q#f'") == 1
    assert grow(linking, 2).data.count(b"HREF=/two-1>") == 1
    with pytest.raises(ValueError, match="no body"):
        grow(Page.decode("b", b"<p>one"), 2)


@pytest.mark.parametrize("power", [1, 2])
def test_the_slope_is_the_exponent_of_growth(power: float) -> None:
    (scaling,) = summarise([record(power, PAGE)], [PAGE])
    assert scaling.slope == scaling.steepest == pytest.approx(power, abs=0.001)
    assert set(scaling.ns_per_byte) == set(MULTIPLES)
    if power == 1:
        assert list(scaling.ns_per_byte.values()) == pytest.approx([1000] * len(MULTIPLES))


def test_pages_that_fail_are_counted_and_left_out() -> None:
    other = Page.decode("b", PAGE.data)
    measured = record(1, PAGE, other)
    largest = grow(other, 50).id
    del measured.times[largest]
    measured.errors[largest] = "TooManyNodes in parsing.py, parse"
    (scaling,) = summarise([measured], [PAGE, other])
    assert scaling.slope == pytest.approx(1, abs=0.001)
    assert scaling.errors == {"TooManyNodes in parsing.py, parse": 1}


def test_repeatable_pages_of_median_size_are_chosen() -> None:
    pages = [Page.decode(str(count), PAGE.data.replace(b"one", b"one" * count)) for count in range(1, 10)]
    assert [page.id for page in choose(pages, 3)] == ["5", "4", "6"]
    unclosed = Page.decode("5", PAGE.data.replace(b"<p>one</p>", b"<div>oneoneone"))
    assert "5" not in [page.id for page in choose([*pages[:4], unclosed, *pages[5:]], 9)]
