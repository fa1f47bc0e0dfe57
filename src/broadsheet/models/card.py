"""What a model says of itself."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Self

from broadsheet.models.model_errors import ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A model's name and version, what goes in, what comes out, and what it learned from."""

    name: str
    version: int
    features: tuple[str, ...]
    classes: tuple[str, ...]
    #: The data and the settings of the training, in words.
    training: str

    @property
    def label(self) -> str:
        """The name by which verdicts and articles refer to the model."""
        return f"{self.name}-{self.version}"

    def to_json(self) -> str:
        """Return the card as JSON, the same for the same card."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def of_json(cls, text: str) -> Self:
        """Read a card; one that lacks a field, or holds it in another form, is refused."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ModelError(f"the model's card is not JSON: {error}") from error
        if not isinstance(values, dict) or values.keys() != {field.name for field in fields(cls)}:
            raise ModelError(f"a model's card has the fields {', '.join(field.name for field in fields(cls))}")
        if type(values["version"]) is not int or not all(
            isinstance(values[name], str) for name in ("name", "training")
        ):
            raise ModelError("a model's name and training are texts, and its version is a number")
        return cls(
            name=values["name"],
            version=values["version"],
            features=_names(values["features"], "features"),
            classes=_names(values["classes"], "classes"),
            training=values["training"],
        )


def _names(value: object, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        raise ModelError(f"a model's {what} are a list of names")
    if len(set(value)) < len(value):
        raise ModelError(f"a model's {what} are named twice")
    return tuple(value)
