"""Why a page was judged so, in words: what was measured, the strongest first."""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages.location import LOCATION
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.url_reasons import theme

#: Reasons given at most.
MOST = 8
#: A feature with less than this share of all that spoke for the verdict is no reason.
LEAST_SHARE = 0.04

#: Features of a page in words, each with its value in the place that is marked.
_COUNTED = {
    "words": "{:,.0f} words in all",
    "links": "{:,.0f} links",
    "link_share": "{:.0%} of the text stands in links",
    "words_a_link": "{:,.1f} words of text for every link",
    "headline_links": "{:,.0f} links as long as headlines",
    "headline_ratio": "{:.2f} words in headline-like links for every word of text",
    "headline_share": "{:.0%} of the links are as long as headlines",
    "anchor_words": "links of {:.1f} words on average",
    "anchor_spread": "the lengths of links differ by {:.1f} words",
    "empty_links": "{:.0%} of the links hold no text",
    "slug_links": "{:,.0f} links with a headline in their address",
    "slug_share": "{:.0%} of the links have a headline in their address",
    "fragment_links": "{:,.0f} links within the page",
    "href_length": "addresses of {:.0f} characters in links",
    "paragraphs": "{:,.0f} paragraphs",
    "long_paragraphs": "{:,.0f} long paragraphs",
    "longest_paragraph": "the longest paragraph has {:,.0f} words",
    "paragraph_share": "{:.0%} of the text stands in paragraphs",
    "together": "{:,.0f} paragraphs stand together in one element",
    "together_share": "one element directly holds {:.0%} of the text in paragraphs",
    "together_words": "{:,.0f} words of paragraphs stand together in one element",
    "holders": "paragraphs in {:,.0f} different places",
    "scattered": "{:.2f} places for every paragraph",
    "line_words": "lines of {:.1f} words on average",
    "short_lines": "{:.0%} of the lines have only a few words",
    "run_words": "{:,.0f} words of text with no headline-like link in between",
    "run_share": "{:.0%} of the text comes with no headline-like link in between",
    "second_run": "{:,.0f} words in the second longest text between headline-like links",
    "teasers": "{:,.0f} short texts between headline-like links",
    "unbroken_words": "{:,.0f} words of text with no link line in between",
    "unbroken_share": "{:.0%} of the text comes with no link line in between",
    "mss": "the best run of text outweighs what interrupts it by {:,.0f} characters",
    "mss_share": "the best run of text makes {:.0%} of the page",
    "date_lines": "{:,.0f} short lines with a number, as dates are",
    "main_start": "the main element begins after {:.0%} of the page",
    "main_end": "the main element ends after {:.0%} of the page",
    "main_elements": "{:,.0f} elements in the main one",
    "main_words": "{:,.0f} words in the main element",
    "main_links": "{:,.0f} links in the main element",
    "main_link_share": "{:.0%} of the main element's words are links",
    "main_words_a_link": "{:,.1f} words for every link in the main element",
    "main_headings": "{:,.0f} headings in the main element",
    "main_headlines": "{:,.0f} headline-like links in the main element",
    "main_children": "{:,.0f} parts of the main element",
    "main_items": "{:,.0f} items of lists in the main element",
    "headings": "{:,.0f} headings",
    "linked_headings": "{:,.0f} headings with a link",
    "linked_heading_share": "{:.0%} of the headings are links",
    "h1": "{:,.0f} main headings",
    "h1_words": "a main heading of {:,.0f} words",
    "title_words": "a title of {:,.0f} words",
    "quotes": "{:.3f} quotation marks for every word",
    "money": "{:.3f} signs of money for every word",
    "questions": "{:.3f} question marks for every word",
    "digits": "{:.0%} of the text are digits",
    "upper": "{:.0%} of the letters are capitals",
    "punctuation": "{:.0%} of the text are marks",
    "longest_text": "the longest text without a tag has {:,.0f} words",
    "controls": "{:,.0f} form controls",
    "times": "{:,.0f} elements for times",
    "articles": "{:,.0f} elements called article",
    "pictures": "{:,.0f} pictures",
    "p": "{:,.0f} elements for paragraphs",
    "breaks": "{:,.0f} line breaks",
    "items": "{:,.0f} items of lists",
    "h2": "{:,.0f} headings of the second level",
    "h3": "{:,.0f} headings of the third level",
    "preformatted": "{:,.0f} texts set as typed",
    "code": "{:,.0f} pieces of code",
    "definitions": "{:,.0f} lists of terms",
    "tables": "{:,.0f} tables",
    "forms": "{:,.0f} forms",
    "text_fields": "{:,.0f} fields for longer texts",
    "frames": "{:,.0f} frames",
    "videos": "{:,.0f} videos",
    "figures": "{:,.0f} figures",
    "captions": "{:,.0f} captions",
    "largest_collection": "a group of {:,.0f} headline-like links",
    "heading_in_title": "{:.0%} of a main heading's words are in the title",
    "heading_in_title_words": "a main heading of {:,.0f} words that fits the title",
    "title_service": "{:,.0f} words of service pages in the title",
    "title_service_share": "{:.0%} of the title are words of service pages",
    "title_listing": "{:,.0f} words of lists in the title",
    "title_media": "{:,.0f} words of pictures or sound in the title",
    "legal_share": "{:.0%} of the title or main heading are words of legal statements",
    "schema_articles": "{:,.0f} articles described by schema.org",
    "schema_things": "{:,.0f} other things described by schema.org",
    "authors": "{:,.0f} authors named in the metadata",
    "topics": "{:,.0f} topics named in the metadata",
    "crumbs": "a breadcrumb trail of {:,.0f} steps",
    "feeds": "{:,.0f} feeds",
    "description": "a description of {:,.0f} characters",
    "images": "{:,.0f} pictures named in the metadata",
    "alternates": "{:,.0f} editions in other languages",
    "passwords": "{:,.0f} fields for a password",
    "url_legal": "{:.0%} of the address's end are words of legal statements",
}
#: Features that hold or do not.
_HELD = {
    "schema_list": ("schema.org's types say it is a list", "no type of schema.org says it is a list"),
    "schema_forum": ("schema.org's types say it is a discussion", "no type of schema.org says it is a discussion"),
    "schema_product": ("schema.org describes something for sale", "schema.org describes nothing for sale"),
    "schema_video": ("schema.org's types say it is a video", "no type of schema.org says it is a video"),
    "og_video": ("og:type says it is a video", "og:type does not say it is a video"),
    "published": ("the metadata gives a date of publication", "the metadata gives no date of publication"),
    "modified": ("the metadata gives a date of change", "the metadata gives no date of change"),
    "sections": ("the metadata names a section", "the metadata names no section"),
    "paywall": ("the metadata says who may read it", "the metadata does not say who may read it"),
    "canonical": ("the page gives its address", "the page does not give its address"),
    "amp": ("there is an edition for phones", "there is no edition for phones"),
    "noindex": ("search engines are asked not to keep it", "search engines may keep it"),
    "body_single": ("the publishing system calls it a post", "the publishing system does not call it a post"),
    "body_list": ("the publishing system calls it a list", "the publishing system does not call it a list"),
    "body_page": ("the publishing system calls it a page", "the publishing system does not call it a page"),
}
#: What a page says by `og:type` and schema.org: something else, nothing, or an article.
_STANCES = {
    "og_article": ("og:type says it is not an article", "no og:type", "og:type says it is an article"),
    "schema_article": (
        "schema.org's types do not call it an article",
        "no type of schema.org",
        "schema.org's types call it an article",
    ),
}
#: The features of the page's address, and what each is called where there is no page.
_ADDRESS = {name: name.removeprefix("url_") for name in LOCATION}
#: One of something, in words that are made for several.
_ONE = re.compile(r"(?<![0-9.,])1 ([a-z]+)s\b")


