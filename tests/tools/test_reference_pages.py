"""The reference names everything that the program has."""

from pathlib import Path

import pytest
from tools.reference_pages import PARTS, fill

import broadsheet
from broadsheet.base import counter_names, reasons
from broadsheet.base.config import Setting, load
from broadsheet.base.reasons import Reason
from broadsheet.cli import exits
from broadsheet.cli.command import CommandEntry
from broadsheet.cli.commands import COMMANDS
from broadsheet.outputs.formats import FORMATS
from broadsheet.outputs.output_columns import ARCHIVED, Column

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def page(name: str) -> str:
    return fill((REFERENCE / f"{name}.md").read_text(encoding="utf-8"))


def row(text: str, first: str) -> list[str]:
    """Return the cells of the row that begins with a cell."""
    [line] = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("setting", list(load({}, Path("/nowhere"))), ids=lambda setting: setting.key)
def test_every_setting_is_described(setting: Setting) -> None:
    assert all(row(page("configuration"), f"`{setting.key}`"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_described_with_all_its_arguments(command: CommandEntry) -> None:
    text = page("commands")
    section = text.partition(f"## {command.name}\n")[2].partition("\n## ")[0]

    assert f"broadsheet {command.name}" in section
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    assert rows
    assert all(meaning.strip() for *_, meaning, _ in rows)


def test_options_have_their_defaults() -> None:
    section = page("commands").partition("## demo\n")[2]

    assert row(section.partition("\n## ")[0], "`--speed K`")[1] == "5400"


def test_an_option_with_two_values_names_both() -> None:
    section = page("commands").partition("## config\n")[2]

    assert "| `--source ARCHIVE SOURCE` |" in section.partition("\n## ")[0]


def test_every_exit_code_is_described() -> None:
    codes = {value for name, value in vars(exits).items() if isinstance(value, int) and name.isupper()}

    assert set(exits.MEANINGS) == codes
    assert all(row(page("commands"), str(code))[1] for code in codes)


@pytest.mark.parametrize("column", ARCHIVED.columns, ids=lambda column: column.name)
def test_every_column_is_described(column: Column) -> None:
    assert all(row(page("outputs"), f"`{column.name}`"))


@pytest.mark.parametrize("reason", list(reasons.every()))
def test_every_reason_is_described_once(reason: Reason) -> None:
    assert row(page("counters"), f"`{reason}`")[1] == reason.meaning != ""


@pytest.mark.parametrize("name", counter_names.MEANINGS)
def test_every_event_is_described_once(name: str) -> None:
    assert row(page("counters"), f"`{name}`")[1] == counter_names.MEANINGS[name]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_described(form: str) -> None:
    assert all(row(page("outputs"), f"`{form}`"))


@pytest.mark.parametrize("name", sorted({*broadsheet.__all__} - {"__version__"}))
def test_every_public_name_is_described(name: str) -> None:
    assert f"\n::: broadsheet.{name}\n" in page("api")


def test_every_part_is_on_one_page() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in REFERENCE.glob("*.md"))

    assert {part: pages.count(f"<!-- reference: {part} -->") for part in PARTS} == dict.fromkeys(PARTS, 1)
