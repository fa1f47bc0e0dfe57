import pytest
from hypothesis import assume, given

from broadsheet.document import parse
from broadsheet.reading.facts._title_mentions import plain_words, without_site
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.titles import assume_title, find_title
from tests.document.html import MARKUP

TEXT = "<p>The harbour bridge was opened to all traffic on Monday, three months late.</p>" * 20


def test_the_heading_that_the_metadata_repeats_is_the_title() -> None:
    page = f"<title>Bridge reopens - The Courier</title><h1>The Courier</h1><h1>Bridge reopens</h1>{TEXT}"

    title = find_title(parse(page))

    assert title is not None
    assert title.text == "Bridge reopens"
    assert title.evidence == "h1 repeated in the metadata"
    assert title.node is not None


def test_an_only_heading_that_the_metadata_repeats_is_the_title() -> None:
    title = find_title(
        parse("<title>Harbour bridge reopens at last</title><h1>Harbour bridge <b>reopens</b> at last</h1>")
    )

    assert title is not None
    assert (title.text, title.evidence) == ("Harbour bridge reopens at last", "h1 repeated in the metadata")


def test_the_site_is_left_out_of_the_title_of_a_short_page() -> None:
    page = "<title>Harbour bridge opens | The Courier</title><h1>Harbour bridge opens</h1><p>It was late.</p>"

    title = find_title(parse(page))

    assert title is not None
    assert (title.text, title.evidence) == ("Harbour bridge opens", "h1 repeated in the metadata")


def test_a_heading_of_one_common_word_is_not_the_title() -> None:
    title = find_title(parse("<title>News: the harbour bridge reopens at last</title><h1>News</h1>"))

    assert title is not None
    assert title.text == "News: the harbour bridge reopens at last"


def test_without_such_a_heading_the_metadata_gives_the_title() -> None:
    page = "<title>x</title><meta property=og:title content='Bridge reopens'><p>Text</p>"

    title = find_title(parse(page))

    assert title is not None
    assert (title.text, title.evidence, title.node) == ("Bridge reopens", "meta og:title", None)


def test_a_heading_before_the_text_is_preferred_to_one_in_the_metadata() -> None:
    page = (
        "<title>Bridge news and more | The Courier</title><h1>Harbour bridge opens to traffic after three months</h1>"
        f"{TEXT}<h2>Weather</h2>"
    )

    title = find_title(parse(page))

    assert title is not None
    assert title.text == "Harbour bridge opens to traffic after three months"


@pytest.mark.parametrize("kicker", ["City news ", "2 March 2026 ", "Report: "])
def test_a_kicker_in_the_heading_is_left_out_if_the_metadata_state_the_title_without_it(kicker: str) -> None:
    stated = "Harbour bridge opens to traffic after three months"
    head = f"<title>{stated} | The Courier</title><meta property=og:title content='{stated}'>"

    title = find_title(parse(f"{head}<h1>{kicker}{stated}</h1>{TEXT}"))

    assert title is not None
    assert title.text == stated
    assert title.node is not None


def test_without_metadata_the_only_h1_is_the_title() -> None:
    title = find_title(parse("<h1>Bridge reopens</h1><h2>Weather</h2>"))

    assert title is not None
    assert (title.text, title.evidence) == ("Bridge reopens", "h1")


def test_the_lines_of_a_heading_are_joined_with_spaces() -> None:
    title = find_title(parse("<h1>Bridge<br>reopens <i>at</i> la<i>st</i></h1>"))

    assert title is not None
    assert title.text == "Bridge reopens at last"


def test_a_page_without_headings_and_metadata_has_no_title() -> None:
    assert find_title(parse("<p>One</p>")) is None
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
def test_the_name_of_the_site_is_removed(title: str, rest: str) -> None:
    assert without_site(title, {plain_words(name) for name in ("The Courier", "courier.example")}) == rest


