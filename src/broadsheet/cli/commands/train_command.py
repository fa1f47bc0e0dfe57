"""`broadsheet train`: adapt the reader to annotated pages, or train the shipped models again."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATOR
from broadsheet.reading.memory_reader import NAME as MEMORY
from broadsheet.reading.readers import DEFAULT
from broadsheet.training.shipped_models import PACKAGE, SHIPPED

READING, ALL = "reading", "all"
_NAMED = {model.name: model for model in SHIPPED}
SHIPPED_MODELS = (ALL, *_NAMED)

_EXAMPLES = """\
examples:
  broadsheet train mine -o mine.npz                   adapt the default reader to the pages annotated in mine/
  broadsheet extract page.html --model mine.npz       and use it
  broadsheet train mine -o mine.npz --reader memory   let the memory reader remember them
  broadsheet train mine others -o ours.npz            annotated pages of two corpora
  broadsheet train all data/ -o models/               all models, as shipped; the same command resumes
  broadsheet train reading data/ -o models/reading    the model that tells article text from the rest
  broadsheet train visual data/ -o models/visual      the models that know titles and dates by their looks
  broadsheet train facts data/ -o models/facts        the weights that choose title, date and authors
  broadsheet train reading data/ -o folds/ --folds 5  five models, each trained without a fifth of the sites
  broadsheet evaluate data/pages --split all --reader default@folds/     evaluate each on the sites it has not seen

For the shipped models, DATA contains pages/, for urls and sites temporal/, and more/ if it is there.
Without --folds, they learn from the sites of the train split only.
Training needs no GPU; the same data give the same files on the same machine.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the models, the data and the output folder."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "corpora",
        metavar="CORPUS",
        nargs="+",
        help=f"corpora to learn from; or one of {', '.join(SHIPPED_MODELS[:-1])} and {SHIPPED_MODELS[-1]}, and a"
        " folder DATA, to train shipped models again",
    )
    parser.add_argument(
        "-o", "--out", metavar="MODEL", type=Path, required=True, help="the model file, or a folder for shipped models"
    )
    parser.add_argument("--as", dest="annotator", metavar="NAME", default=ANNOTATOR, help="whose annotations to use")
    parser.add_argument(
        "--reader", choices=(DEFAULT, MEMORY), default=DEFAULT, help="the reader to adapt (default: %(default)s)"
    )
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="replace the model file if it exists; for all: train finished ones again",
    )
    parser.add_argument(
        "--folds", metavar="N", type=positive, help="for reading: train one model for each of N folds of sites"
    )


def execute(args: Namespace, console: Console) -> int:
    """Train on corpora, or train the requested models."""
    first, *rest = args.corpora
    if first not in SHIPPED_MODELS:
        return _train_on_corpora(args, console)
    if len(rest) != 1:
        raise UsageError(f"train {first} needs one folder DATA with labelled pages")
    args.model, args.data = first, Path(rest[0])
    return _train_shipped(args, console)


def _train_on_corpora(args: Namespace, console: Console) -> int:
    if args.folds:
        raise UsageError("--folds only applies to reading")
    for path in args.corpora:
        if not Path(path).exists():
            known = ", ".join(SHIPPED_MODELS)
            raise InputError(f"{path}: there is no such corpus, and no shipped model of this name ({known})")
    if args.out.is_dir() or (args.out.exists() and not args.overwrite):
        raise InputError(f"{args.out} already exists: choose another name, or --overwrite")
    with needing("train", "training"):
        from broadsheet.training.corpus_training import train_on_corpora  # noqa: PLC0415 - only with the extra
        from broadsheet.training.memory_adaptation import adapt_memory  # noqa: PLC0415

    folders = [Path(path) for path in args.corpora]
    if args.reader == MEMORY:
        adapted = adapt_memory(folders, args.annotator, args.out, console.message)
        console.message(f"F of held-out bodies {adapted.before:.3f} before and {adapted.after:.3f} after")
        if not adapted.helps:
            console.message("remembering the pages did not help clearly, so the model reads as the shipped one does")
        console.message(f"wrote {args.out}; use it with `broadsheet extract PAGE --model {args.out}`")
        return exits.DONE
    tuned = train_on_corpora(folders, args.annotator, args.out, console.message)
    choice = tuned.choice
    if choice.epochs:
        how = "read alone" if choice.alone else "read beside the shipped ones"
        console.message(f"F of held-out bodies {choice.before:.3f} before and {choice.after:.3f} after")
        console.message(f"adapted in {choice.epochs} rounds; the adapted nets {how}")
    else:
        console.message(
            f"F of held-out bodies is {choice.before:.3f}, and no round of training raised it clearly, so the model"
            " reads as the shipped one does"
        )
    console.message(f"wrote {args.out}; use it with `broadsheet extract PAGE --model {args.out}`")
    return exits.DONE


def _train_shipped(args: Namespace, console: Console) -> int:
    if args.folds and args.model != READING:
        raise UsageError("--folds only applies to reading; training pages and urls always cross-validates")
    if args.folds == 1:
        raise UsageError("--folds must be at least 2; with 1, no site would be left to train on")
    if not (args.data / "pages").is_dir():
        raise InputError(f"{args.data}: has no folder pages/ with labelled pages")
    with needing("train", "training"):
        from broadsheet.training import reader_training, whole_training  # noqa: PLC0415 - only with the extra

    args.out.mkdir(parents=True, exist_ok=True)
    if args.model == ALL:
        whole_training.train_all(args.data, args.out, console.message, again=args.overwrite)
    elif args.folds:
        reader_training.train_folds(args.data, args.out, args.folds, console.message)
    else:
        _NAMED[args.model].train(args.data, args.out, PACKAGE, console.message)
    console.message(f"wrote {args.out}")
    return exits.DONE
