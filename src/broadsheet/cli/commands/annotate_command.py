"""`broadsheet annotate CORPUS`: label the texts of pages in the terminal."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.base.page_names import SUFFIXES
from broadsheet.cli import exits
from broadsheet.cli.annotation_screen import annotate_pages
from broadsheet.cli.arguments import positive
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.inputs import find, read
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATOR, AnnotatedCorpus, create_corpus
from broadsheet.corpora.annotation.annotation_session import AnnotationSession, Predict
from broadsheet.corpora.annotation.label_set import to_letters
from broadsheet.corpora.annotation.page_choice import FIRST, CorpusChoice
from broadsheet.corpora.annotation.page_doubt import PageDoubt, doubt
from broadsheet.document import Document, parse
from broadsheet.document.decoding import decode
from broadsheet.reading import readers
from broadsheet.reading.assembly import complete_labels
from broadsheet.reading.reader_files import load_reader

NewPage = tuple[dict[str, object], bytes]

_EXAMPLES = """\
examples:
  broadsheet annotate mine --from news             take 20 articles from the archive news, spread over its sources
  broadsheet annotate mine --from saved/           take the pages of a folder
  broadsheet annotate mine                         continue where you stopped
  broadsheet annotate mine --next                  first the page that teaches most, given those annotated
  broadsheet annotate mine --as jane               a second person's labels, to compare with the first's
  broadsheet train mine -o mine.npz                train on what you have annotated
  broadsheet annotate mine --model mine.npz        and let that model predict the labels of the next pages

Small letters label the text under the cursor: t title, h heading, b body, d date, a author, g everything else. Space
marks a range. Capital letters are commands: U undo, R redo, P single pieces of text, S skip the page, Q quit. Enter
saves the page. Every change is saved at once, so you can stop at any time.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the corpus, where its pages come from, and their order."""
    parser.epilog = _EXAMPLES
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="the corpus's folder; --from creates it")
    parser.add_argument(
        "--from", dest="source", metavar="ARCHIVE", help="first add pages: an archive's, or those of a folder or file"
    )
    parser.add_argument(
        "--pages", metavar="N", type=positive, default=20, help="how many pages to add with --from (default: 20)"
    )
    parser.add_argument(
        "--next", action="store_true", help="begin with the pages that should teach most, given those annotated"
    )
    parser.add_argument(
        "--as", dest="annotator", metavar="NAME", default=ANNOTATOR, help="who annotates (default: %(default)s)"
    )
    parser.add_argument(
        "--reader", default=readers.DEFAULT, metavar="NAME", help="the reader that predicts labels (default: default)"
    )
    parser.add_argument(
        "--model", metavar="FILE", type=Path, help="predict labels with a model written by `broadsheet train`"
    )
    parser.add_argument("--list", action="store_true", help="list the pages in the order of annotation, and stop")


def execute(args: Namespace, console: Console) -> int:
    """Add pages, choose their order, and annotate them."""
    terminal = console.screen if console.is_terminal and console.stdin.isatty() else None
    if terminal is None and not args.list:
        raise UsageError("annotate needs a terminal for input and output; --list only lists the pages")
    readers.find(args.reader)
    if args.model:
        load_reader(args.model)
    if args.source:
        _add_pages(args, console)
    corpus = AnnotatedCorpus(args.corpus)
    session = AnnotationSession(corpus, _predictor(corpus, args), list(corpus.pages), args.annotator)
    if args.next:
        _choose(session, console)
    if args.list or terminal is None:
        console.rows([*_rows(session, args, console)])
        return exits.DONE
    if not session.remaining():
        console.message(f"all {len(corpus.pages):,} pages of {args.corpus} are annotated by {args.annotator}")
        return exits.DONE
    left_out = annotate_pages(session, terminal, console.stdin.fileno(), colours=console.colours)
    for reason in left_out:
        console.warning(reason)
    console.message(f"{session.saved:,} pages annotated, {len(session.remaining()):,} to do in {args.corpus}")
    return exits.SOME_FAILED if left_out else exits.DONE


def _predictor(corpus: AnnotatedCorpus, args: Namespace) -> Predict:
    def predict(document: Document) -> str:
        if not corpus.labels.has_articles:
            return corpus.labels.rest * len(document.pieces)
        return to_letters(complete_labels(document, readers.read(document, args.reader, model=args.model)))

    return predict


def _choose(session: AnnotationSession, console: Console) -> None:
    """Put the pages into the order in which they teach most, and again whenever some more are annotated."""
    choice = CorpusChoice(session.corpus, session.annotator, console.track)
    session.order, session.choose = choice.order(session.remaining()), choice.order
    for reason in choice.left_out.values():
        console.warning(reason)
    if len(session.corpus.annotated(session.annotator)) < FIRST:
        console.message(f"the first {FIRST} pages come in random order; then those that teach most")


def _rows(session: AnnotationSession, args: Namespace, console: Console) -> Iterator[dict[str, object]]:
    """Yield the pages that are not annotated, with --next also how doubtful the reading of each is."""
    for name in console.track(session.remaining()):
        row: dict[str, object] = {"page": name, "site": session.corpus.pages[name].site}
        if args.next and session.labels.has_articles:
            try:
                found = doubt(session.corpus.document(name), args.reader, args.model)
            except InputError as error:
                console.warning(f"{name}: {error}")
            else:
                row |= {each.name: round(getattr(found, each.name), 3) for each in fields(PageDoubt)}
        yield row


def _add_pages(args: Namespace, console: Console) -> None:
    found = _saved(args, console) if _has_pages(Path(args.source)) else _archived(args, console)
    if not found:
        raise InputError(f"{args.source}: has no page to annotate")
    create_corpus(args.corpus, [row for row, _ in found], [page for _, page in found])
    console.message(f"{len(found):,} pages of {args.source} are in {args.corpus}")


def _has_pages(path: Path) -> bool:
    """Tell whether a path is a page or a folder of pages; otherwise it has to be an archive."""
    return path.is_file() or (path.is_dir() and any(each.suffix in SUFFIXES for each in path.rglob("*.*htm*")))


def _archived(args: Namespace, console: Console) -> list[NewPage]:
    """Read articles of an archive; those that cannot be read are counted, and others taken."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra
        from broadsheet.corpora.annotation.archived_pages import archived_pages  # noqa: PLC0415

    counters, most_bytes = Counters(), settings(args).crawl.max_decompressed_bytes
    with Store.open(Path(args.source)) as archive:
        found = list(archived_pages(archive, args.pages, most_bytes, counters))
    for counted, number in counters:
        console.warning(f"{counted.name}: {number:,}: {counted.reason}")
    return found


def _saved(args: Namespace, console: Console) -> list[NewPage]:
    """Read pages from a folder; those that cannot be read are named, and the others added."""
    found: list[NewPage] = []
    limit = settings(args).limits.max_bytes
    for source in find([args.source]):
        if source.path is None or source.path.suffix not in SUFFIXES or len(found) == args.pages:
            continue
        try:
            content = decode(read(source, console.stdin, limit)).data
            canonical = parse(content, encoding="utf-8").metadata.canonical
        except InputError as error:
            console.warning(f"{source.name}: {error}")
            continue
        name = source.path.relative_to(args.source) if source.path != Path(args.source) else Path(source.path.name)
        row: dict[str, object] = {"id": "-".join(name.with_suffix("").parts)}
        if canonical:
            row |= {"url": canonical[0].value, "domain": registrable_domain(canonical[0].value)}
        found.append((row, content))
    return found
