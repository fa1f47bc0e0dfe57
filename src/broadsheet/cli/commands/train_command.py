"""`broadsheet train`: train the shipped models again from labelled pages."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console

READING, PAGES, URLS, VISUAL, ALL = "reading", "pages", "urls", "visual", "all"

_EXAMPLES = """\
examples:
  broadsheet train all data/ -o models/               all models, as shipped
  broadsheet train reading data/ -o models/reading    the model that tells article text from the rest
  broadsheet train visual data/ -o models/visual      the models that know titles and dates by their looks
  broadsheet train reading data/ -o folds/ --folds 5  five models, each trained without a fifth of the sites
  broadsheet evaluate data/pages --split all --reader default@folds/     evaluate each on the sites it has not seen

DATA contains pages/ and, for urls, temporal/. Without --folds, the models learn from the sites of the train split only.
Training needs no GPU; the same data give the same files on the same machine.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the models, the data and the output folder."""
    parser.epilog = _EXAMPLES
    parser.add_argument("model", choices=(ALL, READING, PAGES, URLS, VISUAL), help="which model to train")
    parser.add_argument("data", metavar="DATA", type=Path, help="the folder with labelled pages")
    parser.add_argument("-o", "--out", metavar="DIR", type=Path, required=True, help="folder for the models")
    parser.add_argument(
        "--folds", metavar="N", type=positive, help="for reading: train one model for each of N folds of sites"
    )


def execute(args: Namespace, console: Console) -> int:
    """Train the requested models."""
    if args.folds and args.model != READING:
        raise UsageError("--folds only applies to reading; training pages and urls always cross-validates")
    if args.folds == 1:
        raise UsageError("--folds must be at least 2; with 1, no site would be left to train on")
    if not (args.data / "pages").is_dir():
        raise InputError(f"{args.data}: has no folder pages/ with labelled pages")
    with needing("train", "training"):
        from broadsheet.training import (  # noqa: PLC0415 - only with the extra
            page_training,
            reader_training,
            url_training,
            visual_training,
        )

    args.out.mkdir(parents=True, exist_ok=True)
    if args.model in {ALL, READING}:
        output = args.out / READING if args.model == ALL else args.out
        if args.folds:
            reader_training.train_folds(args.data, output, args.folds, console.message)
        else:
            reader_training.train_on_split(args.data, output, console.message)
        console.message(f"wrote {output}")
    if args.model in {ALL, VISUAL}:
        output = args.out / VISUAL if args.model == ALL else args.out
        visual_training.train(args.data, output, console.message)
        console.message(f"wrote {output}")
    for name, module, file in ((PAGES, page_training, "page.npz"), (URLS, url_training, "url.npz")):
        if args.model in {ALL, name}:
            module.train(args.data, args.out / file)
            console.message(f"wrote {args.out / file}")
    return exits.DONE
