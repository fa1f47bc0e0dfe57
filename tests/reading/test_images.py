"""The pictures of an article, with captions and credits."""

import pytest

from broadsheet.base.records import Image
from tests.reading.fact_pages import TEXT, read_article


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("/bridge-1024x768.jpg", "/bridge.jpg"),
        ("/bridge.jpg?w=1200&h=630", "/bridge.jpg?w=640&quality=80"),
        ("/1200x630/bridge.jpg", "/640x/bridge.jpg"),
        ("/w_1200,h_630,c_fill/bridge.jpg", "/w_640/bridge.jpg"),
    ],
)
def test_an_image_in_two_sizes_is_one_image(stated: str, shown: str) -> None:
    figure = f"<figure><img src='{shown}'><figcaption>The bridge</figcaption></figure>"
    head = f"<meta property=og:image content='https://courier.example{stated}'>"

    article = read_article(figure + TEXT, head, "https://courier.example/a")

    assert article.images == (Image(f"https://courier.example{stated}", "The bridge"),)


def test_images_with_other_names_or_ids_are_different() -> None:
    head = "".join(
        f"<meta property=og:image content='https://courier.example{path}'>"
        for path in ("/bridge-1.jpg", "/bridge-2.jpg", "/image?id=1", "/image?id=2", "/2026/a.jpg", "/2025/a.jpg")
    )

    assert len(read_article(TEXT, head).images) == 6


def test_figures_give_pictures_with_captions_and_credits() -> None:
    figure = (
        "<figure><img src=/bridge.jpg><figcaption>The bridge on Monday "
        "<span class=credit>Photo: A. Lind</span></figcaption></figure>"
    )

    article = read_article(figure + TEXT, "<meta property=og:image content=/share.jpg>", "https://courier.example/a")

    assert article.images == (
        Image("https://courier.example/share.jpg"),
        Image("https://courier.example/bridge.jpg", "The bridge on Monday Photo: A. Lind", "Photo: A. Lind"),
    )
    assert article.evidence["images"] == "meta og:image"


def test_a_picture_after_the_text_is_not_part_of_the_article() -> None:
    later = "<footer><p>More of it</p><p>And more</p><figure><img src=/other.jpg></figure></footer>"

    assert read_article(TEXT + later).images == ()
