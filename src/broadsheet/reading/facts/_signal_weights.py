"""The weight of each signal, in log odds, fitted to labelled pages of training sites; see docs/explanation/facts.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TITLE: Final[Mapping[str, float]] = MappingProxyType(
    {
        "h1": 1.75,
        "lower within a stated one": 1.45,
        "meta og:title": 1.22,
        "stated": 1.19,
        "lower early": 1.17,
        "without its end": 0.8,
        "headline": 0.77,
        "lower in a link": 0.64,
        "in the address": 0.61,
        "without its beginning": 0.61,
        "h1 early": 0.57,
        "other": 0.41,
        "h1 before text": 0.39,
        "many words": 0.37,
        "lower before text": 0.13,
        "only h1": 0.06,
        "meta twitter:title": -0.16,
        "h1 within a stated one": -0.31,
        "not in the address": -0.35,
        "site": -0.39,
        "title": -0.47,
        "few words": -0.56,
        "lower before nothing": -0.76,
        "h1 late": -0.89,
        "h2": -0.9,
        "h1 unlike": -0.96,
        "lower late": -0.97,
        "h1 before nothing": -0.99,
        "lower unlike": -1.26,
        "h1 in a link": -1.32,
        "h3": -1.54,
        "one word": -1.77,
    }
)

PUBLISHED: Final[Mapping[str, float]] = MappingProxyType(
    {
        "first near": 1.19,
        "stated": 1.05,
        "first time": 0.89,
        "meta article:published_time": 0.87,
        "json-ld other": 0.78,
        "near": 0.72,
        "address": 0.62,
        "marked": 0.5,
        "json-ld article": 0.31,
        "meta published": 0.16,
        "closing": -0.08,
        "microdata": -0.11,
        "meta other": -0.11,
        "created": -0.11,
        "near, updated": -0.25,
        "before all stated": -0.27,
        "after all stated": -0.73,
    }
)

AUTHOR: Final[Mapping[str, float]] = MappingProxyType(
    {
        "first marked": 2.99,
        "json-ld article": 2.75,
        "profile below": 1.53,
        "byline": 1.34,
        "meta author": 0.93,
        "marked opening": 0.92,
        "json-ld other": 0.78,
        "profile closing": 0.78,
        "marked above": 0.76,
        "two words": 0.72,
        "profile opening": 0.69,
        "marked closing": 0.58,
        "marked below": 0.56,
        "stated": 0.43,
        "meta": 0.37,
        "marked inside": 0.08,
        "profile inside": 0.06,
        "profile elsewhere": -0.07,
        "microdata": -0.49,
        "organisation": -0.5,
        "one word": -0.57,
        "of many": -0.59,
        "stated organisation": -1.04,
        "another stated": -1.06,
        "later": -1.65,
        "marked": -1.94,
        "another near": -2.02,
    }
)
#: The score of a name without any signal.
AUTHOR_BIAS: Final = -1.26
