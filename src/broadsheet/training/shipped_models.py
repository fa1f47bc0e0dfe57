"""The model files that Broadsheet ships with, and what trains each of them: the one list of both.

Nothing heavy is imported here, so that a command can name the models without the extra that trains them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """A model: its name in `broadsheet train NAME`, its files, and the folder of the package that they are in."""

    name: str
    folder: str
    files: tuple[str, ...]
    #: Fits the model to a folder of data and writes the files to another folder.
    train: Callable[[Path, Path, Say], None]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, relative to the package."""
        return tuple(f"{self.folder}/{file}" for file in self.files)


def _module(name: str) -> Any:  # noqa: ANN401 - a module, loaded only once its model is trained
    return import_module(f"broadsheet.training.{name}")


def _train_urls(data: Path, output: Path, _say: Say) -> None:
    _module("url_training").train(data, output / "url.npz")


def _train_pages(data: Path, output: Path, _say: Say) -> None:
    _module("page_training").train(data, output / "page.npz")


def _train_sites(data: Path, output: Path, _say: Say) -> None:
    _module("site_training").train(data, output)


def _train_visual(data: Path, output: Path, say: Say) -> None:
    _module("visual_training").train(data, output, say)


def _train_memory(data: Path, output: Path, say: Say) -> None:
    training = _module("memory_training")
    for line in training.run(data, training.MemoryTraining(), output, folds=False, dev=False):
        say(line)


def _train_facts(data: Path, output: Path, say: Say) -> None:
    _module("fact_training").train(data, output, say)


def _train_reading(data: Path, output: Path, say: Say) -> None:
    _module("reader_training").train_on_split(data, output, say)


#: All models, those that are trained fast first.
SHIPPED: tuple[ShippedModel, ...] = (
    ShippedModel("urls", "pages/data", ("url.npz",), _train_urls),
    ShippedModel("sites", "sources/data", ("links.npz", "joint.npz", "weights.jsonl"), _train_sites),
    ShippedModel(
        "visual",
        "reading/data",
        ("visual-title.npz", "visual-date.npz", "visual-lengths.npz"),
        _train_visual,
    ),
    ShippedModel("memory", "reading/data", ("memory.npz", "memory-context.npz", "memory-review.npz"), _train_memory),
    ShippedModel("facts", "reading/data", ("fact-weights.json",), _train_facts),
    ShippedModel("pages", "pages/data", ("page.npz",), _train_pages),
    ShippedModel("reading", "reading/data", ("words.npz", "lines-1.npz", "lines-2.npz"), _train_reading),
)
