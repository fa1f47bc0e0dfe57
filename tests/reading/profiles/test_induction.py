from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.reading import read
from broadsheet.reading.profiles import SiteProfile, induce
from broadsheet.reading.profiles._observation import fingerprint
from tests.document.html import MARKUP
from tests.reading.profiles.site import FOLLOW, SENTENCES, page

DAY = date(2026, 3, 2)


def texts(profile: SiteProfile) -> list[str]:
    return [line.text for line in profile.lines]


def test_a_line_on_every_page_is_template() -> None:
    profile = induce([page(number) for number in range(4)], day=DAY)

    assert FOLLOW[:80] in texts(profile)
    assert not any(line.startswith("The harbour bridge") for line in texts(profile))


def test_the_place_where_text_varies_is_the_article() -> None:
    profile = induce([page(number) for number in range(4)], day=DAY)

    assert [place.path for place in profile.body] == ["div.page > div.story > p"]
    assert profile.body[0].pages == 4
    assert "body > ul.bar > li" in [place.path for place in profile.template]


def test_a_profile_has_its_first_day_and_its_reader() -> None:
    profile = induce([page(0), page(1)], day=DAY, reader="separator")

    assert (profile.since, profile.reader, profile.pages, profile.duplicates) == (DAY, "separator", 2, 0)


def test_an_article_published_twice_is_not_template() -> None:
    long_lines = [f"{sentence} {sentence} And that is said by page one alone." for sentence in SENTENCES]
    twice = [page(1, paragraphs=long_lines), page(2, paragraphs=long_lines)]

    profile = induce([page(0), *twice, page(3)], day=DAY)

    assert (profile.pages, profile.duplicates) == (3, 1)
    assert not any("page one" in line or line.startswith("The harbour bridge") for line in texts(profile))


def test_article_beginnings_repeated_by_a_section_are_not_template() -> None:
    lead = f"{SENTENCES[0]} Report number a."
    section = parse(f"<body><div class=teasers><div class=card><p>{lead}</p></div></div><p class=legal>x</p></body>")

    profile = induce([page(0), section, page(1)], day=DAY)

    assert lead[:80] not in texts(profile)


def test_a_line_on_few_of_many_pages_is_not_template() -> None:
    background = "The bridge was closed in December when a ship had struck its pier."
    pages = [page(number, f"<p>{background}</p>" if number < 2 else "") for number in range(10)]
    many = [*pages, *(page(number, name=f"other{'xyz'[extra]}") for number in range(10) for extra in range(2))]

    profile = induce(many, day=DAY)

    assert background not in texts(profile)
    assert FOLLOW[:80] in texts(profile)


def test_one_page_is_too_few() -> None:
    with pytest.raises(InputError, match="a profile needs at least 2 different pages with text from one site, not 1"):
        induce([page(0)], day=DAY)


def test_pages_without_text_are_ignored() -> None:
    with pytest.raises(InputError, match="not 0"):
        induce([parse("<img>"), parse("")], day=DAY)


def test_the_same_pages_give_the_same_profile() -> None:
    assert induce(map(page, range(4)), day=DAY) == induce(map(page, range(4)), day=DAY)


def test_a_fingerprint_ignores_case_numbers_and_punctuation() -> None:
    assert fingerprint("12 Comments", "div > p") == fingerprint("3 comments!", "div > p")
    assert fingerprint("12 Comments", "div > p") != fingerprint("12 Comments", "div > h2")


def test_a_line_without_letters_has_no_fingerprint() -> None:
    assert fingerprint("18/51", "p") is None
    assert fingerprint("— · —", "p") is None


@settings(deadline=None, max_examples=30)
@given(st.lists(MARKUP, min_size=2, max_size=4))
def test_any_pages_give_an_applicable_profile_or_are_too_few(pages: list[str]) -> None:
    documents = [parse(page) for page in pages]
    try:
        profile = induce(documents, day=DAY)
    except InputError:
        return
    for document in documents:
        assert len(read(document, profile=profile).labels) == len(document.pieces)
    assert profile.describe()