@given(MARKUP)
def test_a_stated_title_that_a_heading_repeats_has_the_text_of_the_heading(markup: str) -> None:
    document = parse(f"<h1>Bridge {markup}")
    title = find_title(document)
    assume(title is not None and title.node is not None)

    assert title is not None
    assert title.node is not None
    assert "".join(title.text.split()) == "".join(collapse(document.text(title.node)).split())


def test_the_name_of_a_menu_is_never_the_title() -> None:
    menu = "<nav><h2>All our departments</h2><ul><li><a href=/city>City</a></li></ul></nav>"

    assert find_title(parse(f"{menu}<p>The crane fell into the harbour on Monday, the city said.</p>")) is None


def test_a_heading_within_a_menu_that_the_metadata_repeat_may_be_the_title() -> None:
    page = "<title>Crane falls into the harbour</title><nav><h1>Crane falls into the harbour</h1></nav><p>It fell.</p>"

    title = find_title(parse(page))

    assert title is not None
    assert title.text == "Crane falls into the harbour"


def test_a_short_heading_unlike_the_stated_title_is_the_name_of_a_box() -> None:
    page = f"<title>Crane falls into the harbour of Brimmouth</title>{TEXT}<h1>Top Classifieds</h1>{TEXT}"

    title = find_title(parse(page))

    assert title is not None
    assert title.text == "Crane falls into the harbour of Brimmouth"


@pytest.mark.parametrize(
    ("signal", "title"), [("h1", "Crane falls into the basin"), ("stated", "Storm over the harbour")]
)
def test_a_title_can_be_chosen_by_weights_that_are_not_shipped(signal: str, title: str) -> None:
    document = parse("<title>Storm over the harbour</title><h1>Crane falls into the basin</h1><p>Text.")

    assume_title(document, {signal: 1.0})

    found = find_title(document)
    assert found is not None
    assert found.text == title


@pytest.mark.parametrize(
    "menu",
    [
        "<div class=menu><h2>All our departments</h2><a href=/city>City</a> <a href=/sport>Sport and weather</a></div>",
        "<div role=navigation><h2>All our departments</h2><a href=/city>City, sport and the weather</a></div>",
        "<div id=site-nav><ul><li><h3><a href=/city>City</a></h3><li><h3><a href=/sport>Sport</a></h3></ul></div>",
    ],
)
def test_a_menu_is_known_by_its_role_or_its_name_and_its_links(menu: str) -> None:
    assert find_title(parse(f"{menu}<p>The crane fell into the harbour on Monday, the city said.</p>")) is None


def test_a_headline_in_a_header_that_is_named_like_a_menu_is_the_title() -> None:
    page = f"<div class=nav-header><a href=/>Home</a><h1>Crane falls into the harbour of Brimmouth</h1></div>{TEXT}"

    title = find_title(parse(page))

    assert title is not None
    assert title.text == "Crane falls into the harbour of Brimmouth"


@pytest.mark.parametrize("word", ["Menu", "Startseite", "Recherche", "Главное меню", "Αρχική", "菜单", "เมนู", "मेन्यू"])
def test_the_words_of_menus_are_never_the_title(word: str) -> None:
    document = parse(f"<title>{word}</title><header><h1>{word}</h1></header><h2><a href=/>{word}</a></h2>{TEXT}")

    assert find_title(document) is None


def test_several_words_of_menus_are_no_title_either() -> None:
    assert find_title(parse(f"<title>Home/Startseite</title>{TEXT}")) is None


def test_a_headline_with_words_of_menus_among_others_is_a_title() -> None:
    title = find_title(parse(f"<title>Search for the missing crane</title><h1>Search for the missing crane</h1>{TEXT}"))

    assert title is not None
    assert title.text == "Search for the missing crane"


def test_where_heading_and_metadata_agree_no_other_heading_is_the_title() -> None:
    page = (
        '<title>Crane falls into the harbour</title><meta property="og:title" content="Crane falls into the harbour">'
        f"<h2>Ten recipes for a long winter in the city</h2><h1>Crane falls into the harbour</h1>{TEXT}"
        "<h1>What readers of this page liked most</h1>"
    )

    title = find_title(parse(page))

    assert title is not None
    assert title.text == "Crane falls into the harbour"
