"""Run notebooks from their first cell to their last, each in an empty folder, and fail where a cell does.

    venv/bin/python -m tools.run_notebooks docs/notebooks/*.ipynb

The notebooks themselves stay as they are: they are kept without outputs, so that a change shows only what was changed.
"""

import argparse
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

#: The most CPU time that one notebook may take, with all processes that it starts.
SECONDS = 40.0
CELL_SECONDS = 300
#: What is in this folder keeps Python from connecting to other machines.
LOOPBACK_ONLY = Path(__file__).parent / "loopback"


def kept_outputs(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the ids of cells that were saved with outputs or counts."""
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [cell.id for cell in code if cell.outputs or cell.execution_count is not None]


def pictures(notebook: nbformat.NotebookNode) -> int:
    """Return how many pictures the cells of a notebook show."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def try_notebook(path: Path) -> str | None:
    """Run one notebook and say what is wrong with it, if anything is."""
    notebook = nbformat.reads(path.read_text("utf-8"), as_version=4)
    nbformat.validate(notebook)
    if saved := kept_outputs(notebook):
        return f"it was saved with the outputs of {', '.join(saved)}: clear them"
    before = _cpu_seconds()
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=CELL_SECONDS, resources={"metadata": {"path": folder}})
        try:
            # What a notebook leaves in the folder for temporary files goes with it.
            client.execute(env=os.environ | {"TMPDIR": folder, "PYTHONPATH": str(LOOPBACK_ONLY)})
        except CellExecutionError as error:
            return f"a cell fails: {error}"
    spent = _cpu_seconds() - before
    print(f"{path.name}: {pictures(notebook)} pictures, {spent:.1f} s of CPU time", flush=True)
    return f"it takes {spent:.1f} s of CPU time, and may take {SECONDS:.0f}" if spent > SECONDS else None


def _cpu_seconds() -> float:
    """Return the CPU time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the notebooks and return the exit code: 1 where one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", metavar="NOTEBOOK", nargs="+", type=Path)
    failed = 0
    for path in parser.parse_args(arguments).notebooks:
        if wrong := try_notebook(path):
            failed += 1
            print(f"FAILED {path.name}: {wrong}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
