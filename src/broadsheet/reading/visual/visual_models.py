"""The models of the visual reader: an ensemble of trees for titles, another for dates, and the length of a date."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.arrays import pack, read_bytes, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.models.model_files import load, save
from broadsheet.models.trees import TreeEnsemble
from broadsheet.reading.visual.visual_attributes import DATE_ATTRIBUTES, TITLE_ATTRIBUTES

#: The models shipped with Broadsheet.
SHIPPED: Final = Path(__file__).parents[1] / "data"
TITLE, DATE, LENGTHS = "visual-title", "visual-date", "visual-lengths"
#: The classes of both models; the second is what is looked for.
CLASSES: Final = ("rest", "found")


@dataclass(frozen=True, slots=True, eq=False)
class VisualModels:
    """One ensemble of trees for titles and one for dates."""

    title: TreeEnsemble
    date: TreeEnsemble
    #: A longer piece, in characters, is not a date.
    most_in_a_date: int

    def __post_init__(self) -> None:
        """Raise if a model was trained on other attributes."""
        for model, attributes in ((self.title, TITLE_ATTRIBUTES), (self.date, DATE_ATTRIBUTES)):
            if (
                self.most_in_a_date < 1
                or model.card.features != attributes
                or model.card.classes not in (CLASSES, CLASSES[1:])
            ):
                raise ModelError(f"{model.card.label} was not trained on the attributes that this version uses")

    @property
    def label(self) -> str:
        """The names and versions of both models, as archives cite them."""
        return f"{self.title.card.label}, {self.date.card.label}"


def found(model: TreeEnsemble, rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the probability of each row to be what a model looks for."""
    return model.probabilities(rows)[:, -1]


def write_models(models: VisualModels, folder: Path) -> None:
    """Write both models into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in ((TITLE, models.title), (DATE, models.date)):
        save(model, folder / f"{name}.npz")
    (folder / f"{LENGTHS}.npz").write_bytes(pack({"most_in_a_date": np.array(models.most_in_a_date, np.int32)}))


@lru_cache(maxsize=8)
def read_models(folder: Path) -> VisualModels:
    """Read the models from a folder; cached because every page needs them."""
    title, date = (load(folder / f"{name}.npz") for name in (TITLE, DATE))
    return VisualModels(title, date, _read_length(folder / f"{LENGTHS}.npz"))


def _read_length(path: Path) -> int:
    try:
        length = unpack(read_bytes(path), ("most_in_a_date",))["most_in_a_date"]
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    if length.shape != () or length.dtype.kind != "i":
        raise ModelError(f"{path}: the length of a date must be one whole number")
    return int(length)
