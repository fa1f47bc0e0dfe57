"""One result: how one system read one page, kept as a line of JSON without anything of the page's text."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import Overlap

#: What a file of results begins with; other measures would get another number.
_HEADER = {"format": "broadsheet evaluation", "version": 1}


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

    def to_json(self) -> str:
        """Return the result as a line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """Read a line; whatever is none raises a ValueError."""
        try:
            row = json.loads(line)
            for key in ("overlaps", "labels"):
                row[key] = {name: Overlap(*counts) for name, counts in row[key].items()}
            row["took"] = tuple((first, end) for first, end in row["took"])
            return cls(**row)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not a result: {error}") from error


def digest(page: LabelledPage) -> str:
    """Return a name for a page and its labels as they are now."""
    return sha256(page.html + b"\0" + repr(page.labels.gold).encode()).hexdigest()[:16]


class ResultFile:
    """Results on disk, each appended as it comes, so that an interrupted run can go on."""

    def __init__(self, path: Path, resume: bool) -> None:
        """Open the file; one that exists is only added to if that is wanted."""
        self.kept: list[Result] = []
        whole = 0
        if path.exists():
            if not resume:
                raise InputError(f"{path} is there already: --resume goes on with it")
            self.kept, whole = _read(path)
        self._file: BinaryIO = path.open("r+b" if whole else "wb")
        # The last line of a run that was killed may be cut short; it is measured again.
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._file.write(json.dumps(_HEADER).encode() + b"\n")

    def append(self, result: Result) -> None:
        """Write one result and hand it to the operating system."""
        self._file.write(result.to_json().encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        """Use the file until the block ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._file.close()


def unique(results: Iterable[Result]) -> list[Result]:
    """Return the results by page and system, of several for the same the last."""
    return [result for _, result in sorted({(r.page, r.system): r for r in results}.items())]


def _read(path: Path) -> tuple[list[Result], int]:
    """Return the results in a file and the length of what is whole."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if data and (not lines or lines[0] != json.dumps(_HEADER).encode()):
        raise InputError(f"{path} holds no results of an evaluation")
    try:
        return [Result.from_json(line) for line in lines[1:]], whole
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
