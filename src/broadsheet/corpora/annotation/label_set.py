"""The labels that a corpus is annotated with: one letter each, so that a key sets it and a file shows it.

A corpus has the labels of articles unless its folder has a file `label-set.toml`:

    rest = "g"

    [labels]
    g = "garbage"
    p = "price"
    n = "name"
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.records import Label

FILE = "label-set.toml"
#: As many as there are keys that do nothing else.
MAX_LABELS = 20
MAX_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The letters of the labels, in the order in which they are offered, and their names.

    `rest` is the letter of everything that no label is for; all text has it until somebody says otherwise.
    """

    names: Mapping[str, str]
    rest: str = "g"
    _letters: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse letters that no key sets or no file shows, and names that two labels share."""
        if not 2 <= len(self.names) <= MAX_LABELS:
            raise InputError(f"a label set needs 2 to {MAX_LABELS} labels, not {len(self.names)}")
        for letter, name in self.names.items():
            if not (len(letter) == 1 and letter.isascii() and letter.islower()):
                raise InputError(f"the label {name!r} needs one letter from a to z, not {letter!r}")
            if not (str(name).isascii() and str(name).replace("_", "").isalpha()):
                raise InputError(f"the label {letter!r} needs a name of letters and underscores, not {name!r}")
        if len(set(self.names.values())) < len(self.names):
            raise InputError("two labels of a label set have the same name")
        if self.rest not in self.names:
            raise InputError(f"the label of the rest, {self.rest!r}, is not among the labels {', '.join(self.names)}")
        object.__setattr__(self, "names", FrozenMapping(self.names))
        object.__setattr__(self, "_letters", frozenset(self.names))

    def __contains__(self, letter: str) -> bool:
        """Return whether a letter is the letter of a label."""
        return letter in self._letters

    def letter_of(self, name: str) -> str | None:
        """Return the letter of a label by its name."""
        return next((letter for letter, other in self.names.items() if other == name), None)

    @property
    def has_articles(self) -> bool:
        """Whether the labels are those of articles, so that readers can learn them and their structure be checked."""
        return self == ARTICLE_LABELS


ARTICLE_LABELS = LabelSet(
    {"t": "title", "h": "heading", "b": "body", "d": "date", "a": "author", "g": "garbage"}, rest="g"
)
_LETTERS = {Label[name.upper()]: letter for letter, name in ARTICLE_LABELS.names.items()}
_LABELS = {letter: label for label, letter in _LETTERS.items()}


def to_letters(labels: NDArray[np.int8]) -> str:
    """Return the letters of labels, one per text piece."""
    return "".join(_LETTERS[Label(label)] for label in labels.tolist())


def to_labels(letters: str) -> NDArray[np.int8]:
    """Return the labels of letters, one per text piece."""
    return np.array([_LABELS[letter] for letter in letters], np.int8)


def load_label_set(folder: Path) -> LabelSet:
    """Return the label set of a corpus: that of its file, or that of articles if it has none."""
    path = folder / FILE
    if not path.is_file():
        return ARTICLE_LABELS
    try:
        with path.open("rb") as file:
            content = tomllib.loads(file.read(MAX_BYTES).decode())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a valid TOML file ({error})") from error
    labels, rest = content.get("labels"), content.get("rest", "g")
    if not isinstance(labels, dict) or not isinstance(rest, str) or content.keys() - {"labels", "rest"}:
        raise InputError(
            f"{path}: needs a table [labels] of letters and names, and may have `rest`, one of the letters"
        )
    try:
        return LabelSet(labels, rest)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
