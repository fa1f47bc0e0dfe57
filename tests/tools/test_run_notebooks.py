"""The notebooks of the documentation, and the program that runs them."""

import re
from pathlib import Path

import nbformat
import pytest
from tools.check_docs import ROOT

from tools import run_notebooks

NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def write(path: Path, code: str) -> Path:
    cell = nbformat.v4.new_code_cell(code)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_there_are_three_notebooks() -> None:
    assert [path.name for path in NOTEBOOKS] == ["evaluate-a-reader.ipynb", "follow-a-site.ipynb", "read-pages.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_kept_without_outputs_and_links_somewhere(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)

    nbformat.validate(notebook)

    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", prose) if "://" not in link]
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert run_notebooks.kept_outputs(notebook) == []
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_a_notebook_whose_cells_run_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = write(tmp_path / "good.ipynb", "open('left', 'w').close(); 1 + 1")

    assert run_notebooks.main([str(notebook)]) == 0
    assert "good.ipynb: 0 pictures" in capsys.readouterr().out
    assert run_notebooks.kept_outputs(nbformat.read(notebook, as_version=4)) == []
    assert [path.name for path in tmp_path.iterdir()] == ["good.ipynb"]


def test_a_notebook_with_a_cell_that_raises_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notebook = write(tmp_path / "bad.ipynb", "1 / 0")

    assert run_notebooks.main([str(notebook)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_a_notebook_that_takes_too_long_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_notebooks, "SECONDS", 0.01)
    notebook = write(tmp_path / "slow.ipynb", "sum(range(10**6))")

    assert run_notebooks.main([str(notebook)]) == 1
    assert "of CPU time, and may take" in capsys.readouterr().out


def test_a_notebook_that_was_saved_with_outputs_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = nbformat.v4.new_code_cell("1", execution_count=1)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "saved.ipynb")

    assert run_notebooks.main([str(tmp_path / "saved.ipynb")]) == 1
    assert "saved with the outputs of" in capsys.readouterr().out
