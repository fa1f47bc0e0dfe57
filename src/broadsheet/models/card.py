"""A model's description of itself."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Self

from broadsheet.models.model_errors import ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A model's name, version, input features, output classes and training data."""

    name: str
    version: int
    features: tuple[str, ...]
    classes: tuple[str, ...]
    #: The training data and settings, as prose.
    training: str

    @property
    def label(self) -> str:
        """Name and version, as verdicts and articles cite the model."""
        return f"{self.name}-{self.version}"

    def to_json(self) -> str:
        """Return the card as JSON with sorted keys."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse a card; raise if a field is missing, unknown or of the wrong type."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ModelError(f"the model's card is not valid JSON: {error}") from error
        if not isinstance(values, dict) or values.keys() != {field.name for field in fields(cls)}:
            expected = ", ".join(field.name for field in fields(cls))
            raise ModelError(f"the model's card must have exactly these fields: {expected}")
        if type(values["version"]) is not int or not all(
            isinstance(values[name], str) for name in ("name", "training")
        ):
            raise ModelError("the model's card must have text as name and training, and an integer as version")
        return cls(
            name=values["name"],
            version=values["version"],
            features=_names(values["features"], "features"),
            classes=_names(values["classes"], "classes"),
            training=values["training"],
        )


def _names(value: object, field: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        raise ModelError(f"the model's {field} must be a non-empty list of names")
    if len(set(value)) < len(value):
        raise ModelError(f"the model's {field} must not repeat a name")
    return tuple(value)
