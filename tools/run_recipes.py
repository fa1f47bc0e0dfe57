"""Run every recipe of some pages of documentation, with the Broadsheet that this Python has installed.

    venv/bin/python -m tools.run_recipes README.md docs/cookbook.md

Each recipe gets an empty folder with the inputs that it names, made from the built-in news web. A recipe that uses
the web is run with the addresses of a server on this machine in place of those on the page, and with these settings:
addresses of this machine are allowed, requests follow each other without a pause, and a round fetches a few pages.
Python can connect to no other machine meanwhile.
"""

import argparse
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from tools.recipe_inputs import HOMES, REQUESTS, Addresses, prepare, served
from tools.recipes import Block, Recipe, RecipeError, matches, read_recipes

import broadsheet

WEB = "the web"
SECONDS = 600.0
WIDTH = 100
#: What is in this folder keeps Python from connecting to other machines.
LOOPBACK_ONLY = Path(__file__).parent / "loopback"
LOOPBACK = "127.0.0.0/8"
#: What a recipe says of itself as a crawler, and what it has to say to crawl this machine.
CONTACT = "broadsheet.Manners(contact="
HERE = f'broadsheet.Manners(allow_networks="{LOOPBACK}", delay=0.0, contact='


@dataclass(frozen=True, slots=True)
class Finished:
    """How a block ended and what it wrote."""

    code: int
    output: str
    errors: str


class State(StrEnum):
    """What became of a block."""

    PASSED = "ok"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"
    EXPLAINED = "not run"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a block, and the line that says so."""

    state: State
    told: str


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Finished:
    """Run a command whose standard output is a terminal, as it is for whoever follows a recipe."""
    master, slave = pty.openpty()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - the commands are those of our own pages
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=errors,
            start_new_session=True,
        )
        os.close(slave)
        limit = threading.Timer(SECONDS, os.killpg, (process.pid, signal.SIGKILL))
        limit.start()
        try:
            written = _all(master)
            code = process.wait()
        finally:
            limit.cancel()
            os.close(master)
        errors.seek(0)
        return Finished(code, written.replace("\r\n", "\n"), errors.read().decode(errors="replace"))


def _all(terminal: int) -> str:
    parts = []
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:
            # Linux says so where every process has closed its side.
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode(errors="replace")


def environment(home: Path, *, on_the_web: bool = False) -> dict[str, str]:
    """Return the environment of a recipe: this Python's programs first, no settings but those that it needs."""
    settings = {
        "BROADSHEET_CRAWL_ALLOW_NETWORKS": LOOPBACK,
        "BROADSHEET_CRAWL_DELAY": "0",
        "BROADSHEET_SOURCE_MAX_REQUESTS": str(REQUESTS),
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BROADSHEET_", "XDG_", "PYTHON"))}
    programs = Path(sys.executable).parent
    return kept | {
        "PATH": f"{programs}{os.pathsep}{kept.get('PATH', '')}",
        "HOME": str(home),
        "COLUMNS": str(WIDTH),
        "TERM": "dumb",
        "PYTHONPATH": str(LOOPBACK_ONLY),
        **(settings if on_the_web else {}),
    }


def try_block(block: Block, recipe: Recipe, folder: Path, addresses: Addresses) -> str | None:
    """Run one block and say what is wrong with it, if anything is."""
    code = block.code
    if WEB in recipe.uses:
        code = addresses.served(code).replace(CONTACT, HERE)
        if "https://" in code:
            return f"it asks for an address other than {', '.join(HOMES)}"
    if block.language == "python":
        (folder / "recipe.py").write_text(code, encoding="utf-8")
        command = [sys.executable, "recipe.py"]
    else:
        command = ["bash", "-e", "-o", "pipefail", "-c", code]
    done = run(command, folder, environment(folder, on_the_web=WEB in recipe.uses))
    output = addresses.shown(done.output) if WEB in recipe.uses else done.output
    told = f"it wrote:\n{output}\nand as messages:\n{done.errors}"
    if done.code:
        return f"it ended with exit code {done.code}; {told}"
    if block.output is not None and not matches(block.output, output):
        return f"the page shows something else:\n{block.output}\n{told}"
    return None


def try_recipe(recipe: Recipe, inputs: Path, addresses: Addresses) -> Iterator[Outcome]:
    """Run the blocks of a recipe one after the other, until one fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for used in recipe.uses:
            if used != WEB:
                _put(inputs / used, folder / used)
        for block in recipe.blocks:
            where = f"{recipe.page}, line {block.line}: {recipe.title}"
            if block.reason:
                yield Outcome(State.EXPLAINED, f"{where} ({block.reason})")
            elif block.needs and find_spec(block.needs) is None:
                yield Outcome(State.SKIPPED, f"{where} ({block.needs} is not installed)")
            elif wrong := try_block(block, recipe, folder, addresses):
                yield Outcome(State.FAILED, f"{where}: {wrong}")
                return
            else:
                yield Outcome(State.PASSED, where)


def _put(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    elif source.is_file():
        shutil.copy(source, target)
    else:
        raise RecipeError(f"there is no input called {source.name}")


def try_all(recipes: Sequence[Recipe], jobs: int) -> Counter[State]:
    """Run the recipes, a few at a time, print what became of them and return how often each state came."""
    found = Counter[State]()
    with (
        tempfile.TemporaryDirectory() as inputs,
        served() as addresses,
        ThreadPoolExecutor(jobs) as pool,
    ):
        prepare(Path(inputs))
        for outcomes in pool.map(lambda recipe: list(try_recipe(recipe, Path(inputs), addresses)), recipes):
            for outcome in outcomes:
                found[outcome.state] += 1
                print(f"{outcome.state:<8} {outcome.told}", flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the recipes and return the exit code: 1 where one of them fails, or is skipped and must not be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", metavar="PAGE", nargs="+", type=Path, help="a page of documentation")
    parser.add_argument("--only", metavar="WORDS", default="", help="run only recipes with these words in their title")
    parser.add_argument("--no-skips", action="store_true", help="fail where a module that a block needs is missing")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="recipes that run at a time (2)")
    options = parser.parse_args(arguments)
    print(f"with Broadsheet {broadsheet.__version__} in {Path(broadsheet.__file__).parent}", flush=True)
    try:
        recipes = [recipe for page in options.pages for recipe in read_recipes(page.name, page.read_text("utf-8"))]
        chosen = [recipe for recipe in recipes if options.only.lower() in recipe.title.lower()]
        found = try_all(chosen, options.jobs)
    except RecipeError as error:
        print(f"FAILED   {error}")
        return 1
    print(
        f"{found[State.PASSED]} blocks ran, {found[State.FAILED]} failed, {found[State.SKIPPED]} were skipped, "
        f"{found[State.EXPLAINED]} are not meant to be run"
    )
    failed = found[State.FAILED] or (options.no_skips and found[State.SKIPPED])
    return 1 if failed or not found[State.PASSED] else 0


if __name__ == "__main__":
    sys.exit(main())
