"""The reasons for a verdict on a page, in words: the features that contributed most, strongest first."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages._page_shape import DATE_LINES
from broadsheet.pages._url_reasons import theme
from broadsheet.pages.location import LOCATION
from broadsheet.pages.page_features import FEATURES

#: The most reasons given.
MOST = 8
#: Features with less than this share of all positive contributions are left out.
MIN_SHARE = 0.04

_PLURALS = {"article": "articles", "section": "sections", "other": "other pages"}

#: Numeric features in words.
_NUMBERS = {
    "words": "{:,.0f} words in total",
    "links": "{:,.0f} links",
    "link_share": "{:.0%} of the text is in links",
    "words_a_link": "{:,.1f} words of text per link",
    "headline_links": "{:,.0f} links as long as headlines",
    "headline_ratio": "{:.2f} words in headline-like links per word of text",
    "headline_share": "{:.0%} of the links are as long as headlines",
    "anchor_words": "links of {:.1f} words on average",
    "anchor_spread": "the lengths of links vary by {:.1f} words",
    "empty_links": "{:.0%} of the links have no text",
    "slug_links": "{:,.0f} links with a headline in their address",
    "slug_share": "{:.0%} of the links have a headline in their address",
    "fragment_links": "{:,.0f} links within the page",
    "href_length": "link addresses of {:.0f} characters on average",
    "paragraphs": "{:,.0f} paragraphs",
    "long_paragraphs": "{:,.0f} long paragraphs",
    "longest_paragraph": "the longest paragraph has {:,.0f} words",
    "paragraph_share": "{:.0%} of the text is in paragraphs",
    "together": "{:,.0f} paragraphs share one parent element",
    "together_share": "{:.0%} of the text in paragraphs shares one parent element",
    "together_words": "{:,.0f} words in paragraphs with one parent element",
    "holders": "paragraphs in {:,.0f} different elements",
    "scattered": "{:.2f} parent elements per paragraph",
    "line_words": "lines of {:.1f} words on average",
    "short_lines": "{:.0%} of the lines have only a few words",
    "run_words": "{:,.0f} words of text not interrupted by a headline-like link",
    "run_share": "{:.0%} of the text is not interrupted by a headline-like link",
    "second_run": "{:,.0f} words in the second-longest text between headline-like links",
    "teasers": "{:,.0f} short texts between headline-like links",
    "unbroken_words": "{:,.0f} words of text not interrupted by a line of links",
    "unbroken_share": "{:.0%} of the text is not interrupted by a line of links",
    "mss": "the best run of text outweighs its interruptions by {:,.0f} characters",
    "mss_share": "the best run of text is {:.0%} of the page",
    "date_lines": "{:,.0f} short lines with digits, like dates",
    "main_start": "the main element begins after {:.0%} of the page",
    "main_end": "the main element ends after {:.0%} of the page",
    "main_elements": "{:,.0f} elements inside the main element",
    "main_words": "{:,.0f} words in the main element",
    "main_links": "{:,.0f} links in the main element",
    "main_link_share": "{:.0%} of the main element's words are in links",
    "main_words_a_link": "{:,.1f} words per link in the main element",
    "main_headings": "{:,.0f} headings in the main element",
    "main_headlines": "{:,.0f} headline-like links in the main element",
    "main_children": "{:,.0f} children of the main element",
    "main_items": "{:,.0f} list items in the main element",
    "headings": "{:,.0f} headings",
    "linked_headings": "{:,.0f} headings with a link",
    "linked_heading_share": "{:.0%} of the headings have a link",
    "h1": "{:,.0f} main headings",
    "h1_words": "a main heading of {:,.0f} words",
    "title_words": "a title of {:,.0f} words",
    "quotes": "{:.3f} quotation marks per word",
    "money": "{:.3f} currency signs per word",
    "questions": "{:.3f} question marks per word",
    "digits": "{:.0%} of the characters are digits",
    "upper": "{:.0%} of the letters are capitals",
    "punctuation": "{:.0%} of the characters are punctuation",
    "longest_text": "the longest text without a tag has {:,.0f} words",
    "controls": "{:,.0f} form controls",
    "lines_after_h1": "{:,.0f} lines between the main heading and the first paragraph",
    "links_after_h1": "{:,.0f} lines of links between the main heading and the first paragraph",
    "dates_after_h1": "{:,.0f} short lines with digits between the main heading and the first paragraph",
    "opening_words": "{:,.0f} words in the paragraphs that follow the main heading",
    "opening_share": "{:.0%} of the text is in the paragraphs that follow the main heading",
    "h1_end": "the main heading ends after {:.0%} of the page",
    "times": "{:,.0f} time elements",
    "articles": "{:,.0f} article elements",
    "pictures": "{:,.0f} pictures",
    "p": "{:,.0f} p elements",
    "breaks": "{:,.0f} line breaks",
    "items": "{:,.0f} list items",
    "h2": "{:,.0f} second-level headings",
    "h3": "{:,.0f} third-level headings",
    "preformatted": "{:,.0f} preformatted texts",
    "code": "{:,.0f} code elements",
    "definitions": "{:,.0f} definition lists",
    "tables": "{:,.0f} tables",
    "forms": "{:,.0f} forms",
    "text_fields": "{:,.0f} multi-line text fields",
    "frames": "{:,.0f} frames",
    "videos": "{:,.0f} videos",
    "figures": "{:,.0f} figures",
    "captions": "{:,.0f} captions",
    "largest_collection": "a group of {:,.0f} headline-like links",
    "heading_in_title": "{:.0%} of the main heading's words are in the title",
    "heading_in_title_words": "a main heading of {:,.0f} words that matches the title",
    "title_service": "{:,.0f} words typical of service pages in the title",
    "title_service_share": "{:.0%} of the title's words are typical of service pages",
    "title_listing": "{:,.0f} words typical of lists in the title",
    "title_media": "{:,.0f} words typical of pictures, video or audio in the title",
    "heading_service": "{:,.0f} words typical of service pages in the main heading",
    "heading_service_share": "{:.0%} of the main heading's words are typical of service pages",
    "heading_listing": "{:,.0f} words typical of lists in the main heading",
    "legal_share": "{:.0%} of the words in the title or main heading are typical of legal pages",
    "schema_articles": "{:,.0f} articles described by schema.org",
    "schema_things": "{:,.0f} other objects described by schema.org",
    "authors": "{:,.0f} authors named in the metadata",
    "topics": "{:,.0f} topics named in the metadata",
    "crumbs": "a breadcrumb trail of {:,.0f} steps",
    "feeds": "{:,.0f} feeds",
    "description": "a description of {:,.0f} characters",
    "images": "{:,.0f} pictures named in the metadata",
    "alternates": "{:,.0f} editions in other languages",
    "passwords": "{:,.0f} password fields",
    "mail_fields": "{:,.0f} fields for a mail address",
    "text_inputs": "{:,.0f} single-line text fields",
    "choices": "{:,.0f} boxes to tick",
    "mail_links": "{:,.0f} links to a mail address",
    "phone_links": "{:,.0f} links to a phone number",
    "at_signs": "{:,.0f} at signs, as in mail addresses",
    "url_legal": "{:.0%} of the words at the end of the address are typical of legal pages",
}
#: Features that are true or false.
_FLAGS = {
    "schema_list": ("its schema.org type is a list", "its schema.org type is not a list"),
    "schema_forum": ("its schema.org type is a discussion", "its schema.org type is not a discussion"),
    "schema_product": ("schema.org describes something for sale", "schema.org describes nothing for sale"),
    "schema_video": ("its schema.org type is a video", "its schema.org type is not a video"),
    "og_video": ("its og:type is a video", "its og:type is not a video"),
    "published": ("the metadata gives a publication date", "the metadata gives no publication date"),
    "modified": ("the metadata gives a modification date", "the metadata gives no modification date"),
    "sections": ("the metadata names a section", "the metadata names no section"),
    "paywall": ("the metadata states whether access is free", "the metadata does not state whether access is free"),
    "canonical": ("the page has a canonical address", "the page has no canonical address"),
    "amp": ("the page has an AMP edition", "the page has no AMP edition"),
    "noindex": ("search engines are asked not to index it", "search engines may index it"),
    "body_single": ("the publishing system calls it a post", "the publishing system does not call it a post"),
    "body_list": ("the publishing system calls it a list", "the publishing system does not call it a list"),
    "body_page": ("the publishing system calls it a page", "the publishing system does not call it a page"),
}
#: What `og:type` and schema.org claim: something else, nothing, or an article.
_CLAIMS = {
    "og_article": ("its og:type is not an article", "no og:type", "its og:type is an article"),
    "schema_article": (
        "its schema.org type is not an article",
        "no schema.org type",
        "its schema.org type is an article",
    ),
}
#: Features that are negative without a main heading.
_AFTER_HEADING = frozenset(
    {"date_after_h1", "lines_after_h1", "links_after_h1", "dates_after_h1", "opening_words", "opening_share", "h1_end"}
)
#: The features of the page's URL, and the name of each among the URL features.
_ADDRESS = {name: name.removeprefix("url_") for name in LOCATION}
#: A plural after the number one: "1 links", "1 list items", "1 multi-line text fields".
_SINGULAR = re.compile(r"(?<![0-9.,])1 ((?:[a-z-]+ ){0,2}?[a-z]+)s\b")


def reasons(features: Mapping[str, float], contributions: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the strongest reasons, given the features by name and how far each moved the score."""
    positive = np.maximum(contributions, 0)
    least = MIN_SHARE * float(np.add.reduce(positive))
    # Few features pass the threshold, so only those are sorted.
    candidates: list[int] = (positive > least).nonzero()[0].tolist()
    strongest = sorted(candidates, key=contributions.item, reverse=True)[:MOST]
    # Several URL features may give the same reason: that no URL is known.
    return tuple(dict.fromkeys(describe(FEATURES[index], features) for index in strongest))


def term_reasons(kind: str, terms: Sequence[str]) -> tuple[str, ...]:
    """Return the reason that some terms of a page are typical of its kind, if any are."""
    return (f"names of elements and words in links typical of {_PLURALS[kind]}: {', '.join(terms)}",) if terms else ()


def describe(name: str, features: Mapping[str, float]) -> str:
    """Describe the value of one feature in words."""
    value = features[name]
    if name in _ADDRESS and value < 0:
        return "no known address"
    if name in _CLAIMS:
        return _CLAIMS[name][int(value) + 1]
    if name in _FLAGS:
        return _FLAGS[name][0 if value > 0 else 1]
    if name == "after_h1":
        return "no main heading with text" if value < 0 else f"{value:.0%} of the long texts follow the main heading"
    if name in _AFTER_HEADING and value < 0:
        return "no main heading"
    if name == "date_after_h1":
        return f"{'a' if value < DATE_LINES else 'no'} short line with digits soon after the main heading"
    if name in _NUMBERS:
        text = _NUMBERS[name].format(value)
        return _SINGULAR.sub(r"1 \1", text) if "1 " in text else text
    return theme(_ADDRESS[name], {url_name: features[name] for name, url_name in _ADDRESS.items()})
