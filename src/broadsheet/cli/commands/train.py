"""`broadsheet train`: the shipped models, learned again from labelled pages."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console

READING, PAGES, URLS, ALL = "reading", "pages", "urls", "all"

_EXAMPLES = """\
examples:
  broadsheet train all data/ -o models/               all three, as they are shipped
  broadsheet train reading data/ -o models/reading    which lines are an article's
  broadsheet train reading data/ -o folds/ --folds 5  five readers, each of which has not seen a fifth of the sites
  broadsheet evaluate data/pages --split all --reader default@folds/     each page by the one that has not

DATA holds pages/, and for urls also temporal/. The models learn from the sites of the train split alone, but for
--folds. A processor is all it takes; the same data give the same files on the same machine.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare which models, from what and where to."""
    parser.epilog = _EXAMPLES
    parser.add_argument("model", choices=(ALL, READING, PAGES, URLS), help="which model to train")
    parser.add_argument("data", metavar="DATA", type=Path, help="the folder with labelled pages")
    parser.add_argument("-o", "--out", metavar="DIR", type=Path, required=True, help="the folder for the models")
    parser.add_argument(
        "--folds", metavar="N", type=positive, help="with reading: train one model for each of N folds of sites"
    )


def execute(args: Namespace, console: Console) -> int:
    """Train what is asked for."""
    if args.folds and args.model != READING:
        raise UsageError("--folds goes with reading; training pages and urls measures on folds by itself")
    if args.folds == 1:
        raise UsageError("--folds takes at least 2: with one, there would be no site left to learn from")
    if not (args.data / "pages").is_dir():
        raise InputError(f"{args.data}: there is no folder pages/ with labelled pages in it")
    with needing("train", "training"):
        from broadsheet.training import pages, reading, urls  # noqa: PLC0415 - only with the extra

    args.out.mkdir(parents=True, exist_ok=True)
    if args.model in {ALL, READING}:
        output = args.out / READING if args.model == ALL else args.out
        if args.folds:
            reading.train_folds(args.data, output, args.folds, console.message)
        else:
            reading.train_on_split(args.data, output, console.message)
        console.message(f"wrote {output}")
    for name, module, file in ((PAGES, pages, "page.npz"), (URLS, urls, "url.npz")):
        if args.model in {ALL, name}:
            module.train(args.data, args.out / file)
            console.message(f"wrote {args.out / file}")
    return exits.DONE
