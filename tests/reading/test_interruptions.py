"""Captions, and links to other stories between paragraphs, are not read as part of the body around them."""

import numpy as np
import pytest

from broadsheet.document import parse
from broadsheet.reading._captions import MAX_WORDS
from broadsheet.reading.lines.interruptions import LOWERED, MAX_LINES, lower_interruptions
from broadsheet.reading.lines.lines import find_lines

LOW = round(float(LOWERED), 2)
STORY = "<p>One line of text.</p>"
LINK = "<a href=/storm>Storm warning lifted</a>"


def lowered(html: str, url: str | None = "https://news.example/story") -> list[float]:
    document = parse(html, url)
    lines = find_lines(document)
    found = lower_interruptions(document, lines, np.full(len(lines), 0.9, np.float32))
    return [round(each, 2) for each in found.tolist()]


@pytest.mark.parametrize(
    "caption",
    [
        "<figure><img src=a.jpg><figcaption>The harbour</figcaption></figure>",
        "<div class=wp-caption><p>The harbour</p></div>",
        "<div id=imageCaption>The harbour</div>",
    ],
)
def test_captions_are_not_body(caption: str) -> None:
    assert lowered(f"{STORY}{caption}{STORY}") == [0.9, LOW, 0.9]


def test_a_story_told_below_pictures_is_left_to_the_nets() -> None:
    story = "word " * (MAX_WORDS + 1)

    assert lowered(f"<figcaption>{story}</figcaption>{STORY}") == [0.9, 0.9]


def test_a_picture_whose_caption_is_the_story_is_left_to_the_nets() -> None:
    assert lowered(f"<figcaption>{'word ' * 9}</figcaption>{STORY}") == [0.9, 0.9]


def test_a_name_for_several_captions_is_not_that_of_one() -> None:
    assert lowered(f"<div class='video captions-off'>{STORY}</div>") == [0.9]


@pytest.mark.parametrize(
    "line",
    [f"<p>{LINK}</p>", f"<p>More: {LINK}{LINK * 2}</p>", f"<ul><li>{LINK}</ul>", f"<ul><li><div>{LINK}</div></ul>"],
)
def test_paragraphs_and_items_that_only_link_to_other_pages_of_the_site_are_not_body(line: str) -> None:
    assert lowered(f"{STORY}{line}{STORY}") == [0.9, LOW, 0.9]


@pytest.mark.parametrize("line", [f"<p>The {LINK} at noon.</p>", f"<h2>{LINK}</h2>", f"<div>{LINK}</div>"])
def test_sentences_and_headings_with_links_are_left_to_the_nets(line: str) -> None:
    assert set(lowered(f"{STORY}{line}{STORY}")) == {0.9}


@pytest.mark.parametrize(
    "href", ["https://elsewhere.example/study", "#storm", "/story#storm", "mailto:desk@news.example"]
)
def test_links_to_other_sites_and_within_the_page_are_left_to_the_nets(href: str) -> None:
    assert lowered(f"{STORY}<p><a href='{href}'>Storm warning lifted</a></p>") == [0.9, 0.9]


def test_without_an_address_no_site_is_known() -> None:
    assert lowered(f"{STORY}<p>{LINK}</p>", url=None) == [0.9, 0.9]


def test_no_more_links_are_resolved_than_the_cap() -> None:
    found = lowered(f"<p>{LINK}</p>" * (MAX_LINES + 1))

    assert found == [LOW] * MAX_LINES + [0.9]


def test_no_line_becomes_likelier() -> None:
    document = parse(f"<figcaption>The harbour</figcaption><p>{LINK}</p>{STORY}", "https://news.example/story")
    probabilities = np.array([0.01, 0.02, 0.03], np.float32)

    assert lower_interruptions(document, find_lines(document), probabilities).tolist() == probabilities.tolist()
