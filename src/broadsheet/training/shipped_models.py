"""The model files that Broadsheet ships with, and what trains each of them: the one list of both.

Nothing heavy is imported here, so that a command can name the models without the extra that trains them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import broadsheet

Say = Callable[[str], None]

#: The package, whose own models a model learns from that is trained alone.
PACKAGE = Path(broadsheet.__file__).parent

_READING = "reading/data"


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """A model: its name in `broadsheet train NAME`, its files, and the folder of the package that they are in."""

    name: str
    folder: str
    files: tuple[str, ...]
    #: Fits the model to a folder of data and writes the files to another folder. The third folder is laid out as the
    #: package, and holds the models that this one learns from.
    train: Callable[[Path, Path, Path, Say], None]
    #: The paths of the files that this model learns from; what trains them comes before it.
    learns_from: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, relative to the package."""
        return tuple(f"{self.folder}/{file}" for file in self.files)


def _module(name: str) -> Any:  # noqa: ANN401 - a module, loaded only once its model is trained
    return import_module(f"broadsheet.training.{name}")


def _train_urls(data: Path, output: Path, _models: Path, _say: Say) -> None:
    _module("url_training").train(data, output / "url.npz")


def _train_pages(data: Path, output: Path, _models: Path, _say: Say) -> None:
    _module("page_training").train(data, output / "page.npz")


def _train_sites(data: Path, output: Path, _models: Path, _say: Say) -> None:
    _module("site_training").train(data, output)


def _train_visual(data: Path, output: Path, _models: Path, say: Say) -> None:
    _module("visual_training").train(data, output, say)


def _train_memory(data: Path, output: Path, _models: Path, say: Say) -> None:
    training = _module("memory_training")
    for line in training.run(data, training.MemoryTraining(), output, folds=False, dev=False):
        say(line)


def _train_facts(data: Path, output: Path, models: Path, say: Say) -> None:
    _module("fact_training").train(data, output, say, models / _READING)


def _train_reading(data: Path, output: Path, _models: Path, say: Say) -> None:
    _module("reader_training").train_on_split(data, output, say)


_NETS = ("words.npz", "lines-1.npz", "lines-2.npz")

#: All models, those that are trained fast first, and those that learn from others after them.
SHIPPED: tuple[ShippedModel, ...] = (
    ShippedModel("urls", "pages/data", ("url.npz",), _train_urls),
    ShippedModel("sites", "sources/data", ("links.npz", "joint.npz", "weights.jsonl"), _train_sites),
    ShippedModel("visual", _READING, ("visual-title.npz", "visual-date.npz", "visual-lengths.npz"), _train_visual),
    ShippedModel("memory", _READING, ("memory.npz", "memory-context.npz", "memory-review.npz"), _train_memory),
    ShippedModel("pages", "pages/data", ("page.npz",), _train_pages),
    ShippedModel("reading", _READING, _NETS, _train_reading),
    ShippedModel(
        "facts",
        _READING,
        ("fact-weights.json", "line-kinds.npz"),
        _train_facts,
        learns_from=tuple(f"{_READING}/{name}" for name in _NETS),
    ),
)
