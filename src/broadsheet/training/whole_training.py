"""Train all shipped models, one after the other: `broadsheet train all`.

A model that is finished is recorded with the hashes of its files, so that a run that was interrupted goes on after it.
"""

import json
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from broadsheet.base.errors import InputError
from broadsheet.training.shipped_models import PACKAGE, SHIPPED, Say, ShippedModel

#: What was trained, from what, one row a model; in the output folder.
RECORD: Final = "trained.jsonl"
#: The folder for the files of the model that is being trained.
UNFINISHED: Final = "unfinished"


def train_all(
    data: Path, output: Path, say: Say, models: Sequence[ShippedModel] = SHIPPED, *, again: bool = False
) -> None:
    """Train the models and write their files to a folder that is laid out as the package is.

    A model that this folder holds already, trained from the same data, is left as it is unless `again`.
    """
    fingerprint = data_fingerprint(data)
    recorded = {} if again else _recorded(output)
    for number, model in enumerate(models, 1):
        place = f"{number} of {len(models)}, {model.name}"
        source = {"data": fingerprint, "models": _hashes(output, model.learns_from)}
        if _is_finished(recorded.get(model.name), source, output):
            say(f"{place}: finished before")
            continue
        say(f"{place}: begins")
        begun = time.process_time()
        hashes = _train(model, data, output, say)
        seconds = round(time.process_time() - begun)
        row = {"model": model.name, **source, "cpu_seconds": seconds, "files": hashes}
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
    model.train(data, unfinished, output, say)
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


def _recorded(output: Path) -> dict[str, dict[str, Any]]:
    """Return the last row of the record for each model."""
    record = output / RECORD
    if not record.exists():
        return {}
    rows: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(record.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            name, _, _, _ = row["model"], row["data"], dict(row["models"]), dict(row["files"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{record}, line {number}: is damaged; remove the file to train all again") from error
        rows[name] = row
    return rows


def _is_finished(row: Mapping[str, Any] | None, source: Mapping[str, object], output: Path) -> bool:
    """Tell whether a model was trained from the same source, and its files are unchanged since."""
    if row is None or {"data": row["data"], "models": row["models"]} != source:
        return False
    files = row["files"]
    return all((output / path).is_file() for path in files) and files == _hashes(output, files)
