"""`broadsheet train all`: every shipped file, in one run that can be interrupted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.training.shipped_models import PACKAGE, SHIPPED, Say, ShippedModel
from broadsheet.training.whole_training import RECORD, UNFINISHED, train_all
from tests.corpora import tiny


class Trainings:
    """Made-up models of one file each, which hold the labels of the data, and how often each was trained."""

    def __init__(self) -> None:
        self.trained: list[str] = []

    def model(self, name: str, fails: Callable[[], bool] = lambda: False) -> ShippedModel:
        def train(data: Path, output: Path, _models: Path, say: Say) -> None:
            self.trained.append(name)
            (output / f"{name}.npz").write_bytes((data / "labels").read_bytes())
            say(f"learning {name}")
            if fails():
                raise InputError("interrupted")

        return ShippedModel(name, f"{name}/data", (f"{name}.npz",), train)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "labels").write_text("article")
    return folder


def silent(_message: str) -> None:
    pass


def test_every_model_file_of_the_package_is_trained_by_one_model() -> None:
    folders = {model.folder for model in SHIPPED}
    shipped = {f"{folder}/{file.name}" for folder in folders for file in (PACKAGE / folder).iterdir()}
    listed = [path for model in SHIPPED for path in model.paths]
    elsewhere = {path.relative_to(PACKAGE).parent.as_posix() for path in PACKAGE.rglob("*.npz")}

    assert sorted(listed) == sorted(shipped)
    assert elsewhere == folders


def test_files_are_laid_out_as_in_the_package_and_compared_with_it(data: Path, tmp_path: Path) -> None:
    said: list[str] = []

    train_all(data, tmp_path / "out", said.append, [Trainings().model("urls")])

    assert (tmp_path / "out" / "urls" / "data" / "urls.npz").read_text() == "article"
    assert said == [
        "1 of 1, urls: begins",
        "learning urls",
        "1 of 1, urls: finished after 0 s of CPU time",
        "urls/data/urls.npz: differs from the installed one",
    ]


def test_an_interrupted_run_goes_on_after_the_last_finished_model(data: Path, tmp_path: Path) -> None:
    trainings, failures = Trainings(), iter((True, False))
    models = [trainings.model("urls"), trainings.model("pages", lambda: next(failures)), trainings.model("reading")]
    with pytest.raises(InputError, match="interrupted"):
        train_all(data, tmp_path, silent, models)
    assert not (tmp_path / "pages").exists()

    train_all(data, tmp_path, silent, models)

    assert trainings.trained == ["urls", "pages", "pages", "reading"]
    assert not (tmp_path / UNFINISHED).exists()


@pytest.mark.parametrize("change", ["data", "file", "again"])
def test_a_model_is_trained_again_if_anything_changed_or_it_is_asked_for(
    data: Path, tmp_path: Path, change: str
) -> None:
    trainings, out = Trainings(), tmp_path / "out"
    models = [trainings.model("urls")]
    train_all(data, out, silent, models)
    if change == "data":
        (data / "labels").write_text("section or other")
    if change == "file":
        (out / "urls" / "data" / "urls.npz").write_text("damaged")

    train_all(data, out, silent, models, again=change == "again")

    assert trainings.trained == ["urls", "urls"]
    assert (out / "urls" / "data" / "urls.npz").read_bytes() == (data / "labels").read_bytes()


def test_a_model_learns_from_another_of_the_same_run_and_again_when_that_one_changes(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    nets = iter("AAB")

    def train_nets(_data: Path, output: Path, _models: Path, _say: Say) -> None:
        (output / "nets.npz").write_text(next(nets))

    def train_facts(_data: Path, output: Path, models: Path, _say: Say) -> None:
        (output / "facts.json").write_text("from " + (models / "reading" / "nets.npz").read_text())
        said.append("facts")

    said: list[str] = []
    models = [
        ShippedModel("reading", "reading", ("nets.npz",), train_nets),
        ShippedModel("facts", "reading", ("facts.json",), train_facts, learns_from=("reading/nets.npz",)),
    ]
    for _ in range(3):
        train_all(data, out, silent, models)
        (out / "reading" / "nets.npz").unlink()

    assert said == ["facts", "facts"]
    assert (out / "reading" / "facts.json").read_text() == "from B"


def test_models_come_after_those_that_they_learn_from() -> None:
    known: set[str] = set()

    for model in SHIPPED:
        assert known.issuperset(model.learns_from)
        known.update(model.paths)


def test_a_model_without_one_of_its_files_is_an_error(data: Path, tmp_path: Path) -> None:
    model = ShippedModel("urls", "pages/data", ("url.npz",), lambda _data, _output, _models, _say: None)

    with pytest.raises(InputError, match=r"training urls wrote no url\.npz"):
        train_all(data, tmp_path, silent, [model])


def test_a_damaged_record_is_named_with_its_line(data: Path, tmp_path: Path) -> None:
    (tmp_path / RECORD).write_text("{}\n")

    with pytest.raises(InputError, match=r"trained\.jsonl, line 1: is damaged"):
        train_all(data, tmp_path, silent, [Trainings().model("urls")])


def test_real_models_of_tiny_data_have_the_same_bytes_twice(tmp_path: Path) -> None:
    data = tmp_path / "data"
    tiny.folder(data / "pages", "harbour", [tiny.row(f"t{n}", split="train") for n in range(3)])
    models = [model for model in SHIPPED if model.name == "visual"]

    for output in ("first", "second"):
        train_all(data, tmp_path / output, silent, models)

    for path in models[0].paths:
        assert (tmp_path / "first" / path).read_bytes() == (tmp_path / "second" / path).read_bytes()
