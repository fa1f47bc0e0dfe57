"""`broadsheet corpus`: check, describe, convert and divide the annotations of a corpus."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from broadsheet.base.errors import InputError
from broadsheet.cli import exits
from broadsheet.cli.arguments import seed, share
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.corpora.annotation import annotation_conversion as conversion
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATOR, AnnotatedCorpus
from broadsheet.corpora.annotation.character_annotation import SUFFIX
from broadsheet.corpora.annotation.corpus_report import agreement, report
from broadsheet.corpora.annotation.corpus_split import Division, divide, write_parts

CHECK, REPORT, CONVERT, SPLIT = "check", "report", "convert", "split"
CHARACTERS, INSTANCES, LABELS, ELEMENTS = "characters", "instances", "labels", "elements"

_EXAMPLES = """\
examples:
  broadsheet corpus check mine                             do all annotation files fit their pages?
  broadsheet corpus report mine                            labels, ill-formed pages, agreement of annotators
  broadsheet corpus convert mine --to characters -o chars/ positions in the source instead of elements
  broadsheet corpus convert mine --to instances -o inst/   features and double tags, for TiMBL
  broadsheet corpus convert mine --to labels -o mine.jsonl title, headings and body as text, for evaluate
  broadsheet corpus convert mine --to elements             annotation files from the texts in labels.jsonl
  broadsheet corpus convert mine --to elements --from chars/
  broadsheet corpus split mine -o parts/                   a quarter of the pages to test on: parts/learn, parts/test
  broadsheet corpus split mine --by site -o parts/         no site on both sides

