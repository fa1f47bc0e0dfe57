"""Learn the thresholds of link-target identification: `python -m broadsheet.training.link_thresholds --data DIR`.

Each threshold maximises the balanced accuracy of telling the URLs of articles from all others, with every site
weighted equally.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import BroadsheetError
from broadsheet.pages.link_signs import Thresholds
from broadsheet.pages.url_features import FEATURES, measure
from broadsheet.training._labelled_addresses import LabelledAddress, followed_addresses


def learn_thresholds(addresses: Sequence[LabelledAddress]) -> Thresholds:
    """Return the minimum digits of an article's number, and the maximum length of a short URL."""
    rows = measure([address.url for address in addresses])
    longest = np.maximum(*(rows[:, FEATURES.index(name)] for name in ("longest_number", "query_number")))
    lengths = np.array([len(address.url) for address in addresses], np.float32)
    # Both point the same way: an article's URL has the longer number, and is the longer one.
    digits, _ = best_cut(longest, addresses)
    short, _ = best_cut(lengths, addresses)
    return Thresholds(digits=digits, short=short - 1)


def best_cut(values: NDArray[np.float32], addresses: Sequence[LabelledAddress]) -> tuple[int, float]:
    """Return the smallest threshold with the best balanced accuracy, and that accuracy."""
    article = np.array([address.kind == "article" for address in addresses])
    _, site = np.unique([address.site for address in addresses], return_inverse=True)
    weights = np.zeros(len(addresses))
    for rows in (article, ~article):
        sizes = np.bincount(site[rows], minlength=site.max() + 1)
        weights[rows] = 1 / (sizes[site[rows]] * np.count_nonzero(sizes))
    cuts = range(1, int(values.max()) + 1)
    shares = [float(weights[(values >= cut) == article].sum()) / 2 for cut in cuts]
    best = int(np.argmax(shares))
    return cuts[best], shares[best]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the thresholds."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.link_thresholds", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds temporal/")
    options = parser.parse_args(arguments)
    try:
        followed = followed_addresses(options.data)
        # Labels that follow from rules over addresses would only teach those rules.
        thresholds = learn_thresholds([address for address in followed if address.certain and not address.brief])
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{thresholds}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
