"""Features of the links to a target, without its address: behaviour, text, neighbours and place on the page."""

import re

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages.url_features import ANCHOR, measure
from broadsheet.sources.link_words import service_share
from broadsheet.sources.source_links import LinkTable, TargetGroups
from broadsheet.sources.target_counts import Doubles
from broadsheet.sources.temporal_features import feature_table

BEHAVIOUR = (
    "stability",
    "referred_stability",
    "reference_dynamicity_rate",
    "has_moved",
    "referrers_log",
    "referrers_share",
    "referrer_changes_share",
    "lifetime_share",
    "snapshots_log",
)
NEIGHBOURS = (
    "collection_size_log",
    "collections_log",
    "neighbours_stability",
    "neighbours_moved",
)
#: Elements on the way from the root of the page to the link.
PLACE_TAGS = ("nav", "header", "footer", "aside", "article", "main", "li", "h1", "h2", "h3", "h4", "p", "section")
PLACES = (*(f"in_{tag}" for tag in PLACE_TAGS), "depth_on_page")
TEXT = ("neighbours_words", "service_share", "neighbours_service", "anchor_kinds", *ANCHOR)

LINK_FEATURES = (*BEHAVIOUR, *NEIGHBOURS, *PLACES, *TEXT)

_WORDS = ANCHOR.index("anchor_words")
#: Two characters of a script without spaces (Thai, Lao, Burmese, Khmer, Japanese, Chinese).
_PAIR = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{2}")


def measure_links(table: LinkTable) -> NDArray[np.float32]:
    """Return one row of `LINK_FEATURES` per target; what is unknown is NaN."""
    behaviour = _behaviour(table)
    text = measure([""] * len(table), [with_spaces(anchor) or None for anchor in table.anchors])[:, -len(ANCHOR) :]
    words = np.nan_to_num(text[:, _WORDS].astype(np.float64))
    service = np.array([service_share(anchor) for anchor in table.anchors], np.float64)
    stability, moved = behaviour[:, 1], behaviour[:, 3]
    sizes, number = _collection_sizes(table.collections, len(table))
    columns = [
        behaviour,
        np.log2(np.maximum(sizes, 1)),
        np.log1p(number),
        _neighbours(table.collections, stability),
        _neighbours(table.collections, moved),
        _places(table),
        table.depths,
        _neighbours(table.collections, words),
        service,
        _neighbours(table.collections, service),
        np.array(table.anchor_kinds, np.float64),
        text,
    ]
    return np.column_stack(columns).astype(np.float32)


def with_spaces(text: str) -> str:
    """Return a text in which two characters of a script without spaces are a word, so that headlines have several."""
    return text if text.isascii() else _PAIR.sub(r"\g<0> ", text).rstrip()


def _behaviour(table: LinkTable) -> Doubles:
    names = ("stability", "referred_stability", "reference_dynamicity_rate", "lifetime", "age")
    stability, referred, rate, lifetime, age = feature_table(table.counts, names).T
    counts, pages = table.counts, max(table.pages, 1)
    return np.column_stack(
        (
            stability,
            referred,
            rate,
            counts.moves > 0,
            np.log1p(counts.referrers),
            counts.referrers / pages,
            counts.later_referrers / pages,
            np.divide(lifetime, age, out=np.full(len(table), np.nan), where=age > 0),
            np.full(len(table), np.log2(max(counts.total_snapshots, 1))),
        )
    )


def _collection_sizes(collections: TargetGroups, size: int) -> tuple[Doubles, NDArray[np.int64]]:
    """Return the mean size of the collections with a link to each target, and their number."""
    number = np.bincount(collections.row, minlength=size)
    total = np.bincount(collections.row, collections.sizes[collections.group], size)
    return total / np.maximum(number, 1), number


def _neighbours(groups: TargetGroups, values: Doubles) -> Doubles:
    """Return the mean of the other members of a target's groups, NaN if it is alone in all of them."""
    known = np.nan_to_num(values)
    others = groups.sizes[groups.group] - 1
    sums = np.bincount(groups.group, known[groups.row], groups.groups)[groups.group] - known[groups.row]
    shared = others > 0
    row, means = groups.row[shared], sums[shared] / others[shared]
    number = np.bincount(row, minlength=len(values))
    total = np.bincount(row, means, len(values))
    found: Doubles = np.divide(total, number, out=np.full(len(values), np.nan), where=number > 0)
    return found


def _places(table: LinkTable) -> Doubles:
    """Return the share of the paths to each target that pass an element, for each of `PLACE_TAGS`."""
    tags = [frozenset(path.split("/")) for path in table.path_names]
    passes = np.array([[tag in path for tag in PLACE_TAGS] for path in tags], np.float64).reshape(-1, len(PLACE_TAGS))
    number = np.maximum(np.bincount(table.paths.row, minlength=len(table)), 1)
    sums = np.zeros((len(table), len(PLACE_TAGS)))
    np.add.at(sums, table.paths.row, passes[table.paths.group])
    shares: Doubles = sums / number[:, None]
    return shares
