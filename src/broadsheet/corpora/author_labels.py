"""Authors of pages in many languages, labelled by hand: names only, or none, without the pages.

Each page was read around its title, its byline and the end of its text. `authors` are the people who wrote it;
`accepted` holds other names that do not count as errors: organisations, user names, editors.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from broadsheet.corpora.field_measures import names

_LABELS = Path(__file__).parent / "data" / "author-labels.jsonl"


@dataclass(frozen=True, slots=True)
class AuthorLabel:
    """The authors of one page, empty if it names none, and other names that do not count as errors."""

    language: str
    authors: tuple[str, ...]
    accepted: tuple[str, ...]

    def wrong(self, given: tuple[str, ...]) -> set[str]:
        """Return the given names, folded, that are neither authors nor accepted."""
        return names(given) - names(self.authors) - names(self.accepted)

    def missed(self, given: tuple[str, ...]) -> set[str]:
        """Return the authors, folded, that are not among the given names."""
        return names(self.authors) - names(given)


@cache
def author_labels() -> dict[str, AuthorLabel]:
    """Return the labels by the id of their page."""
    rows = (json.loads(line) for line in _LABELS.read_text(encoding="utf-8").splitlines())
    return {
        row["id"]: AuthorLabel(row["language"], tuple(row["authors"]), tuple(row.get("accepted", ()))) for row in rows
    }
