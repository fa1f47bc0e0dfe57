"""The recipes of the documentation: none is passed over, and one that does not hold makes the run fail."""

from pathlib import Path

import pytest
from tools.check_docs import ROOT
from tools.recipes import OUTSIDE, RecipeError, matches, read_recipes

COOKBOOK = next((ROOT / "docs").rglob("cookbook.md"))


def block(language: str, code: str) -> str:
    return f"```{language}\n{code}\n```\n"


@pytest.mark.parametrize(("page", "least"), [(COOKBOOK, 15), (ROOT / "README.md", 4)], ids=["cookbook", "readme"])
def test_every_recipe_of_our_pages_is_found_and_run(page: Path, least: int) -> None:
    text = page.read_text("utf-8")

    recipes = [recipe for recipe in read_recipes(page.name, text) if recipe.title != OUTSIDE]

    assert len(recipes) >= least
    assert len(recipes) == text.count("\n### ")
    assert [recipe.title for recipe in recipes if all(each.reason for each in recipe.blocks)] == []


def test_a_recipe_has_its_inputs_its_blocks_and_their_output() -> None:
    text = "# Page\n## For all\n### Count\n<!-- uses: saved/, the web -->\n" + block("sh", "ls") + "Prose.\n"
    text += block("text", "saved") + "<!-- needs: duckdb -->\n" + block("python", "import duckdb")

    [recipe] = read_recipes("page.md", text)

    assert (recipe.title, recipe.uses) == ("Count", ("saved/", "the web"))
    assert [(each.language, each.code, each.output, each.needs) for each in recipe.blocks] == [
        ("sh", "ls\n", "saved\n", None),
        ("python", "import duckdb\n", None, "duckdb"),
    ]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (block("sh", "ls"), "line 1: a block outside the recipes would not be run"),
        ("### Nothing\n", "line 1: Nothing has nothing to run"),
        ("### A\n" + block("toml", "a = 1"), "line 2: a block of toml is neither run nor compared"),
        ("### A\n" + block("text", "out"), "line 2: there is no block that this could be the output of"),
        ("### A\n" + block("sh", "ls") + block("text", "a") * 2, "line 8: there is no block"),
        ("### A\n```sh\nls\n", "line 2: the block is not closed"),
        ("### A\n" + block("sh", "ls") + "<!-- not run: why -->\n", "no block follows the comment"),
    ],
)
def test_what_would_be_passed_over_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(RecipeError, match=wrong):
        read_recipes("page.md", text)


@pytest.mark.parametrize(
    ("expected", "written", "same"),
    [
        ("one\n", "one\n", True),
        ("one\n", "one\ntwo\n", False),
        ("one\n…\n", "one\ntwo\nthree\n", True),
        ("a  b\n-  ---\n", "a    b\n---    -----\n", True),
        ("took … s\n", "took 3 s\n", True),
        ("took … s\n", "took 3 m\n", False),
        ("a.b\n", "axb\n", False),
    ],
)
def test_an_output_is_compared_but_for_what_is_left_open(expected: str, written: str, same: bool) -> None:
    assert matches(expected, written) is same
