"""The documentation's links lead somewhere, and its examples run and give what they say."""

import re
import tomllib
from pathlib import Path

import pytest
from tools.check_docs import ROOT, documents, run_examples


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_the_examples_of_a_page_hold(page: Path) -> None:
    pytest.importorskip("scrapy")

    assert run_examples(page) == []


@pytest.mark.parametrize(
    ("example", "wrong"),
    [
        ("1 + 1  # 2", []),
        ("1 + 1  # 3", ["page.md: 2 is not 3"]),
        ("float(1)  # Article('x')", ["page.md: 1.0 is not Article('x')"]),
        ("1 + 1  # more than one", []),
        ("1 / 0", ["page.md: an example raises ZeroDivisionError('division by zero')"]),
    ],
)
def test_an_example_that_does_not_hold_is_named(tmp_path: Path, example: str, wrong: list[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```python\n{example}\n```\n", encoding="utf-8")

    assert run_examples(page) == wrong


def test_the_readme_names_every_extra_that_can_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    table = re.findall(r"^\| (`.+?`) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(name for row in table for name in re.findall(r"`(\w+)`", row)) == sorted(
        project["optional-dependencies"]
    )
