"""Which page was the first to lead to each article of a source, and when."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from broadsheet.archive import tables


class Discovery(NamedTuple):
    """An article, the page that led to it, and when that was."""

    page: str
    found_on: str
    at: datetime


def discoveries(connection: Connection, source: str, since: datetime) -> list[Discovery]:
    """Return the articles of a source that were found since a moment, in the order in which they were."""
    members, verdicts = tables.members, tables.verdicts
    query = (
        select(members.c.page, members.c.found_on, members.c.first_seen)
        .join(verdicts, verdicts.c.page == members.c.page)
        .where(members.c.source == source, members.c.first_seen >= since, verdicts.c.kind == "article")
        .order_by(members.c.first_seen, members.c.page)
    )
    return [Discovery(*row) for row in connection.execute(query)]
