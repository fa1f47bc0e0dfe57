"""Labelled targets of sites at some of their snapshots, to fit the model of a source to."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.errors import InputError
from broadsheet.base.records import KINDS
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.pages.url_features import measure
from broadsheet.sources.link_features import measure_links
from broadsheet.sources.site_model import joint_features
from broadsheet.sources.source_links import LinkTable, SourceLinks
from broadsheet.training._labelled_addresses import publisher_of

#: Snapshots to learn from: what is known at once, soon and after a day.
LEARNED_SNAPSHOTS = (1, 6, 24)
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """The targets of a site after a number of snapshots, with what they are."""

    site: str
    snapshot: int
    #: Hours since the first snapshot.
    hours: float
    table: LinkTable
    #: Indices in `KINDS`, or `UNKNOWN`.
    truth: NDArray[np.intp]
    #: Whether the site was saved on a few days only.
    brief: bool

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """The features of the links to each target."""
        return measure_links(self.table)

    @cached_property
    def joint(self) -> NDArray[np.float32]:
        """The features of the links to each target and of its address."""
        return joint_features(self.features, measure(self.table.urls))

    @property
    def publisher(self) -> str:
        """The publisher of the site; never both trained on and tested on."""
        return publisher_of(self.site)


def labelled_tables(
    site: FollowedSite,
    snapshots: Iterable[int] | None = None,
    *,
    brief: bool = False,
    articles: Collection[str] | None = None,
) -> Iterator[LabelledTable]:
    """Give the targets of a site at some snapshots, or at those it is judged at; beyond the last one means the last.

    `articles` are the keys of the pages that were judged to be articles so far; the caller keeps adding to them.
    """
    snapshots = site.judged if snapshots is None else snapshots
    visits, kinds = site.visits(), site.kinds()
    last = max(saved.visit.snapshot for saved in visits)
    wanted = set(range(1, last + 1)) if snapshots is None else {min(number, last) for number in snapshots}
    links = SourceLinks()
    has_own = False
    for position, saved in enumerate(visits):
        saved.add_to(links)
        number = saved.visit.snapshot
        is_complete = position + 1 == len(visits) or visits[position + 1].visit.snapshot != number
        if is_complete and number in wanted:
            keys = [key for key, url in links.urls.items() if site.is_own(url)]
            if not keys:
                continue
            has_own = True
            table = links.table(keys, articles)
            truth = np.array([KINDS.index(kinds[key]) if key in kinds else UNKNOWN for key in keys], np.intp)
            hours = (saved.visit.at - visits[0].visit.at) / 3600
            yield LabelledTable(site.site, number, hours, table, truth, brief)
    if not has_own:
        raise InputError(f"no link that was saved of {site.site} leads to a page of {site.site}: is that its name?")


def learned_tables(long: Sequence[FollowedSite], brief: Sequence[FollowedSite]) -> list[LabelledTable]:
    """Return the tables to learn from: sites that were followed for long, and sites saved on a few days."""
    return [
        *(table for site in long for table in labelled_tables(site, LEARNED_SNAPSHOTS)),
        *(table for site in brief for table in labelled_tables(site, (1, 3), brief=True)),
    ]
