"""What may stand where the cursor is, for the shells that ask: commands, options, values and paths."""

from argparse import SUPPRESS, Action
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from broadsheet.cli.parser import Parser
from broadsheet.cli.text_table import clean

#: The variable that a shell sets to ask; the arguments are then the words up to the cursor, which may be in the last.
ASKING = "_BROADSHEET_COMPLETE"
#: What stands in the place of a word where the shell knows better: paths.
FILES, FOLDERS = ":files", ":folders"

_OF_FILES, _OF_FOLDERS = frozenset({"PAGE"}), frozenset({"ARCHIVE", "DIR", "FOLDER", "DATA"})


class Suggestion(NamedTuple):
    """A word, or what stands for paths, and what it means."""

    word: str
    meaning: str = ""

    def __str__(self) -> str:
        """Return the line that a shell gets."""
        return f"{self.word}\t{clean(self.meaning)}" if self.meaning else self.word


def suggest(parser: Parser, words: Sequence[str]) -> Iterator[Suggestion]:
    """Give what the last of the words, which may be empty, may be made to."""
    *before, current = words or [""]
    place = _place(parser, before)
    if place.option is not None:
        found = _values(place.option)
    elif current.startswith("-") and not place.options_ended:
        found = _options(place.parser)
    elif place.positional is not None:
        found = _values(place.positional)
    else:
        found = iter(())
    for suggestion in found:
        if suggestion.word in {FILES, FOLDERS} or suggestion.word.startswith(current):
            yield suggestion


class _Place(NamedTuple):
    """Where the cursor is: whose arguments, the option whose value is due, or the argument whose turn it is."""

    parser: Parser
    option: Action | None
    positional: Action | None
    options_ended: bool


def _place(parser: Parser, words: Sequence[str]) -> _Place:
    option: Action | None = None
    positionals = parser.positionals
    ended = False
    for word in words:
        if option is not None:
            option = None
        elif word == "--":
            ended = True
        elif word.startswith("-") and word != "-" and not ended:
            known = parser.options.get(word)
            option = known if known is not None and known.nargs != 0 else None
        elif positionals:
            chosen = (positionals[0].choices or {}).get(word) if isinstance(positionals[0].choices, dict) else None
            if isinstance(chosen, Parser):
                parser, positionals = chosen.declared(), chosen.positionals
            elif positionals[0].nargs not in {"*", "+"}:
                positionals = positionals[1:]
    return _Place(parser, option, positionals[0] if positionals else None, ended)


def _options(parser: Parser) -> Iterator[Suggestion]:
    for name, action in parser.options.items():
        if action.help != SUPPRESS and (name.startswith("--") or len(action.option_strings) == 1):
            yield Suggestion(name, _meaning(action))


def _values(action: Action) -> Iterator[Suggestion]:
    if isinstance(action.choices, dict):
        # These are the commands, each with a parser of its own.
        yield from (Suggestion(name, parser.description or "") for name, parser in action.choices.items())
    elif action.choices is not None:
        yield from (Suggestion(str(choice)) for choice in action.choices)
    elif action.metavar in _OF_FOLDERS:
        yield Suggestion(FOLDERS)
    elif action.type is Path or action.metavar in _OF_FILES:
        yield Suggestion(FILES)


def _meaning(action: Action) -> str:
    return (action.help or "") % vars(action)
