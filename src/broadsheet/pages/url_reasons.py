"""Why an address was judged so, in words: the themes that moved the score most, each as what is seen of it."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages.url_features import FEATURES

#: Reasons given at most.
MOST = 3

#: A theme that moved the score, in logits, by less than this is no reason.
LEAST = 0.15

Values = Mapping[str, float]


def _headline(seen: Values) -> str:
    words = int(seen["slug_words"])
    return f"{words} words in one part of the address, as in a headline" if words > 3 else "no headline in the address"


def _number(seen: Values) -> str:
    digits = int(max(seen["longest_number"], seen["query_number"]))
    return f"a number of {digits} digits in the address" if digits else "no number in the address"


def _date(seen: Values) -> str:
    return f"{('no date', 'a year', 'a month', 'a day')[int(seen['date'])]} in the address"


def _depth(seen: Values) -> str:
    depth = int(seen["depth"])
    return f"an address of {depth} {'part' if depth == 1 else 'parts'}" if depth else "the address of a whole site"


def _ending(seen: Values) -> str:
    if seen["page_extension"]:
        return "an address that ends like a file's"
    return f"an address that ends {'with' if seen['slash'] else 'without'} a slash"


def _host(seen: Values) -> str:
    return "a part of the site with a name of its own" if seen["host_labels"] else "the site's main host"


def _service(seen: Values) -> str:
    found = seen["service"] + seen["last_service"] + seen["host_service"]
    return f"{'a' if found else 'no'} word of service pages in the address"


def _listing(seen: Values) -> str:
    found = seen["listing"] + seen["last_listing"] + seen["host_listing"]
    return f"{'a' if found else 'no'} word of lists in the address"


def _media(seen: Values) -> str:
    found = seen["media"] + seen["last_media"] + seen["host_media"]
    return f"{'a' if found else 'no'} word of pictures or sound in the address"


def _query(seen: Values) -> str:
    return "a query in the address" if seen["query_length"] else "no query in the address"


def _anchor(seen: Values) -> str:
    if np.isnan(seen["anchor_words"]):
        return "no link text"
    words = int(seen["anchor_words"])
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


def reasons(row: NDArray[np.float32], moved: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the strongest reasons, given what was measured and how far each feature moved the answer."""
    seen = dict(zip(FEATURES, row.tolist(), strict=True))
    weights: dict[Callable[[Values], str], float] = {}
    for name, weight in zip(FEATURES, moved.tolist(), strict=True):
        phrase = _THEME_OF[name]
        weights[phrase] = weights.get(phrase, 0.0) + weight
    strongest = sorted(weights, key=lambda phrase: weights[phrase], reverse=True)[:MOST]
    return tuple(phrase(seen) for phrase in strongest if weights[phrase] >= LEAST)


def theme(name: str, seen: Values) -> str:
    """Write what is seen of the theme that a feature of an address belongs to."""
    return _THEME_OF[name](seen)
