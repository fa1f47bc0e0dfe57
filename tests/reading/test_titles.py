import pytest

from broadsheet.document import parse
from broadsheet.reading.titles import find_title, shown, without_site


def test_the_heading_that_the_metadata_repeat_is_the_title() -> None:
    title = find_title(parse("<title>Bridge reopens - The Courier</title><h1>The Courier</h1><h1>Bridge reopens</h1>"))

    assert title is not None
    assert title.text == "Bridge reopens"
    assert title.evidence == "h1 repeated in the metadata"
    assert title.node is not None


def test_a_heading_of_one_common_word_is_no_title() -> None:
    title = find_title(parse("<title>News: the harbour bridge reopens at last</title><h1>News</h1>"))

    assert title is not None
    assert title.text == "News: the harbour bridge reopens at last"


def test_without_such_a_heading_the_metadata_say_it() -> None:
    page = "<title>x</title><meta property=og:title content='Bridge reopens'><p>Text</p>"

    title = find_title(parse(page))

    assert title is not None
    assert (title.text, title.evidence, title.node) == ("Bridge reopens", "meta og:title", None)


def test_without_metadata_the_only_h1_is_the_title() -> None:
    title = find_title(parse("<h1>Bridge reopens</h1><h2>Weather</h2>"))

    assert title is not None
    assert title.text == "Bridge reopens"


def test_a_page_that_says_nothing_has_no_title() -> None:
    assert find_title(parse("<h1>One</h1><h1>Two</h1>")) is None
    assert find_title(parse("")) is None


@pytest.mark.parametrize(
    ("title", "rest"),
    [
        ("Bridge reopens | The Courier", "Bridge reopens"),
        ("The Courier: Bridge reopens", "Bridge reopens"),
        ("Bridge reopens – Politics – The Courier", "Bridge reopens – Politics"),
        ("Bridge reopens - courier.example", "Bridge reopens"),
        ("Inter-city bridge - reopens", "Inter-city bridge - reopens"),
        ("The Courier", "The Courier"),
        ("橋が再開｜The Courier", "橋が再開"),
    ],
)
def test_the_name_of_the_site_is_taken_off(title: str, rest: str) -> None:
    assert without_site(title, ["The Courier", "courier.example"]) == rest


def test_of_a_title_with_the_sites_name_the_part_that_the_page_shows_is_taken() -> None:
    document = parse(
        "<title>Bridge reopens: at last | The Harbour Post</title><p><font>Bridge reopens: at last</font><p>Text"
    )

    title = find_title(document)

    assert title is not None
    assert title.text == "Bridge reopens: at last"


def test_a_title_that_the_page_shows_nowhere_is_taken_whole() -> None:
    assert shown("Bridge reopens | The Harbour Post", b"nothing of it") == "Bridge reopens | The Harbour Post"
    assert shown("A | The Harbour Post of the town", b"A A A") == "A | The Harbour Post of the town"
