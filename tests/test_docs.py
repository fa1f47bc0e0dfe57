"""The documentation's links lead somewhere, and its examples run and give what they say."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from lxml import html
from tools.check_docs import DOCS, ROOT, documents, links, navigation, run_examples

pytestmark = pytest.mark.long


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_hold(page: Path) -> None:
    pytest.importorskip("scrapy")

    assert run_examples(page) == []


@pytest.mark.parametrize(
    ("language", "example", "wrong"),
    [
        ("python", "1 + 1  # 2", []),
        ("python", "1 + 1  # 3", ["page.md: 2 is not 3"]),
        ("python", "float(1)  # Article('x')", ["page.md: 1.0 is not Article('x')"]),
        ("python", "1 + 1  # more than one", []),
        ("python", "1 / 0", ["page.md: an example raises ZeroDivisionError('division by zero')"]),
        ("console", "$ echo one two\none …", []),
        ("console", "$ echo one; echo two\none\ntwo", []),
        ("console", "$ echo one\ntwo", ["page.md: `echo one` does not print 'two', but 'one\\n'"]),
        ("console", "$ echo no >&2; exit 3", ["page.md: `echo no >&2; exit 3` ends with exit code 3: no"]),
        ("text", "$ exit 3", []),
    ],
)
def test_an_example_that_does_not_hold_is_named(tmp_path: Path, language: str, example: str, wrong: list[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```{language}\n{example}\n```\n", encoding="utf-8")

    assert run_examples(page) == wrong


def test_the_readme_names_every_extra_that_can_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    table = re.findall(r"^\| (`.+?`) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(name for row in table for name in re.findall(r"`(\w+)`", row)) == sorted(
        project["optional-dependencies"]
    )


def test_every_link_inside_the_project_leads_somewhere() -> None:
    assert [link for page in documents() for link in links(page) if not link.exists()] == []


def test_the_navigation_names_every_page_once() -> None:
    assert sorted(navigation()) == sorted(DOCS.rglob("*.md"))


def test_the_modules_that_pages_name_exist() -> None:
    folders = ("src", "tests", "benchmarks", "tools")
    modules = [f"/{path.relative_to(ROOT).as_posix()}" for folder in folders for path in (ROOT / folder).rglob("*.py*")]
    named = {name for page in documents() for name in re.findall(r"`([\w/]+\.pyx?)`", page.read_text("utf-8"))}

    assert len(named) > 50
    assert [name for name in sorted(named) if not any(module.endswith(f"/{name}") for module in modules)] == []


def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    assert built.returncode == 0, built.stderr

    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) >= len(list(DOCS.rglob("*.md")))
    assert [page for page in pages if _loads_from_elsewhere(page)] == []


def _loads_from_elsewhere(page: Path) -> list[str]:
    tree = html.parse(page)
    loaded = tree.xpath("//script/@src | //img/@src | //iframe/@src | //link[@rel!='canonical']/@href")
    return [str(address) for address in loaded if "//" in address]
