import shutil
from pathlib import Path

import grimp
import pytest

from broadsheet.base import provenance as module
from broadsheet.base.provenance import digest_of, provenance
from broadsheet.corpora.evaluation import ROOMS
from broadsheet.corpora.results import MEASURING_ROOMS
from broadsheet.corpora.systems import READER_ROOMS
from broadsheet.experiments.registry import EXPERIMENTS

FILES = ("reading/read.py", "reading/_fast.pyx", "reading/_fast.so", "reading/data/lines.npz", "reading/data/words.txt")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name in (*FILES, "cli/main.py", "reading/_fast.c"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_one_changed_byte_of_code_or_model_changes_the_digest(package: Path, name: str) -> None:
    before = provenance(["reading"], package)
    content = bytearray((package / name).read_bytes())
    content[3] ^= 1

    (package / name).write_bytes(content)

    assert provenance(["reading"], package).key != before.key


@pytest.mark.parametrize("name", ["reading/data/lines-1.npz", "reading/lines/_words.pyx", "models/net.py"])
def test_the_files_of_our_readers_are_in_their_provenance(tmp_path: Path, name: str) -> None:
    for room in READER_ROOMS:
        shutil.copytree(module.PACKAGE / room, tmp_path / room)
    before = provenance(READER_ROOMS, tmp_path)

    with (tmp_path / name).open("ab") as file:
        file.write(b" ")

    assert before == provenance(READER_ROOMS)
    assert provenance(READER_ROOMS, tmp_path).key != before.key


def test_a_report_shows_code_and_models_but_not_compiled_files(package: Path) -> None:
    before = provenance(["reading"], package)
    (package / "reading/_fast.so").write_bytes(b"of another machine")

    assert str(provenance(["reading"], package)) == str(before)
    (package / "reading/data/lines.npz").unlink()
    assert str(provenance(["reading"], package)) != str(before)


def test_a_renamed_file_changes_the_digest(package: Path) -> None:
    before = provenance(["reading"], package)

    shutil.move(package / "reading/data/lines.npz", package / "reading/data/other.npz")

    assert provenance(["reading"], package).models != before.models


@pytest.mark.parametrize("name", ["cli/main.py", "reading/_fast.c"])
def test_other_subpackages_and_generated_files_do_not_matter(package: Path, name: str) -> None:
    before = provenance(["reading"], package)

    (package / name).write_text("changed", encoding="utf-8")

    assert provenance(["reading", "reading"], package) == before


def test_the_boundaries_between_byte_strings_matter() -> None:
    assert digest_of([b"ab", b"c"]) != digest_of([b"a", b"bc"])


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("broadsheet", exclude_type_checking_imports=True)


def depends_on(graph: grimp.ImportGraph, name: str) -> set[str]:
    """The subpackages that a module imports from, directly or not; the version is stored next to the digests."""
    wanted = [each for each in graph.modules if each == name or each.startswith(f"{name}.")]
    return {found.split(".")[1] for each in wanted for found in graph.find_upstream_modules(each)} - {"_version"}


def test_results_depend_only_on_subpackages_in_their_provenance(graph: grimp.ImportGraph) -> None:
    assert depends_on(graph, "broadsheet.reading") <= set(READER_ROOMS)
    for measuring in ("labelling", "measures", "page_words", "fields"):
        assert depends_on(graph, f"broadsheet.corpora.{measuring}") <= set(MEASURING_ROOMS)
    assert depends_on(graph, "broadsheet.corpora.evaluation") <= set(ROOMS)


def test_experiments_depend_only_on_subpackages_in_their_provenance(graph: grimp.ImportGraph) -> None:
    for experiment in EXPERIMENTS:
        # An experiment is a module, or one of several objects that a module defines.
        name = getattr(experiment, "__name__", type(experiment).__module__)
        assert depends_on(graph, name) <= set(experiment.ROOMS), name


def test_every_listed_subpackage_exists() -> None:
    for rooms in (ROOMS, *(experiment.ROOMS for experiment in EXPERIMENTS)):
        assert all((module.PACKAGE / room).is_dir() for room in rooms)