def reasons(row: NDArray[np.float32], moved: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the strongest reasons, given what was measured and how far each feature moved the answer."""
    spoke = np.maximum(moved, 0)
    least = LEAST_SHARE * float(spoke.sum())
    # Few features speak loud enough, so that only those few are put in order.
    heard: list[int] = np.flatnonzero(spoke > least).tolist()
    strongest = sorted(heard, key=moved.item, reverse=True)[:MOST]
    seen = dict(zip(FEATURES, row.tolist(), strict=True))
    # Features of the address may all say the same thing: that there is none.
    return tuple(dict.fromkeys(in_words(FEATURES[index], seen) for index in strongest))


def in_words(name: str, seen: Mapping[str, float]) -> str:
    """Write one feature of what was seen of a page as a person would say it."""
    value = seen[name]
    if name in _ADDRESS and value < 0:
        return "no known address"
    if name in _STANCES:
        return _STANCES[name][int(value) + 1]
    if name in _HELD:
        return _HELD[name][0 if value > 0 else 1]
    if name == "after_h1":
        return "no main heading with text" if value < 0 else f"{value:.0%} of the long texts follow the main heading"
    if name in _COUNTED:
        text = _COUNTED[name].format(value)
        return _ONE.sub(r"1 \1", text) if "1 " in text else text
    return theme(_ADDRESS[name], {own: seen[place] for place, own in _ADDRESS.items()})
