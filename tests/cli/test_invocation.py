from pathlib import Path

import pytest

from broadsheet.cli.invocation import invocation


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that is not on the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return _program(tmp_path / "env" / "broadsheet")


def _program(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_program_that_is_not_on_the_path_is_called_by_its_own_path(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(script.parents[1])

    assert invocation("env/broadsheet", ["python", "env/broadsheet", "demo"]) == "env/broadsheet"


def test_a_program_on_the_path_is_called_by_its_name(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(script.parent))

    assert invocation(str(script), ["python", str(script)]) == "broadsheet"


def test_another_program_of_the_same_name_is_not_mistaken_for_this_one(script: Path, tmp_path: Path) -> None:
    _program(tmp_path / "bin" / "broadsheet")

    assert invocation(str(script), ["python", str(script)]) == str(script)


def test_a_module_is_called_with_the_python_that_ran_it() -> None:
    command_line = [".venv/bin/python", "-m", "broadsheet", "demo"]

    assert invocation("/src/broadsheet/__main__.py", command_line) == ".venv/bin/python -m broadsheet"


def test_a_path_with_spaces_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    script = _program(tmp_path / "my env" / "broadsheet")

    assert invocation(str(script), ["python", str(script)]) == f"'{script}'"


def test_a_program_that_cannot_be_found_is_called_by_its_name() -> None:
    assert invocation("-c", ["python", "-c"]) == "broadsheet"
