"""Train and measure the page model: `python -m broadsheet.training.page_training --data DIR [--evaluate] [-o FILE]`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.training._page_evaluation import cross_validate, leave_corpora_out
from broadsheet.training._page_model import PageModelSettings, fit
from broadsheet.training._page_report import report, temperature_of
from broadsheet.training.page_examples import examples


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate the model on held-out sites, train it on the training sites, and write it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m broadsheet.training.page_training", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder that holds pages/ and, if there, more/ and temporal/"
    )
    parser.add_argument("-o", "--output", type=Path, help="where to write the model")
    parser.add_argument(
        "--rounds", type=int, default=PageModelSettings().rounds, help="trees for each kind (%(default)s)"
    )
    parser.add_argument("--evaluate", action="store_true", help="print the accuracy on held-out sites")
    parser.add_argument("--errors", action="store_true", help="name every misidentified page of a news site")
    parser.add_argument(
        "--as-labelled", action="store_true", help="also use the kinds that we know to be wrong, as they are"
    )
    options = parser.parse_args(arguments)
    settings = PageModelSettings(rounds=options.rounds)
    try:
        train(
            options.data,
            options.output,
            settings,
            evaluate=options.evaluate,
            errors=options.errors,
            as_labelled=options.as_labelled,
        )
    except BroadsheetError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def train(  # noqa: PLR0913 - optional keywords
    data: Path,
    output: Path | None,
    settings: PageModelSettings | None = None,
    *,
    evaluate: bool = False,
    errors: bool = False,
    as_labelled: bool = False,
) -> None:
    """Train and write the model; optionally print its accuracy on held-out sites, or the pages it gets wrong.

    Kinds that are known to be wrong are corrected, unless the pages are wanted `as_labelled`.
    """
    settings = settings or PageModelSettings()
    known = examples(data, Counters(), as_labelled=as_labelled)
    if not len(known):
        raise InputError(f"{data}: no page has a labelled kind, so there is nothing to learn from")
    folds, unlike = cross_validate(known, settings), leave_corpora_out(known, settings)
    # Whole corpora left out count, too: pages unlike all that were trained on should not be judged too surely.
    temperature = temperature_of(folds, unlike)
    if evaluate or errors:
        for line in report(folds, unlike, every_error=errors):
            sys.stdout.write(line + "\n")
    if output:
        # The dev sites stay unseen, so that the shipped model can be evaluated on them.
        trained_on = known.where(np.array([page.split == "train" for page in known.labels]))
        sites = len({page.site for page in trained_on.labels})
        boosting = f"{settings.bags} times {settings.rounds} rounds of boosting"
        training = f"{len(trained_on)} labelled pages of {sites} sites (train); {boosting}"
        model = fit(trained_on, settings, temperature, f"{training}; temperature {temperature}")
        output.write_bytes(model.to_bytes())


if __name__ == "__main__":
    raise SystemExit(main())
