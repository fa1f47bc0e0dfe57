"""Shell completion: suggest commands, options, values and paths at the cursor."""

from argparse import SUPPRESS, Action
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from broadsheet.cli.parser import Parser
from broadsheet.cli.text_table import clean

#: Shells set this variable to request suggestions; the arguments are then the words up to and including the cursor's.
COMPLETION_VARIABLE = "_BROADSHEET_COMPLETE"
#: Placeholders that tell the shell to complete paths itself.
FILES, FOLDERS = ":files", ":folders"

_FILE_METAVARS, _FOLDER_METAVARS = frozenset({"PAGE"}), frozenset({"ARCHIVE", "DIR", "FOLDER", "DATA"})


class Suggestion(NamedTuple):
    """A word or a placeholder for paths, and its description."""

    word: str
    description: str = ""

    def __str__(self) -> str:
        """Format the line for the shell."""
        return f"{self.word}\t{clean(self.description)}" if self.description else self.word


def suggest(parser: Parser, words: Sequence[str]) -> Iterator[Suggestion]:
    """Yield completions of the last word, which may be empty."""
    *before, current = words or [""]
    cursor = _locate_cursor(parser, before)
    if cursor.option is not None:
        candidates = _values(cursor.option)
    elif current.startswith("-") and not cursor.options_ended:
        candidates = _options(cursor.parser)
    elif cursor.positional is not None:
        candidates = _values(cursor.positional)
    else:
        candidates = iter(())
    for suggestion in candidates:
        if suggestion.word in {FILES, FOLDERS} or suggestion.word.startswith(current):
            yield suggestion


class _Cursor(NamedTuple):
    """Where the cursor is: the current parser, and the option or positional argument whose value comes next."""

    parser: Parser
    option: Action | None
    positional: Action | None
    options_ended: bool


def _locate_cursor(parser: Parser, words: Sequence[str]) -> _Cursor:
    option: Action | None = None
    positionals = parser.positionals
    ended = False
    for word in words:
        if option is not None:
            option = None
        elif word == "--":
            ended = True
        elif word.startswith("-") and word != "-" and not ended:
            action = parser.options.get(word)
            option = action if action is not None and action.nargs != 0 else None
        elif positionals:
            chosen = (positionals[0].choices or {}).get(word) if isinstance(positionals[0].choices, dict) else None
            if isinstance(chosen, Parser):
                parser, positionals = chosen.declared(), chosen.positionals
            elif positionals[0].nargs not in {"*", "+"}:
                positionals = positionals[1:]
    return _Cursor(parser, option, positionals[0] if positionals else None, ended)


def _options(parser: Parser) -> Iterator[Suggestion]:
    for name, action in parser.options.items():
        if action.help != SUPPRESS and (name.startswith("--") or len(action.option_strings) == 1):
            yield Suggestion(name, _description(action))


def _values(action: Action) -> Iterator[Suggestion]:
    if isinstance(action.choices, dict):
        # Only the commands have a dict of choices: names and their parsers.
        yield from (Suggestion(name, parser.description or "") for name, parser in action.choices.items())
    elif action.choices is not None:
        yield from (Suggestion(str(choice)) for choice in action.choices)
    elif action.metavar in _FOLDER_METAVARS:
        yield Suggestion(FOLDERS)
    elif action.type is Path or action.metavar in _FILE_METAVARS:
        yield Suggestion(FILES)


def _description(action: Action) -> str:
    return (action.help or "") % vars(action)
