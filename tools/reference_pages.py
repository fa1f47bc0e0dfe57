"""Fill the reference pages from the program itself: its commands, settings, exit codes, columns and counters.

MkDocs loads this file as a hook. A page says where a table goes with a comment such as `<!-- reference: commands -->`.
"""

import re
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from broadsheet.base import counter_names, reasons
from broadsheet.base.config import Scalar, Settings, load, variable
from broadsheet.base.reasons import Reason
from broadsheet.cli import exits
from broadsheet.cli.command import CommandEntry
from broadsheet.cli.commands import COMMANDS
from broadsheet.cli.parser import add_shared_options
from broadsheet.outputs.output_columns import ARCHIVED, READ, Column, Type

MARK = re.compile(r"^<!-- reference: ([a-z-]+) -->$", re.MULTILINE)
_BULLET = re.compile(r"^ *- `(\w+)`: (.*(?:\n(?! *- ).+)*)", re.MULTILINE)
_DEFAULT = re.compile(r" \((?:default: )?([^()]+)\)$")
_PARQUET = {
    Type.TEXT: "string",
    Type.TEXTS: "list of strings",
    Type.INTEGER: "int64",
    Type.NUMBER: "double",
    Type.FLAG: "bool",
    Type.MOMENT: "timestamp, UTC",
    Type.DAY: "date",
}


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill a page in; MkDocs calls this for each."""
    return fill(markdown)


def fill(markdown: str) -> str:
    """Put what each mark of a page asks for in its place."""
    return MARK.sub(lambda mark: "\n".join(PARTS[mark[1]]()), markdown)


def commands() -> Iterator[str]:
    """Write a section for every command."""
    for listed in COMMANDS:
        yield from _command(listed)


def shared_options() -> Iterator[str]:
    """Write the options that every command takes."""
    parser = ArgumentParser(add_help=False)
    add_shared_options(parser, "assignments")
    yield from _arguments(_actions(parser))


def exit_codes() -> Iterator[str]:
    """Write the exit codes."""
    yield from _table(("code", "meaning"), ((str(code), meaning) for code, meaning in exits.MEANINGS.items()))


def configuration() -> Iterator[str]:
    """Write a table for each section of the settings."""
    settings = list(load({}, Path("/")))
    for section in fields(Settings):
        kind = type(getattr(Settings(), section.name))
        summary, _, details = (kind.__doc__ or "").partition("\n")
        texts = {name: " ".join(text.split()).removesuffix(".") for name, text in _BULLET.findall(details)}
        own = [setting for setting in settings if setting.key.startswith(f"{section.name}.")]
        rows = [
            (
                f"`{setting.key}`",
                _value(setting.value),
                texts[setting.key.partition(".")[2]],
                f"`{variable(setting.key)}`",
            )
            for setting in own
        ]
        yield from (f"## {section.name}", "", summary, "")
        yield from _table(("key", "default", "meaning", "environment variable"), rows)


def columns() -> Iterator[str]:
    """Write the columns of the tables that `extract` and `export` write."""
    yield from _columns(READ.columns)


def archive_columns() -> Iterator[str]:
    """Write the columns that only `export` writes."""
    yield from _columns(ARCHIVED.columns[len(READ.columns) :])


def counted_events() -> Iterator[str]:
    """Write what is counted while pages are fetched and read."""
    yield from _table(
        ("name", "what is counted"), ((f"`{name}`", text) for name, text in counter_names.MEANINGS.items())
    )


def fetch_failures() -> Iterator[str]:
    """Write the reasons why a page cannot be fetched."""
    yield from _reasons(reasons.FETCHING)


def read_failures() -> Iterator[str]:
    """Write the reasons why a page cannot be read."""
    yield from _reasons(reasons.READING)


def skips() -> Iterator[str]:
    """Write the reasons why a page or link is left out on purpose."""
    yield from _reasons(reasons.SKIPPING)


PARTS = {
    "archive-columns": archive_columns,
    "columns": columns,
    "commands": commands,
    "configuration": configuration,
    "events": counted_events,
    "exit-codes": exit_codes,
    "fetch-failures": fetch_failures,
    "read-failures": read_failures,
    "shared-options": shared_options,
    "skips": skips,
}


def _command(listed: CommandEntry) -> Iterator[str]:
    parser = ArgumentParser(add_help=False)
    listed.load().configure(parser)
    actions = _actions(parser)
    needed = [_names(action) for action in actions if action.required or not action.option_strings]
    yield from (f"## {listed.name}", "", f"{listed.help[0].upper()}{listed.help[1:]}.", "")
    yield from ("```text", " ".join(("broadsheet", listed.name, *needed, "[OPTIONS]")), "```", "")
    yield from _arguments(actions)
    if parser.epilog:
        yield from ("```text", parser.epilog.rstrip(), "```", "")


def _actions(parser: ArgumentParser) -> list[Action]:
    # argparse has no public list of a parser's arguments.
    return [action for action in parser._actions if action.help != SUPPRESS]  # noqa: SLF001


def _arguments(actions: Iterable[Action]) -> Iterator[str]:
    rows = ((f"`{_names(action)}`", *_default_and_meaning(action)) for action in actions)
    yield from _table(("argument", "default", "meaning"), rows)


def _default_and_meaning(action: Action) -> tuple[str, str]:
    text = (action.help or "") % vars(action)
    stated = _DEFAULT.search(text)
    # Most options state their default at the end of their help, some in words ("the newest").
    if stated and (action.option_strings or action.nargs == "?"):
        return stated[1], text[: stated.start()]
    is_value = isinstance(action.default, str | int) and action.default is not False and action.default != SUPPRESS
    return (str(action.default) if is_value else ""), text


def _names(action: Action) -> str:
    named = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper())
    value = named if isinstance(named, str) else " ".join(named)
    if not action.option_strings:
        return {"*": f"[{value} ...]", "+": f"{value} ...", "?": f"[{value}]"}.get(str(action.nargs), value)
    return ", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {value}")


def _columns(found: Iterable[Column]) -> Iterator[str]:
    rows = ((f"`{column.name}`", _PARQUET[column.type], column.about) for column in found)
    yield from _table(("column", "type in Parquet", "holds"), rows)


def _reasons(listed: Iterable[Reason]) -> Iterator[str]:
    yield from _table(("reason", "meaning"), ((f"`{reason}`", reason.meaning) for reason in listed))


def _value(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:,}" if isinstance(value, int | float) else value or "(empty)"


def _table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
