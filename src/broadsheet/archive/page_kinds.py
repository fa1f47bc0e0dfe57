"""What the pages of an archive are to a rule of `keep`, and which visits no rule may touch."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from sqlalchemy import ColumnElement, Connection, Select, or_, select, union

from broadsheet.archive import tables
from broadsheet.archive.pruning import Visits


class PageKinds(NamedTuple):
    """The pages that rules may name, and the visits whose responses everything else depends on."""

    #: Keys of pages by the kind that a rule calls them, as arrays of text.
    keys: dict[str, Any]
    #: The visits that brought the newest content of each page.
    newest: Visits
    #: Those and the visits from which versions of articles were read.
    needed: Visits


def page_kinds(connection: Connection) -> PageKinds:
    """Read what is known of all pages.

    A page that nobody judged is of no kind, so no rule applies to it.
    """
    keys = {kind: _texts(connection, query) for kind, query in _queries().items()}
    newest = _numbers(connection, select(tables.contents.c.visit))
    read = _numbers(connection, select(tables.versions.c.visit))
    return PageKinds(keys, newest, np.union1d(newest, read))


def _queries() -> dict[str, Select[Any]]:
    key, kind = tables.pages.c.key, tables.verdicts.c.kind
    archived = select(tables.versions.c.key)
    # Further pages of an article, and copies of it, have the state of a duplicate.
    is_read = or_(key.in_(archived), tables.pages.c.duplicate_of.is_not(None))
    followed = union(
        select(tables.sources.c.key),
        select(tables.agenda.c.page).where(tables.agenda.c.every.is_not(None)),
        select(tables.feeds.c.page).where(tables.feeds.c.form.is_not(None)),
    )
    is_followed: ColumnElement[bool] = key.in_(followed)
    judged = select(key).join(tables.verdicts, tables.verdicts.c.page == key, isouter=True)
    return {
        "fronts": judged.where(~is_read, is_followed | (kind == "section")),
        "other": judged.where(~is_read, ~is_followed, kind == "other"),
        "articles": judged.where(is_read | (~is_followed & (kind == "article"))),
    }


def _texts(connection: Connection, query: Select[Any]) -> Any:  # noqa: ANN401 - pyarrow has no types
    return pa.array(connection.execute(query).scalars().all(), pa.string())


def _numbers(connection: Connection, query: Select[Any]) -> Visits:
    return np.unique(np.fromiter(connection.execute(query).scalars(), dtype=np.int64))
