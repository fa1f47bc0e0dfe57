"""What the text of links tells, in scripts with spaces and without."""

import pytest

from broadsheet.sources.link_features import LINK_FEATURES, measure_links, with_spaces
from broadsheet.sources.source_links import SourceLinks
from tests.sources.visits import visit


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        ("Storm over the harbour", "Storm over the harbour"),
        ("Überfall in Köln", "Überfall in Köln"),
        ("台風が港を襲う", "台風 が港 を襲 う"),
        ("スポーツ", "スポ ーツ"),
        ("พายุถล่มท่าเรือ", "พา ยุ ถล ่ม ท่ าเ รื อ"),
        ("태풍이 항구를 덮치다", "태풍이 항구를 덮치다"),
        ("", ""),
    ],
)
def test_two_characters_of_a_script_without_spaces_are_a_word(text: str, spaced: str) -> None:
    assert with_spaces(text) == spaced


def test_a_japanese_headline_has_more_words_than_the_name_of_a_section() -> None:
    targets, anchors = ["https://news.example/a", "https://news.example/b"], ["台風が港を襲い、数千世帯が停電", "経済"]
    links = SourceLinks()
    links.add(visit("home", 0, {1: targets}), targets, anchors, ["/html/body/a"] * 2)

    words = measure_links(links.table(targets))[:, LINK_FEATURES.index("anchor_words")].tolist()

    assert words[0] >= 7
    assert words[1] == 1


def test_a_footer_stands_further_down_than_a_menu() -> None:
    menu, footer = ["https://news.example/a", "https://news.example/b"], ["https://news.example/imprint"]
    links = SourceLinks()
    for snapshot in range(2):
        links.add(visit("home", snapshot, {1: menu, 2: footer}), [*menu, *footer], [""] * 3, ["/html/body/a"] * 3)

    depths = measure_links(links.table([*menu, *footer]))[:, LINK_FEATURES.index("depth_on_page")].tolist()

    assert depths == pytest.approx([1 / 6, 3 / 6, 5 / 6])
