"""`-f`, `-o`, `--overwrite` and `--raw-cells`, as every command takes them that writes articles."""

from argparse import SUPPRESS, ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli.command import UsageError
from broadsheet.outputs.formats import FORMATS, PARQUET, FormatError, chosen


def add_output_options(
    parser: ArgumentParser, formats: tuple[str, ...] = FORMATS, *, required: bool = False, default: str | None = None
) -> None:
    """Declare the format and the file; without a file, the `default` says what is written to standard output."""
    instead = f" ({default})" if default else ""
    parser.add_argument(
        "-f", "--format", choices=formats, help=f"the format, if the suffix of OUT does not tell{instead}"
    )
    add_file_options(parser, "OUT", "write to a file, which appears when it is complete", required=required)
    parser.add_argument(
        "--raw-cells", action="store_true", help="write CSV without the apostrophe that keeps formulas from running"
    )


def add_file_options(parser: ArgumentParser, name: str, purpose: str, *, required: bool = False) -> None:
    """Declare a file to write, and whether it may replace another."""
    parser.add_argument("-o", "--out", type=Path, metavar=name, required=required, help=purpose)
    parser.add_argument("--overwrite", action="store_true", help=f"replace {name} if it exists")


def add_former_overwrite(parser: ArgumentParser) -> None:
    """Take `--force` for `--overwrite`, as earlier versions called it."""
    parser.add_argument("--force", dest="overwrite", action="store_true", help=SUPPRESS)


def require_free(args: Namespace) -> None:
    """Refuse to write over what is there already, unless that was asked for."""
    if args.out.is_dir():
        raise UsageError(f"{args.out} is a folder; name a file in it")
    if args.out.exists() and not args.overwrite:
        raise UsageError(f"{args.out} is there already; --overwrite replaces it")


def format_of(args: Namespace, formats: tuple[str, ...] = FORMATS) -> str | None:
    """Return the format that was asked for, or that the name of the file says; None where nothing does."""
    form: str | None = args.format
    if args.out:
        try:
            form = chosen(form, args.out, formats)
        except FormatError as error:
            raise UsageError(str(error)) from error
        require_free(args)
    elif form == PARQUET:
        raise UsageError("Parquet is not text; name a file with -o")
    if args.raw_cells and form != "csv":
        raise UsageError("--raw-cells is for CSV; no other format changes what cells hold")
    if form == PARQUET:
        # Before the work, which may take hours.
        with needing("crawl", "Parquet"):
            import_module("pyarrow.parquet")
    return form
