"""What an experiment measured, page by page, by code and models that are named with it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Journal, Row
from broadsheet.base.provenance import provenance
from broadsheet.experiments.experiment import Context

FILE = "pages.jsonl"


class PageJournal:
    """The rows of a journal by the name of their page; of several for one page the last counts."""

    def __init__(self, journal: Journal, path: Path) -> None:
        """Take what a run before left."""
        self._journal = journal
        self.known: dict[str, Row] = {}
        for row in journal.rows:
            try:
                self.known[row.pop("page")] = row
            except (KeyError, AttributeError, TypeError) as error:
                raise InputError(f"{path}: a line is not a row of a journal ({error})") from error

    def append(self, page: str, row: Row) -> None:
        """Keep a page's row."""
        self._journal.append({"page": page, **row})
        self.known[page] = row

    def forget(self, page: str) -> None:
        """Take no row for a page's: what was measured of it is not of the page as it is now."""
        self.known.pop(page, None)


@contextmanager
def page_journal(
    context: Context, experiment: str, rooms: Sequence[str], settings: Mapping[str, object] | None = None
) -> Iterator[PageJournal]:
    """Open the journal in an experiment's folder; rows of other code, models or settings are said to be measured again.

    `rooms` are those of the package that the figures depend on.
    """
    made_with = provenance(rooms).to_dict()
    path = context.folder / FILE
    with Journal(path, "experiment", {"experiment": experiment, **made_with, **(settings or {})}) as journal:
        if journal.replaced:
            context.say(f"{path} was measured with other code, models or settings: all pages are measured again")
        yield PageJournal(journal, path)
