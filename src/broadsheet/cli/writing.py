"""`-f`, `-o`, `--overwrite` and `--raw-cells`: options of every command that writes articles."""

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path

from broadsheet.base.extras import needing
from broadsheet.cli.command import UsageError
from broadsheet.outputs.formats import FORMATS, PARQUET, FormatError, choose_format


def add_output_options(
    parser: ArgumentParser, formats: tuple[str, ...] = FORMATS, *, required: bool = False, default: str | None = None
) -> None:
    """Declare the format and the output file; `default` describes what is written to standard output without one."""
    suffix = f" (default: {default})" if default else ""
    parser.add_argument(
        "-f", "--format", choices=formats, help=f"output format, if the name of OUT does not imply one{suffix}"
    )
    add_file_options(parser, "OUT", "write to this file, which appears once it is complete", required=required)
    parser.add_argument(
        "--raw-cells",
        action="store_true",
        help="in CSV, leave out the apostrophe that stops spreadsheets from running formulas",
    )


def add_file_options(parser: ArgumentParser, name: str, purpose: str, *, required: bool = False) -> None:
    """Declare an output file, and whether it may replace an existing one."""
    parser.add_argument("-o", "--out", type=Path, metavar=name, required=required, help=purpose)
    parser.add_argument("--overwrite", action="store_true", help=f"replace {name} if it exists")


def add_deprecated_overwrite(parser: ArgumentParser) -> None:
    """Accept `--force`, the former name of `--overwrite`."""
    parser.add_argument("--force", dest="overwrite", action="store_true", help=SUPPRESS)


def require_free(file: Path, *, overwrite: bool) -> None:
    """Raise `UsageError` if an output file exists, unless it may be overwritten, or if its folder takes no files."""
    if file.is_dir():
        raise UsageError(f"{file} is a folder; name a file in it")
    if not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written: there is no folder {file.parent}")
    if not os.access(file.parent, os.W_OK):
        raise UsageError(f"{file} cannot be written: there is no permission to write to {file.parent}")
    if file.exists() and not overwrite:
        raise UsageError(f"{file} already exists; use --overwrite to replace it")


def format_of(args: Namespace, formats: tuple[str, ...] = FORMATS) -> str | None:
    """Return the format that was requested or that the file name implies, or None."""
    form: str | None = args.format
    if args.out:
        require_free(args.out, overwrite=args.overwrite)
        try:
            form = choose_format(form, args.out, formats)
        except FormatError as error:
            raise UsageError(str(error)) from error
    elif form == PARQUET:
        raise UsageError("Parquet is a binary format; write it to a file with -o")
    if args.raw_cells and form != "csv":
        raise UsageError("--raw-cells only applies to CSV; other formats never escape formulas")
    if form == PARQUET:
        # Fail before the work, which may take hours.
        with needing("crawl", "Parquet"):
            import_module("pyarrow.parquet")
    return form
