"""`broadsheet config show`: show every setting, its value and its origin."""

from argparse import ArgumentParser, Namespace

from broadsheet.base.config import Configuration, Scalar, Setting, variable
from broadsheet.cli import exits
from broadsheet.cli.console import Console

_EXAMPLES = """\
examples:
  broadsheet config show
  broadsheet config show --set limits.max_bytes=5000000
  BROADSHEET_LIMITS_MAX_DEPTH=500 broadsheet config show
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the action, of which there is only one."""
    parser.epilog = _EXAMPLES
    parser.add_argument("action", choices=["show"], help="list all settings")


def execute(args: Namespace, console: Console) -> int:
    """Write one row per setting."""
    configuration: Configuration = args.configuration
    console.rows(
        {"key": key.key, "value": _shown(key), "origin": key.origin, "variable": variable(key.key)}
        for key in configuration
    )
    return exits.DONE


def _shown(setting: Setting) -> Scalar:
    """Return the value of a setting, without secrets: what is shown ends up in reports of problems."""
    return "(hidden)" if setting.key.endswith(".secret") and setting.value else setting.value
