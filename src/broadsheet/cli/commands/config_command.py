"""`broadsheet config show`: show every setting, its value and its origin; for a source, whatever set it."""

from argparse import ArgumentParser, Namespace

from broadsheet.base.config import Configuration, Scalar, Setting, variable
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.console import Console

_EXAMPLES = """\
examples:
  broadsheet config show
  broadsheet config show --set limits.max_bytes=5000000
  BROADSHEET_LIMITS_MAX_DEPTH=500 broadsheet config show
  broadsheet config show --source news example.org      how one source of an archive is crawled, section by section
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the action, of which there is only one."""
    parser.epilog = _EXAMPLES
    parser.add_argument("action", metavar="show", choices=["show"], help="list all settings")
    parser.add_argument(
        "--source",
        nargs=2,
        metavar=("ARCHIVE", "SOURCE"),
        help="list the settings of this command (scope system), and what the archive says of a source, its sections "
        "and its feeds: scope, value, who set it",
    )


def execute(args: Namespace, console: Console) -> int:
    """Write one row per setting."""
    configuration: Configuration = args.configuration
    if args.source:
        return _show_source(args, console)
    console.rows(
        {"key": key.key, "value": _shown(key), "origin": key.origin, "variable": variable(key.key)}
        for key in configuration
    )
    return exits.DONE


def _show_source(args: Namespace, console: Console) -> int:
    """Write one row per parameter of a source."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra
        from broadsheet.cli.source_parameters import parameter_rows  # noqa: PLC0415

    folder, source = args.source
    with Store.open(folder) as archive:
        console.rows(parameter_rows(archive, source, args.configuration))
    return exits.DONE


def _shown(setting: Setting) -> Scalar:
    """Return the value of a setting, without secrets: what is shown ends up in reports of problems."""
    return "(hidden)" if setting.key.endswith(".secret") and setting.value else setting.value
