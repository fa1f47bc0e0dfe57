"""Why a page was judged so, in words: what was measured, the strongest first."""

import re

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages.features import FEATURES
from broadsheet.pages.location import Location

#: Reasons given at most.
MOST = 8
#: A feature with less than this share of all that spoke for the verdict is no reason.
LEAST_SHARE = 0.04

#: Every feature in words, with its value in the place that is marked.
_COUNTED = {
    "mss": "the best run of text outweighs what interrupts it by {:,.0f} characters",
    "mss_share": "the best run of text makes {:.0%} of the page",
    "coreex_score": "the main element scores {:.3f} by CoreEx",
    "coreex_words": "{:,.0f} words below the main element",
    "coreex_share": "{:.0%} of the words outside links stand below the main element",
    "longest_text": "the longest text without a tag has {:,.0f} words",
    "words": "{:,.0f} words in all",
    "links": "{:,.0f} links",
    "link_share": "{:.0%} of the text stands in links",
    "words_a_link": "{:,.1f} words of text for every link",
    "headline_links": "{:,.0f} links as long as headlines",
    "headline_ratio": "{:.2f} words in headline-like links for every word of text",
    "paragraphs": "{:,.0f} paragraphs",
    "long_paragraphs": "{:,.0f} long paragraphs",
    "longest_paragraph": "the longest paragraph has {:,.0f} words",
    "paragraph_share": "{:.0%} of the text stands in paragraphs",
    "together": "{:,.0f} paragraphs stand together in one element",
    "together_share": "one element directly holds {:.0%} of the text in paragraphs",
    "together_words": "{:,.0f} words of paragraphs stand together in one element",
    "headings": "{:,.0f} headings",
    "linked_headings": "{:,.0f} headings with a link",
    "linked_heading_share": "{:.0%} of the headings are links",
    "h1": "{:,.0f} main headings",
    "h1_words": "a main heading of {:,.0f} words",
    "title_words": "a title of {:,.0f} words",
    "times": "{:,.0f} elements for times",
    "articles": "{:,.0f} elements called article",
    "pictures": "{:,.0f} pictures",
    "controls": "{:,.0f} form controls",
    "largest_collection": "a group of {:,.0f} headline-like links",
    "schema_things": "{:,.0f} other things described by schema.org",
    "authors": "{:,.0f} authors named in the metadata",
    "topics": "{:,.0f} topics named in the metadata",
    "crumbs": "a breadcrumb trail of {:,.0f} steps",
    "feeds": "{:,.0f} feeds",
    "url_depth": "an address of {:,.0f} parts",
    "url_slug_words": "{:,.0f} words in one part of the address",
    "url_longest_number": "a number of {:,.0f} digits in the address",
    "url_path_length": "an address with a path of {:,.0f} characters",
    "url_last_words": "{:,.0f} words at the end of the address",
    "url_last_length": "{:,.0f} characters at the end of the address",
    "url_parameters": "{:,.0f} parameters in the address",
}
#: Features that hold or do not.
_HELD = {
    "main_is_body": ("the main element is the page's body", "the main element is not the page's body"),
    "main_is_p": ("the main element is a single paragraph", "the main element is more than a paragraph"),
    "set_is_p": ("the main element consists of paragraphs", "the main element does not consist of paragraphs"),
    "set_is_text": ("the main element holds bare text", "the main element holds other elements"),
    "schema_list": ("schema.org's types say it is a list", "no type of schema.org says it is a list"),
    "published": ("the metadata gives a date of publication", "the metadata gives no date of publication"),
    "modified": ("the metadata gives a date of change", "the metadata gives no date of change"),
    "sections": ("the metadata names a section", "the metadata names no section"),
    "paywall": ("the metadata says who may read it", "the metadata does not say who may read it"),
    "canonical": ("the page gives its address", "the page does not give its address"),
    "url_slash": ("an address that ends in a slash", "an address that does not end in a slash"),
    "url_listing": ("a word of lists in the address", "no word of lists in the address"),
    "url_service": ("a word of service pages in the address", "no word of service pages in the address"),
    "url_media": ("a word of pictures or sound in the address", "no word of pictures or sound in the address"),
}
#: What a page says by `og:type` and schema.org: something else, nothing, or an article.
_STANCES = {
    "og_article": ("og:type says it is no article", "no og:type", "og:type says it is an article"),
    "schema_article": (
        "schema.org's types do not call it an article",
        "no type of schema.org",
        "schema.org's types call it an article",
    ),
}
#: One of something, in words that are made for several.
_ONE = re.compile(r"(?<![0-9.,])1 ([a-z]+)s\b")
_DATES = ("no date in the address", "a year in the address", "a month in the address", "a day in the address")


def reasons(row: NDArray[np.float32], moved: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the strongest reasons, given what was measured and how far each feature moved the answer."""
    spoke = np.maximum(moved, 0)
    least = LEAST_SHARE * float(spoke.sum())
    strongest = [index for index in np.argsort(-spoke, kind="stable")[:MOST].tolist() if spoke[index] > least]
    # Features of the address may all say the same thing: that there is none.
    return tuple(dict.fromkeys(in_words(FEATURES[index], float(row[index])) for index in strongest))


def in_words(name: str, value: float) -> str:
    """Write one feature's value as a person would say it."""
    if name in Location._fields and value < 0:
        return "no known address"
    if name in _STANCES:
        return _STANCES[name][int(value) + 1]
    if name in _HELD:
        return _HELD[name][0 if value > 0 else 1]
    if name == "url_date":
        return _DATES[int(value)]
    if name == "after_h1":
        return "no main heading with text" if value < 0 else f"{value:.0%} of the long texts follow the main heading"
    return _ONE.sub(r"1 \1", _COUNTED[name].format(value))
