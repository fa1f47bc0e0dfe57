"""Check the documentation: every relative link leads somewhere, every page is reached, every example runs."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: The blocks of these pages need files and a web to work on: `run_recipes` runs them.
RECIPES = frozenset({"README.md", "cookbook.md"})
EXPECTED = re.compile(r"^(?P<code>\S.*?)\s+# (?P<value>['([\d].*|[A-Z]\w*\(.*\))$")


def documents() -> list[Path]:
    """Return every page of documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def links(page: Path) -> list[Path]:
    """Return what a page links to inside the project."""
    targets = (match[1] for match in LINK.finditer(page.read_text("utf-8")))
    return [page.parent / target for target in targets if "://" not in target]


def run_examples(page: Path) -> list[str]:
    """Run a page's Python examples in order and return what they got wrong; `value  # repr` states an expectation."""
    names: dict[str, object] = {}
    wrong: list[str] = []
    if page.name in RECIPES:
        return wrong
    for block in PYTHON.finditer(page.read_text("utf-8")):
        lines = []
        for line in block[1].splitlines():
            match = EXPECTED.match(line)
            lines.append(f"check({match['code']}, {match['value']!r})" if match else line)

        def check(value: object, expected: str, name: str = page.name) -> None:
            if repr(value) != expected:
                wrong.append(f"{name}: {value!r} is not {expected}")

        names["check"] = check
        try:
            # The examples are our own, and running them is the point.
            exec("\n".join(lines), names)  # noqa: S102
        except Exception as error:  # noqa: BLE001 -- whatever an example raises is what is wrong with it
            wrong.append(f"{page.name}: an example raises {error!r}")
    return wrong


def main() -> int:
    """Print what is wrong and return how it went."""
    pages = documents()
    wrong = [f"{page.name}: {link.name} is not there" for page in pages for link in links(page) if not link.exists()]
    reached = {link.resolve() for page in pages for link in links(page) if page.name != link.name}
    wrong += [f"{page.name}: nothing links here" for page in pages if page.parent != ROOT and page not in reached]
    wrong += [problem for page in pages for problem in run_examples(page)]
    print("\n".join(wrong) or f"{len(pages)} pages: links lead somewhere, examples run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
