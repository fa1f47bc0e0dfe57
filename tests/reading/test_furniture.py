import numpy as np
import pytest

from broadsheet.document import parse
from broadsheet.reading._subtrees import text_parents
from broadsheet.reading.furniture import furniture

STORY = "<p>" + "A sentence of the story. " * 10 + "</p>"


def remaining_texts(page: str) -> list[str]:
    document = parse(page)
    mask = furniture(document)[text_parents(document)]
    return [document.piece_text(piece).strip() for piece in np.flatnonzero(~mask).tolist()]


@pytest.mark.parametrize(
    "element",
    [
        "<nav>Gone</nav>",
        "<footer><p>Gone</p></footer>",
        "<div hidden>Gone</div>",
        "<div style='color:red; display : none'>Gone</div>",
        "<div class='x article-comments'>Gone</div>",
        "<ul id=relatedStories><li>Gone</li></ul>",
        "<div class=social_share>Gone</div>",
    ],
)
def test_furniture_is_found(element: str) -> None:
    assert "Gone" not in remaining_texts(f"<body>{STORY}{element}</body>")


@pytest.mark.parametrize(
    "name", ["commentary", "header", "elementor-widget-text", "shared-border-x", "address", "loads"]
)
def test_similar_names_are_not_furniture(name: str) -> None:
    assert "Stays" in remaining_texts(f"<body>{STORY}<div class={name}>Stays</div></body>")


def test_an_element_with_much_of_the_text_is_not_furniture_whatever_its_class() -> None:
    assert len(remaining_texts(f"<body><div class=sidebar>{STORY}</div><p>Some more.</p></body>")) == 2
