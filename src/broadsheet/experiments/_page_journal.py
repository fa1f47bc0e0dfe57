"""The journal of an experiment: one row per page, valid for the code and models that produced it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Journal, Row
from broadsheet.base.provenance import provenance
from broadsheet.experiments.experiment import Context

FILE = "pages.jsonl"


class PageJournal:
    """The rows of a journal by page; the last one of several counts."""

    def __init__(self, journal: Journal, path: Path) -> None:
        """Load the rows of earlier runs."""
        self._journal = journal
        self.known: dict[str, Row] = {}
        for row in journal.rows:
            try:
                self.known[row.pop("page")] = row
            except (KeyError, AttributeError, TypeError) as error:
                raise InputError(
                    f"{path}: a line is not a row of a page journal ({error}); remove the file to start over"
                ) from error

    def append(self, page: str, row: Row) -> None:
        """Append the row of a page."""
        self._journal.append({"page": page, **row})
        self.known[page] = row

    def forget(self, page: str) -> None:
        """Discard the row of a page that has changed since."""
        self.known.pop(page, None)


@contextmanager
def page_journal(
    context: Context, experiment: str, rooms: Sequence[str], settings: Mapping[str, object] | None = None
) -> Iterator[PageJournal]:
    """Open the journal of an experiment; rows of other code, models or settings are discarded, with a notice.

    `rooms` are the subpackages that the figures depend on.
    """
    made_with = provenance(rooms).to_dict()
    path = context.folder / FILE
    with Journal(path, "experiment", {"experiment": experiment, **made_with, **(settings or {})}) as journal:
        if journal.replaced:
            context.say(f"{path} is from other code, models or settings: all pages are measured again")
        yield PageJournal(journal, path)
