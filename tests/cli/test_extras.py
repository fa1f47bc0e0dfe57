# ruff: noqa: S603 - the program that is started is ours
"""What runs without the packages of an extra, and what says in one line which extra it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from broadsheet.cli import exits

LEARNING = ("sklearn", "scipy", "threadpoolctl", "joblib", "matplotlib")
CRAWLING = ("scrapy", "twisted", "sqlalchemy", "pyarrow", "rich", "fastwarc", "dateparser")
#: Every room but those that learn, with all that its modules import.
ROOMS = "base newsweb document models reading pages archive crawling newsroom corpora cli".split()
LOAD_ALL = """
import pkgutil
from importlib import import_module
for room in sys.argv[1:]:
    package = import_module(f"broadsheet.{room}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
"""


def without(packages: tuple[str, ...], program: str, *argv: object) -> subprocess.CompletedProcess[str]:
    """Run a program in an interpreter that cannot import some packages."""
    hide = f"import sys\nsys.modules.update(dict.fromkeys({packages!r}))\n"
    command = [sys.executable, "-c", hide + program, *map(str, argv)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def broadsheet_without(packages: tuple[str, ...], *argv: object) -> subprocess.CompletedProcess[str]:
    return without(packages, "from broadsheet.cli.entry import start; start()", *argv)


def test_only_training_needs_the_training_extra() -> None:
    loaded = without(LEARNING, LOAD_ALL, *ROOMS)

    assert (loaded.returncode, loaded.stderr) == (0, "")


def test_pages_are_read_and_identified_without_extras(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Bridge reopens</title><p>" + "The bridge was opened on Monday. " * 30, encoding="utf-8")

    for command in ("extract", "identify", "parse"):
        ran = broadsheet_without((*LEARNING, *CRAWLING), command, page)
        assert (ran.returncode, ran.stderr) == (exits.DONE, "")
        assert ran.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("hidden", "argv", "start", "extra"),
    [
        (LEARNING, ("train", "urls", ".", "-o", "out"), "training needs ", "train"),
        (LEARNING, ("experiment", "list"), "an experiment needs ", "train"),
        (CRAWLING, ("status", "news"), "an archive needs ", "crawl"),
        (CRAWLING, ("crawl", "news", "example.org"), "crawling needs ", "crawl"),
        (CRAWLING, ("demo", "news"), "the demo needs ", "crawl"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(
    tmp_path: Path, hidden: tuple[str, ...], argv: tuple[str, ...], start: str, extra: str
) -> None:
    (tmp_path / "pages").mkdir()

    ran = broadsheet_without(hidden, *(str(tmp_path) if word == "." else word for word in argv))

    assert ran.returncode == exits.FAILED
    assert ran.stderr.startswith(f"broadsheet: {start}")
    assert ran.stderr.endswith(f": pip install 'broadsheet[{extra}]'\n")
    assert ran.stderr.count("\n") == 1
