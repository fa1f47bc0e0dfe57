"""Evaluation results, one per system and page, stored as lines of JSON without any text of the page."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self

from broadsheet.base.closable import Closable
from broadsheet.base.errors import InputError
from broadsheet.base.journal import Journal, Row
from broadsheet.base.provenance import Provenance, provenance
from broadsheet.corpora.eras import Era
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import Overlap

#: The subpackages that the comparison of any system's text with the labels depends on.
MEASURING_ROOMS = ("base", "document", "corpora")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one system on one page."""

    page: str
    corpus: str
    site: str
    language: str | None
    #: Identifies the content of page and labels, so that changed ones are measured again.
    digest: str
    system: str
    version: str
    #: CPU time of the call.
    seconds: float | None
    #: The error, if the system failed; its text then counts as empty.
    error: str | None
    exact: bool
    overlaps: Mapping[str, Overlap]
    #: Overlaps by label, for systems that label pieces and fields that are labelled.
    labels: Mapping[str, Overlap] = field(default_factory=dict)
    #: The pieces that the system extracted, as ranges `[first, end)`.
    took: tuple[tuple[int, int], ...] = ()
    #: When the page was written, as far as its labels and its corpus tell.
    era: Era | None = None

    def to_row(self) -> Row:
        """Return the result as JSON-compatible types."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Row) -> Self:
        """Parse a row; raise ValueError if it is not a result."""
        try:
            values = dict(row)
            for key in ("overlaps", "labels"):
                values[key] = {name: Overlap(*counts) for name, counts in values[key].items()}
            values["took"] = tuple((first, end) for first, end in values["took"])
            return cls(**values)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a result: {error}") from error


def digest(page: LabelledPage) -> str:
    """Return a digest of a page and its labels."""
    return sha256(page.html + b"\0" + repr(page.labels.gold).encode()).hexdigest()[:16]


class ResultFile(Closable):
    """Results on disk, each appended as it arrives, so that an interrupted run can resume."""

    def __init__(self, path: Path, resume: bool, made_with: Provenance | None = None) -> None:
        """Open the file; an existing one is only accepted with `resume`.

        Results of other code than `made_with`, by default the current code, are discarded.
        """
        if path.exists() and not resume:
            raise InputError(f"{path} already exists: pass --resume to continue it")
        self._journal = Journal(path, "evaluation", (made_with or provenance(MEASURING_ROOMS)).to_dict())
        #: Whether results of other code were discarded.
        self.replaced = self._journal.replaced
        try:
            self.results = [Result.from_row(row) for row in self._journal.rows]
        except ValueError as error:
            self._journal.close()
            raise InputError(f"{path}: {error}") from error

    def append(self, result: Result) -> None:
        """Append one result."""
        self._journal.append(result.to_row())

    def close(self) -> None:
        """Close the file."""
        self._journal.close()


def unique(results: Iterable[Result]) -> list[Result]:
    """Return the results sorted by page and system; the last one of duplicates."""
    return [result for _, result in sorted({(r.page, r.system): r for r in results}.items())]
