import numpy as np
import pytest

from broadsheet.document import parse
from broadsheet.reading.furniture import furniture
from broadsheet.reading.subtrees import holders

STORY = "<p>" + "A sentence of the story. " * 10 + "</p>"


def kept(page: str) -> list[str]:
    document = parse(page)
    mask = furniture(document)[holders(document)]
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
def test_what_no_article_consists_of_is_found(element: str) -> None:
    assert "Gone" not in kept(f"<body>{STORY}{element}</body>")


@pytest.mark.parametrize(
    "name", ["commentary", "header", "elementor-widget-text", "shared-border-x", "address", "loads"]
)
def test_words_that_only_look_alike_are_not(name: str) -> None:
    assert "Stays" in kept(f"<body>{STORY}<div class={name}>Stays</div></body>")


def test_what_holds_much_of_the_text_is_no_furniture_whatever_it_is_called() -> None:
    assert len(kept(f"<body><div class=sidebar>{STORY}</div><p>Some more.</p></body>")) == 2
