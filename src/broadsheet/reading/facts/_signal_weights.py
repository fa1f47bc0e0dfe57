"""The weight of each signal, in log odds, fitted by `broadsheet train facts`; see docs/explanation/facts.md."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from broadsheet.base.errors import InputError

#: The file with the weights, in a folder of models.
FILE: Final = "fact-weights.json"
_SHIPPED: Final = Path(__file__).parents[1] / "data" / FILE


@dataclass(frozen=True, slots=True)
class FactWeights:
    """The weights of the signals of titles, days and authors.

    `title` is for a page whose lines are not measured yet, `headline` for one whose lines are.

    `author_bias` is the score of a name without any signal. A name of at least the score `author_sure` is an author,
    and one of at least `author_likely`, or `author_line` if it is in a line without any mark, or `author_organisation`
    if it is not a person, if there is no better one. `letters` are the log odds that a group of letters is that of a
    person's name.
    """

    title: Mapping[str, float]
    headline: Mapping[str, float]
    published: Mapping[str, float]
    author: Mapping[str, float]
    author_bias: float
    author_sure: float
    author_likely: float
    author_line: float
    author_organisation: float
    letters: Mapping[str, float]

    def to_json(self) -> str:
        """Return the weights as text, the same for the same weights."""
        return json.dumps(asdict(self), indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str) -> "FactWeights":
        """Read weights; raise InputError, with the name of the file, if anything but finite numbers is in it."""
        try:
            values = json.loads(text)
            tables = {field: _table(values[field]) for field in ("title", "headline", "published", "author", "letters")}
            return cls(
                **tables,
                author_bias=_number(values["author_bias"]),
                author_sure=_number(values["author_sure"]),
                author_likely=_number(values["author_likely"]),
                author_line=_number(values["author_line"]),
                author_organisation=_number(values["author_organisation"]),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{name}: not the weights of facts; train them again ({error!r})") from error


@cache
def shipped_weights() -> FactWeights:
    """Return the weights that Broadsheet ships with."""
    return FactWeights.from_json(_SHIPPED.read_text(encoding="utf-8"), FILE)


def _table(values: Mapping[str, object]) -> dict[str, float]:
    return {str(signal): _number(weight) for signal, weight in values.items()}


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return float(value)
