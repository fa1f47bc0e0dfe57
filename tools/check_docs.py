"""Check the documentation: relative links resolve, every page is linked to, and every example runs."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXPECTED = re.compile(r"^(?P<code>\S.*?)\s+# (?P<value>['([\d].*|[A-Z]\w*\(.*\))$")


def documents() -> list[Path]:
    """Return every page of documentation."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def links(page: Path) -> list[Path]:
    """Return the targets of a page's relative links."""
    targets = (match[1] for match in LINK.finditer(page.read_text("utf-8")))
    return [page.parent / target for target in targets if "://" not in target]


def run_examples(page: Path) -> list[str]:
    """Run a page's Python examples in order and return their failures; `value  # repr` states an expectation."""
    names: dict[str, object] = {}
    problems = []
    for block in PYTHON.finditer(page.read_text("utf-8")):
        lines = []
        for line in block[1].splitlines():
            match = EXPECTED.match(line)
            lines.append(f"check({match['code']}, {match['value']!r})" if match else line)

        def check(value: object, expected: str, name: str = page.name) -> None:
            if repr(value) != expected:
                problems.append(f"{name}: {value!r} is not {expected}")

        names["check"] = check
        try:
            # The examples are our own, and running them is the point.
            exec("\n".join(lines), names)  # noqa: S102
        except Exception as error:  # noqa: BLE001 -- any error of an example is a finding
            problems.append(f"{page.name}: an example raises {error!r}")
    return problems


def main() -> int:
    """Print all problems and return the exit code."""
    pages = documents()
    problems = [f"{page.name}: {link.name} is missing" for page in pages for link in links(page) if not link.exists()]
    reached = {link.resolve() for page in pages for link in links(page) if page.name != link.name}
    problems += [f"{page.name}: no page links here" for page in pages if page.parent != ROOT and page not in reached]
    problems += [problem for page in pages for problem in run_examples(page)]
    print("\n".join(problems) or f"{len(pages)} pages: all links resolve, all examples run")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
