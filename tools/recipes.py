"""The recipes of a page of documentation: what to run, with which inputs, and what it shows.

A recipe is a heading of the third level and the fenced blocks below it. `sh` and `python` blocks are run; a `text`
block after one of them is what it writes to standard output, where `…` stands for anything, on a line by itself for
any number of lines. Comments, which no reader sees, say the rest:

    <!-- uses: saved/, the web -->      what the recipe's folder holds, and whether the news web is served
    <!-- needs: duckdb -->              a module that the next block imports and the package does not install
    <!-- not run: why -->               the next block is for people alone
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_RUN = frozenset({"sh", "python"})
_FENCE = "```"
_HEADING = re.compile(r"(#{1,3}) ")
_COMMENT = re.compile(r"<!-- (uses|needs|not run): (.+) -->")
#: The title of what stands under other headings than those of recipes.
OUTSIDE = "outside the recipes"


class RecipeError(Exception):
    """A page whose blocks cannot all be run or explained; the message names the line."""


@dataclass(slots=True)
class Block:
    """One block of code of a page."""

    language: str
    code: str
    line: int
    #: What it writes; None where the page does not show it.
    output: str | None = None
    needs: str | None = None
    #: Why it is not run; None where it is.
    reason: str | None = None


@dataclass(slots=True)
class Recipe:
    """What stands below one heading."""

    page: str
    title: str
    line: int
    uses: tuple[str, ...] = ()
    blocks: list[Block] = field(default_factory=list)


def read_recipes(page: str, text: str) -> list[Recipe]:
    """Return the recipes of a page; a block that would be neither run nor explained raises."""
    found, comments, last = [Recipe(page, OUTSIDE, 1)], dict[str, str](), None
    for number, part in _parts(page, text):
        if isinstance(part, Block):
            last = _take(found[-1], part, comments, last)
            comments = {}
        elif comment := _COMMENT.fullmatch(part):
            comments[comment[1]] = comment[2]
            if comment[1] == "uses":
                found[-1].uses = tuple(name.strip() for name in comments.pop("uses").split(","))
        elif heading := _HEADING.match(part):
            found.append(Recipe(page, part[heading.end() :] if heading[1] == "###" else OUTSIDE, number))
            last = None
    if comments:
        raise RecipeError(f"{page}: no block follows the comment {comments}")
    return [recipe for recipe in found if _is_explained(recipe)]


def _parts(page: str, text: str) -> Iterator[tuple[int, Block | str]]:
    """Give the lines of a page with their numbers, each fenced block as one."""
    lines = enumerate(text.splitlines(), start=1)
    for number, line in lines:
        if not line.startswith(_FENCE):
            yield number, line.strip()
            continue
        inside = []
        for _, code in lines:
            if code.strip() == _FENCE:
                break
            inside.append(code)
        else:
            raise RecipeError(f"{page}, line {number}: the block is not closed")
        yield number, Block(line.removeprefix(_FENCE).strip(), "\n".join(inside) + "\n", number)


def _take(recipe: Recipe, block: Block, comments: Mapping[str, str], last: Block | None) -> Block | None:
    """Put a block where it belongs, and return the one whose output may follow."""
    block.needs, block.reason = comments.get("needs"), comments.get("not run")
    where = f"{recipe.page}, line {block.line}"
    if block.language == "text" and not block.reason:
        if last is None:
            raise RecipeError(f"{where}: there is no block that this could be the output of")
        last.output = block.code
        return None
    if block.language not in _RUN and not block.reason:
        raise RecipeError(f"{where}: a block of {block.language or 'no language'} is neither run nor compared")
    recipe.blocks.append(block)
    return None if block.reason else block


def _is_explained(recipe: Recipe) -> bool:
    """Say whether there is something to run or to count; what would be passed over silently raises."""
    if recipe.title == OUTSIDE:
        for block in recipe.blocks:
            if not block.reason:
                raise RecipeError(f"{recipe.page}, line {block.line}: a block outside the recipes would not be run")
    elif not recipe.blocks:
        raise RecipeError(f"{recipe.page}, line {recipe.line}: {recipe.title} has nothing to run")
    return bool(recipe.blocks)


def matches(expected: str, written: str) -> bool:
    """Say whether an output is what a page shows, whatever the width of its columns."""
    lines = [_squeezed(line) for line in expected.splitlines()]
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n" for line in lines
    )
    return bool(re.fullmatch(pattern, "".join(f"{_squeezed(line)}\n" for line in written.splitlines())))


def _squeezed(line: str) -> str:
    return re.sub(r"(?<=[─-])[─-]+|(?<=\s)\s+", "", line.rstrip())
