"""Train and measure the model of addresses: `python -m broadsheet.training.url_training --data DIR [-o FILE]`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from broadsheet.base.errors import BroadsheetError
from broadsheet.base.records import KINDS
from broadsheet.learning.calibration import calibration_error, fit_temperature
from broadsheet.models.model_files import save
from broadsheet.models.trees import apply_link
from broadsheet.pages.url_features import measure
from broadsheet.training._labelled_addresses import (
    LabelledAddress,
    article_addresses,
    followed_addresses,
    page_addresses,
)
from broadsheet.training._url_evaluation import JudgedAddresses, f_scores, judge_left_out, summary
from broadsheet.training._url_model import AddressExamples, fit

#: Sites are listed one by one up to this number.
MAX_LISTED = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the model, measure it on publishers left out, and write it where it is asked for."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.url_training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds temporal/ and pages/")
    parser.add_argument("-o", "--output", type=Path, help="where to write the model")
    options = parser.parse_args(arguments)
    try:
        train(options.data, options.output)
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def train(data: Path, output: Path | None) -> None:
    """Train the model, measure it on publishers left out, and write it where that is asked for."""
    followed, pages = followed_addresses(data), article_addresses(data)
    judged, bare = judge_left_out(followed, pages)
    temperature = fit_temperature(judged.scores, judged.truth, judged.site_weights)
    _report("with the text of a link", judged, temperature)
    _report("the address alone", bare, temperature)
    _report("labelled pages of other sites (dev), the address alone", _pages(data, followed, pages), temperature)
    if output:
        sites = len({address.site for address in followed})
        learned = f"{len(followed)} addresses of {sites} followed sites"
        training = f"{learned}, {len(pages)} of articles among labelled pages (train)"
        save(fit(AddressExamples.of(followed, pages), temperature, f"{training}; temperature {temperature}"), output)


def _pages(data: Path, followed: list[LabelledAddress], pages: list[LabelledAddress]) -> JudgedAddresses:
    known = {address.publisher for address in (*followed, *pages)}
    strange = [address for address in page_addresses(data, "dev") if address.publisher not in known]
    model = fit(AddressExamples.of(followed, pages))
    return JudgedAddresses(strange, model.scores(measure([address.url for address in strange])))


def _report(title: str, judged: JudgedAddresses, temperature: float) -> None:
    confusions = judged.confusions()
    lines = [f"## {title}", f"{'site':24} {'article':>8} {'section':>8} {'other':>8} {'addresses':>10}"]
    if len(confusions) <= MAX_LISTED:
        for site, confusion in sorted(confusions.items()):
            by_kind = f_scores(confusion)
            cells = " ".join(f"{by_kind[kind]:8.3f}" if kind in by_kind else f"{'':8}" for kind in KINDS)
            lines.append(f"{site:24} {cells} {confusion.sum():10,}")
    pooled = np.sum(list(confusions.values()), axis=0)
    lines.append(f"pooled: {f_scores(pooled)}; confusion {pooled.tolist()}")
    lines.append(f"mean over sites: {summary(confusions)}")
    for name, scores in (("before", judged.scores), ("after", judged.scores / temperature)):
        error = calibration_error(apply_link(scores, "softmax"), judged.truth, judged.site_weights)
        lines.append(f"calibration error {name} temperature {temperature}: {error:.3f}")
    sys.stdout.write("\n".join(lines) + "\n\n")


if __name__ == "__main__":
    raise SystemExit(main())
