"""Train all shipped models, one after the other: `broadsheet train all`.

A model that is finished is recorded with the hashes of its files, so that a run that was interrupted goes on after it.
"""

import json
import shutil
import time
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import broadsheet
from broadsheet.base.errors import InputError
from broadsheet.training.shipped_models import SHIPPED, Say, ShippedModel

#: What was trained, from what, one row a model; in the output folder.
RECORD: Final = "trained.jsonl"
#: The folder for the files of the model that is being trained.
UNFINISHED: Final = "unfinished"

PACKAGE: Final = Path(broadsheet.__file__).parent


def train_all(
    data: Path, output: Path, say: Say, models: Sequence[ShippedModel] = SHIPPED, *, again: bool = False
) -> None:
    """Train the models and write their files to a folder that is laid out as the package is.

    A model that this folder holds already, trained from the same data, is left as it is unless `again`.
    """
    fingerprint = data_fingerprint(data)
    finished = {} if again else _finished(output, fingerprint)
    for number, model in enumerate(models, 1):
        place = f"{number} of {len(models)}, {model.name}"
        if model.name in finished:
            say(f"{place}: finished before")
            continue
        say(f"{place}: begins")
        begun = time.process_time()
        hashes = _train(model, data, output, say)
        seconds = round(time.process_time() - begun)
        row = {"model": model.name, "data": fingerprint, "cpu_seconds": seconds, "files": hashes}
        with (output / RECORD).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        say(f"{place}: finished after {seconds} s of CPU time")
    for path in (path for model in models for path in model.paths):
        is_same = (PACKAGE / path).exists() and (PACKAGE / path).read_bytes() == (output / path).read_bytes()
        say(f"{path}: {'the same as' if is_same else 'differs from'} the installed one")


def data_fingerprint(data: Path) -> str:
    """Return a hash of the names and sizes of all files of the data, which tells one version from another."""
    digest = sha256()
    for path in sorted(path for path in data.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(data).as_posix()} {path.stat().st_size}\n".encode())
    return digest.hexdigest()


def _train(model: ShippedModel, data: Path, output: Path, say: Say) -> dict[str, str]:
    """Train one model beside the finished ones, then move its files to their places and return their hashes."""
    unfinished = output / UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    model.train(data, unfinished, say)
    missing = [file for file in model.files if not (unfinished / file).is_file()]
    if missing:
        raise InputError(f"training {model.name} wrote no {', '.join(missing)}")
    folder = output / model.folder
    folder.mkdir(parents=True, exist_ok=True)
    for file in model.files:
        (unfinished / file).replace(folder / file)
    shutil.rmtree(unfinished)
    return _hashes(output, model.paths)


def _hashes(output: Path, paths: Iterable[str]) -> dict[str, str]:
    return {path: sha256((output / path).read_bytes()).hexdigest() for path in paths}


def _finished(output: Path, fingerprint: str) -> set[str]:
    """Return the names of the models that were trained from these data and whose files are unchanged since."""
    record = output / RECORD
    if not record.exists():
        return set()
    finished = set()
    for number, line in enumerate(record.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            name, data, files = row["model"], row["data"], dict(row["files"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{record}, line {number}: is damaged; remove the file to train all again") from error
        if all((output / path).is_file() for path in files) and files == _hashes(output, files) and data == fingerprint:
            finished.add(name)
        else:
            finished.discard(name)
    return finished
