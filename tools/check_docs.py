"""Check the documentation: relative links lead somewhere, the nav has every page, and all examples run."""

import re
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from tools.doc_commands import run_commands

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
#: Python is run; of a console session, the lines that begin with `$`.
EXAMPLE = re.compile(r"^```(?P<language>python|console)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
#: The blocks of these pages need files and a web to work on: `run_recipes` runs them.
RECIPES = frozenset({"README.md", "cookbook.md"})
EXPECTED = re.compile(r"^(?P<code>\S.*?)\s+# (?P<value>['([\d].*|[A-Z]\w*\(.*\))$")


def documents() -> list[Path]:
    """Return every page of documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def links(page: Path) -> list[Path]:
    """Return the targets of a page's relative links."""
    targets = (match[1] for match in LINK.finditer(page.read_text("utf-8")))
    return [page.parent / target for target in targets if "://" not in target]


def navigation() -> list[Path]:
    """Return the pages that the site's navigation names."""
    return list(_named(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))


def _named(entry: object) -> Iterator[Path]:
    if isinstance(entry, str):
        yield DOCS / entry
    elif isinstance(entry, list | dict):
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _named(part)


def run_examples(page: Path) -> list[str]:
    """Run a page's examples in order, in an empty folder, and return what they got wrong.

    In Python, `value  # repr` states an expectation; in a console session, the lines below a command do.
    """
    names: dict[str, object] = {}
    wrong: list[str] = []
    if page.name in RECIPES:
        return wrong
    with TemporaryDirectory() as folder, chdir(folder):
        for example in EXAMPLE.finditer(page.read_text("utf-8")):
            run = run_commands(example["text"]) if example["language"] == "console" else _run(example["text"], names)
            wrong += [f"{page.name}: {problem}" for problem in run]
    return wrong


def _run(block: str, names: dict[str, object]) -> list[str]:
    wrong = []

    def check(value: object, expected: str) -> None:
        if repr(value) != expected:
            wrong.append(f"{value!r} is not {expected}")

    names["check"] = check
    matches = ((line, EXPECTED.match(line)) for line in block.splitlines())
    code = "\n".join(f"check({match['code']}, {match['value']!r})" if match else line for line, match in matches)
    try:
        # The examples are our own, and running them is the point.
        exec(code, names)  # noqa: S102
    except Exception as error:  # noqa: BLE001 -- whatever an example raises is what is wrong with it
        wrong.append(f"an example raises {error!r}")
    return wrong


def main() -> int:
    """Print all problems and return the exit code."""
    pages = documents()
    wrong = [f"{page.name}: {link.name} is not there" for page in pages for link in links(page) if not link.exists()]
    reached = navigation()
    wrong += [
        f"{page.name}: mkdocs.yml does not name it" for page in pages if page.parent != ROOT and page not in reached
    ]
    wrong += [problem for page in pages for problem in run_examples(page)]
    print("\n".join(wrong) or f"{len(pages)} pages: links lead somewhere, examples run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
