"""One result: how one system read one page, kept as a line of JSON without anything of the page's text."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Journal, Row
from broadsheet.base.provenance import Provenance, provenance
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import Overlap

#: What the comparison of a system's text with the labels depends on, whoever the system is of.
MEASURING_ROOMS = ("base", "document", "corpora")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How one system read one page."""

    page: str
    corpus: str
    site: str
    language: str | None
    #: Which page and labels these figures are of, so that changed ones are measured again.
    digest: str
    system: str
    version: str
    #: CPU time of the call.
    seconds: float | None
    #: What went wrong; the text then counts as empty.
    error: str | None
    exact: bool
    overlaps: Mapping[str, Overlap]
    #: Overlaps by label, of systems that label pieces, for the fields that are labelled.
    labels: Mapping[str, Overlap] = field(default_factory=dict)
    #: The pieces that the system took, as ranges `[first, end)`.
    took: tuple[tuple[int, int], ...] = ()

    def to_row(self) -> Row:
        """Return the result in plain types."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Row) -> Self:
        """Read a row; what is not a result raises a ValueError."""
        try:
            own = dict(row)
            for key in ("overlaps", "labels"):
                own[key] = {name: Overlap(*counts) for name, counts in own[key].items()}
            own["took"] = tuple((first, end) for first, end in own["took"])
            return cls(**own)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a result: {error}") from error


def digest(page: LabelledPage) -> str:
    """Return a name for a page and its labels as they are now."""
    return sha256(page.html + b"\0" + repr(page.labels.gold).encode()).hexdigest()[:16]


class ResultFile:
    """Results on disk, each appended as it comes, so that an interrupted run can go on."""

    def __init__(self, path: Path, resume: bool, made_with: Provenance | None = None) -> None:
        """Open the file; one that exists is only added to if that is wanted.

        What was compared by other code than `made_with`, which is ours unless told otherwise, is not taken up again.
        """
        if path.exists() and not resume:
            raise InputError(f"{path} is there already: --resume goes on with it")
        self._journal = Journal(path, "evaluation", (made_with or provenance(MEASURING_ROOMS)).to_dict())
        #: Whether results of other code were there, and are gone.
        self.replaced = self._journal.replaced
        try:
            self.kept = [Result.from_row(row) for row in self._journal.rows]
        except ValueError as error:
            self._journal.close()
            raise InputError(f"{path}: {error}") from error

    def append(self, result: Result) -> None:
        """Keep one result."""
        self._journal.append(result.to_row())

    def __enter__(self) -> Self:
        """Use the file until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._journal.close()


def unique(results: Iterable[Result]) -> list[Result]:
    """Return the results by page and system, of several for the same the last."""
    return [result for _, result in sorted({(r.page, r.system): r for r in results}.items())]
