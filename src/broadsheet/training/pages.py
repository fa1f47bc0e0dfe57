"""Train and measure the model of pages: `python -m broadsheet.training.pages --data DIR [-o FILE]`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.records import KINDS
from broadsheet.models.files import save
from broadsheet.models.trees import linked
from broadsheet.training.calibration import calibration_error, fit_temperature
from broadsheet.training.page_evaluation import OLD, Judged, cross_validate, og_type_rule
from broadsheet.training.page_examples import examples
from broadsheet.training.page_model import Settings, fit


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the model on sites left out, train it on all, and write it where it is asked for."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.pages", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds pages/")
    parser.add_argument("-o", "--output", type=Path, help="where to write the model")
    parser.add_argument("--trees", type=int, default=Settings().trees, help="how many trees (%(default)s)")
    parser.add_argument("--errors", action="store_true", help="name the pages that are taken for another kind")
    options = parser.parse_args(arguments)
    try:
        return _train(options)
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1


def _train(options: argparse.Namespace) -> int:
    settings = Settings(trees=options.trees)
    known = examples(options.data / "pages", Counters())
    judged, bare = cross_validate(known, settings)
    temperature = fit_temperature(judged.scores, judged.examples.truth, _weights(judged))
    _report("with the page's address", judged, temperature)
    _report("the page alone", bare, temperature)
    _report("with the page's address, pages from 2013 on", judged.without(OLD), temperature)
    _report("the page alone, pages from 2013 on", bare.without(OLD), temperature)
    if options.errors:
        _name_errors(judged)
    if options.output:
        sites = len({page.site for page in known.labels})
        training = f"{len(known)} labelled pages of {sites} sites (train and dev); {settings.trees} C4.5 trees"
        save(fit(known, settings, temperature, f"{training}; temperature {temperature}"), options.output)
    return 0


def _weights(judged: Judged) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Weigh the kinds as the model draws them, so that its probabilities mean the same for each."""
    counts = np.bincount(judged.examples.truth, minlength=len(KINDS))
    return (np.array(Settings().priors) / np.maximum(counts, 1))[judged.examples.truth]


def _report(title: str, judged: Judged, temperature: float) -> None:
    sites = len({page.site for page in judged.examples.labels})
    weights = _weights(judged)
    _say(f"## {title}: {len(judged.examples)} pages of {sites} news sites, 5 folds by site")
    _say(f"og:type alone: article balanced accuracy {og_type_rule(judged.examples):.3f}")
    _say(f"article against the rest: balanced accuracy {judged.article_balanced_accuracy():.3f}")
    _say(f"three kinds: balanced accuracy {judged.balanced_accuracy():.3f}")
    _say(f"confusion ({', '.join(KINDS)}): {judged.confusion.tolist()}")
    error = calibration_error(linked(judged.scores / temperature, "softmax"), judged.examples.truth, weights)
    _say(f"calibration error at temperature {temperature}: {error:.3f}")


def _name_errors(judged: Judged) -> None:
    found = judged.scores.argmax(axis=1)
    for row in np.flatnonzero(found != judged.examples.truth).tolist():
        page = judged.examples.labels[row]
        _say(f"{page.kind} taken for {KINDS[found[row]]}: {page.id} {page.url}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
