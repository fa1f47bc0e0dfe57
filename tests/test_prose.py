"""Phrases that readers stumbled over were reworded, and do not come back."""

import re
from pathlib import Path

import pytest
from tools.check_docs import DOCS, ROOT, documents

#: Not used anywhere, neither on pages nor in docstrings, comments and messages.
ANYWHERE = (
    r"\b(?:gone|going) on with\b",
    r"\bheld this one for dead\b",
    # Seeds are of random numbers; a document is cited by its authors.
    r"\bseed 0\d\d\b",
    r"\bthe (?:first |second )?seed(?:'s|’s| (?:asks|calls|has|names|plans|proposes|says|states|wants|papers?))\b",
)
#: Not used on pages.
ON_PAGES = (
    *ANYWHERE,
    # "A section is not an article", where "a section is no article" stood.
    r"(?<!\bthere) is no (?!longer\b|more than\b)",
    # "One row per source", where "a row a source" stood.
    r"\ba row an? ",
    r"\bagainst the truth\b",
    r"\bfor dead\b",
)
MODULES = sorted(path for suffix in ("py", "pyx") for path in (ROOT / "src").rglob(f"*.{suffix}"))
#: What stands between two words of a sentence that goes on in the next line: of a page, a comment or a string.
BREAK = re.compile(r"\s*\"\s*\n\s*f?\"\s*|\s+#:?\s+|\s+")


def found(phrases: tuple[str, ...], text: str) -> list[str]:
    """Return the phrases that are in a text, with a few words around each."""
    flat = BREAK.sub(" ", text)
    pattern = re.compile("|".join(phrases), re.IGNORECASE)
    return [flat[max(0, match.start() - 30) : match.end() + 30] for match in pattern.finditer(flat)]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [*documents(), *sorted(DOCS.rglob("*.ipynb"))], ids=name)
def test_pages_are_free_of_these_phrases(page: Path) -> None:
    assert found(ON_PAGES, page.read_text("utf-8")) == []


def test_modules_are_free_of_these_phrases() -> None:
    assert len(MODULES) > 400
    assert {name(path): hits for path in MODULES if (hits := found(ANYWHERE, path.read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "A feed is no page.",
        "A feed is\nno page.",
        "It writes a row a source.",
        "compared against the truth",
        "taken for dead",
        "A round can be gone\n    # on with later.",
        '"the crawl was going on "\n    "with its pages"',
        "the signs that the first seed names",
        "the seed’s experiment",
        "features of seed 000",
    ],
)
def test_a_phrase_is_found_across_lines(text: str) -> None:
    assert found(ON_PAGES, text)


@pytest.mark.parametrize(
    "text",
    [
        "There is no such page.",
        "It is no longer there, and is no more than a name.",
        "a function of the seed, the section and the day",
        "Pages are drawn with seed 0.",
        "It writes one row per source.",
    ],
)
def test_idiomatic_uses_of_the_words_are_allowed(text: str) -> None:
    assert found(ON_PAGES, text) == []