Existing annotation files are replaced only with --overwrite.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare what to do, the corpus and the files."""
    parser.epilog = _EXAMPLES
    actions = (CHECK, REPORT, CONVERT, SPLIT)
    parser.add_argument("what", metavar="|".join(actions), choices=actions, help="what to do")
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="the corpus's folder")
    parser.add_argument("--as", dest="annotator", metavar="NAME", default=ANNOTATOR, help="whose annotations")
    parser.add_argument(
        "--to", choices=(CHARACTERS, INSTANCES, LABELS, ELEMENTS), help="for convert: the format to write"
    )
    parser.add_argument(
        "-o", "--out", metavar="PATH", type=Path, help="for convert and split: the folder or file to write"
    )
    parser.add_argument(
        "--from", dest="source", metavar="FOLDER", type=Path, help="for elements: character-based files"
    )
    parser.add_argument(
        "--by",
        choices=get_args(Division),
        default="page",
        help="for split: by pages (default), by sites, or once for each site, which alone is tested",
    )
    parser.add_argument(
        "--share", type=share, metavar="X", default=0.25, help="for split: the share to test on (default: 0.25)"
    )
    parser.add_argument("--seed", type=seed, metavar="S", default=0, help="for split: another seed divides differently")
    parser.add_argument("--overwrite", action="store_true", help="replace annotation files that exist")


def execute(args: Namespace, console: Console) -> int:
    """Do what was asked for."""
    corpus = AnnotatedCorpus(args.corpus)
    if args.what == CHECK:
        return _check(corpus, console)
    if args.what == REPORT:
        return _report(corpus, args.annotator, console)
    if args.what == SPLIT:
        return _split(corpus, args, console)
    return _convert(corpus, args, console)


def _check(corpus: AnnotatedCorpus, console: Console) -> int:
    """Read every annotation file, and name those that cannot be used."""
    rows, total, failed = [], 0, 0
    for annotator in corpus.annotators():
        names = corpus.annotated(annotator)
        broken = _each(names, console, lambda name, who=annotator: _read(corpus, name, who))  # type: ignore[misc]
        rows.append({"annotator": annotator, "pages": len(names), "damaged": broken})
        total, failed = total + len(names), failed + broken
    if not total:
        raise InputError(f"{corpus.folder}: no page is annotated yet; see `broadsheet annotate`")
    console.rows(rows)
    return _code(failed, total)


def _read(corpus: AnnotatedCorpus, name: str, annotator: str) -> None:
    if name not in corpus.pages:
        raise InputError(f"{corpus.path(name, annotator)}: labels.jsonl has no page {name}")
    corpus.read(name, corpus.document(name), annotator)


def _report(corpus: AnnotatedCorpus, annotator: str, console: Console) -> int:
    counted = report(corpus, annotator)
    if not counted.pages:
        raise InputError(f"{corpus.folder}: {annotator} has not annotated any page")
    tables = {
        f"Labels of the texts and tails of {counted.pages:,} pages": list(counted.label_rows()),
        "Labels of elements, text + tail": [row for row in counted.double_rows() if row["number"]],
        f"{len(counted.errors):,} pages with structure errors": list(counted.error_rows()),
        "Agreement of annotators": list(agreement(corpus)),
    }
    for title, rows in tables.items():
        if rows or "errors" in title:
            console.text()
            console.heading(title)
            console.rows(row if console.is_terminal else {"table": title, **row} for row in rows)
    return exits.DONE


def _convert(corpus: AnnotatedCorpus, args: Namespace, console: Console) -> int:
    if args.to is None:
        raise UsageError("convert needs --to characters, instances, labels or elements")
    if args.to == ELEMENTS:
        return _to_elements(corpus, args, console)
    if args.out is None:
        raise UsageError(f"convert --to {args.to} needs -o, the {'file' if args.to == LABELS else 'folder'} to write")
    names = corpus.annotated(args.annotator)
    if not names:
        raise InputError(f"{corpus.folder}: {args.annotator} has not annotated any page")
    if args.to == LABELS:
        if args.out.exists() and not args.overwrite:
            raise InputError(f"{args.out} already exists: choose another name, or --overwrite")
        conversion.write_rows(corpus, names, args.annotator, args.out)
        failed = 0
    else:
        write = conversion.to_characters if args.to == CHARACTERS else conversion.to_instances
        failed = _each(names, console, lambda name: write(corpus, name, args.annotator, args.out))
    console.message(f"wrote {len(names) - failed:,} pages to {args.out}")
    return _code(failed, len(names))


def _to_elements(corpus: AnnotatedCorpus, args: Namespace, console: Console) -> int:
    """Write annotation files from characters or from texts."""
    if args.source:
        names = sorted(path.name.removesuffix(SUFFIX) for path in args.source.glob(f"*{SUFFIX}"))
    else:
        names = [name for name, page in corpus.pages.items() if page.gold.body]
    known = set() if args.overwrite else set(corpus.annotated(args.annotator))
    wanted = [name for name in names if name not in known]

    def write(name: str) -> None:
        if args.source:
            conversion.from_characters(corpus, args.source / f"{name}{SUFFIX}", args.annotator)
        else:
            conversion.from_texts(corpus, name, args.annotator)

    failed = _each(wanted, console, write)
    kept = f"; {len(names) - len(wanted):,} that exist were kept" if len(wanted) < len(names) else ""
    console.message(f"annotated {len(wanted) - failed:,} pages as {args.annotator}{kept}")
    return _code(failed, len(wanted))


def _split(corpus: AnnotatedCorpus, args: Namespace, console: Console) -> int:
    """Write the pages to learn from and those to test on as corpora of their own."""
    if args.out is None:
        raise UsageError("split needs -o, the folder to write")
    # All are read first, so that a damaged one is named before anything is written.
    pages = [page for page, _, _ in corpus.annotations(args.annotator)]
    parts = divide(pages, args.by, args.share, args.seed)
    write_parts(corpus, args.annotator, parts, args.out)
    for part in parts:
        tested = f"{len(part.tested):,} to test on" + (f", of {part.site}" if part.site else "")
        console.message(f"{len(part.learned):,} pages to learn from, {tested}")
    console.message(f"wrote {args.out}: train on learn/, evaluate on test/")
    return exits.DONE


def _each(names: list[str], console: Console, work: Callable[[str], object]) -> int:
    """Do some work for each page; name those that fail, and return their number."""
    failed = 0
    for name in console.track(names):
        try:
            work(name)
        except InputError as error:
            console.warning(str(error))
            failed += 1
    return failed


def _code(failed: int, total: int) -> int:
    if not failed:
        return exits.DONE
    return exits.SOME_FAILED if failed < total else exits.FAILED
