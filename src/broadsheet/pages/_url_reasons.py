"""The reasons for a verdict on a URL, in words: the groups of features that contributed most."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages.url_features import FEATURES

#: The most reasons given.
MOST = 3

#: Themes that contributed less than this, in logits, are left out.
LEAST = 0.15

Values = Mapping[str, float]


def _headline(features: Values) -> str:
    words = int(features["slug_words"])
    return f"a headline of {words} words in the address" if words > 3 else "no headline in the address"


def _number(features: Values) -> str:
    digits = int(max(features["longest_number"], features["query_number"]))
    return f"a number of {digits} digits in the address" if digits else "no number in the address"


def _date(features: Values) -> str:
    return f"{('no date', 'a year', 'a month', 'a day')[int(features['date'])]} in the address"


def _depth(features: Values) -> str:
    depth = int(features["depth"])
    return (
        f"an address of {depth} {'part' if depth == 1 else 'parts'}" if depth else "the address of the site's home page"
    )


def _ending(features: Values) -> str:
    if features["page_extension"]:
        return "an address with the extension of a page"
    return f"an address {'with' if features['slash'] else 'without'} a slash at its end"


def _host(features: Values) -> str:
    return "a subdomain of the site" if features["host_labels"] else "the site's main host"


def _service(features: Values) -> str:
    matches = features["service"] + features["last_service"] + features["host_service"]
    return f"{'a' if matches else 'no'} word typical of service pages in the address"


def _listing(features: Values) -> str:
    matches = features["listing"] + features["last_listing"] + features["host_listing"]
    return f"{'a' if matches else 'no'} word typical of lists in the address"


def _media(features: Values) -> str:
    matches = features["media"] + features["last_media"] + features["host_media"]
    return f"{'a' if matches else 'no'} word typical of pictures, video or audio in the address"


def _query(features: Values) -> str:
    return "a query in the address" if features["query_length"] else "no query in the address"


def _anchor(features: Values) -> str:
    if np.isnan(features["anchor_words"]):
        return "no link text"
    words = int(features["anchor_words"])
    return f"a link text of {words} {'word' if words == 1 else 'words'}"


_THEMES: tuple[tuple[Callable[[Values], str], str], ...] = (
    (
        _headline,
        "slug_words slug_length slug_from_end slug_short_words slug_longest_word words last_words",
    ),
    (_headline, "last_length last_letters last_longest_word last_short_words path_length"),
    (_number, "last_digits last_number last_ends_in_digit last_mixed above_is_number digits numbers longest_number"),
    (_number, "longest_mixed last_is_number query_number"),
    (_date, "date"),
    (_depth, "depth first_length first_words only_segment"),
    (_ending, "slash page_extension"),
    (_host, "host_labels"),
    (_service, "host_service last_service service"),
    (_listing, "host_listing last_listing listing above_listing"),
    (_media, "host_media last_media media"),
    (_query, "parameters query_length"),
    (_anchor, " ".join(name for name in FEATURES if name.startswith("anchor_"))),
)
_THEME_OF = {name: phrase for phrase, names in _THEMES for name in names.split()}


def reasons(row: NDArray[np.float32], contributions: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the strongest reasons, given the features and how far each moved the score."""
    features = dict(zip(FEATURES, row.tolist(), strict=True))
    weights: dict[Callable[[Values], str], float] = {}
    for name, weight in zip(FEATURES, contributions.tolist(), strict=True):
        phrase = _THEME_OF[name]
        weights[phrase] = weights.get(phrase, 0.0) + weight
    strongest = sorted(weights, key=lambda phrase: weights[phrase], reverse=True)[:MOST]
    return tuple(phrase(features) for phrase in strongest if weights[phrase] >= LEAST)


def theme(name: str, features: Values) -> str:
    """Describe the theme to which a URL feature belongs."""
    return _THEME_OF[name](features)
