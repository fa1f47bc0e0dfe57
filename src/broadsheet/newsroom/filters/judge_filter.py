"""Judge what a page is, from its content, its address and the feed that lists it."""

from typing import TYPE_CHECKING

from broadsheet.newsroom.judging import judge_content
from broadsheet.newsroom.page_visit import PageVisit

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings


class JudgeFilter:
    """Combines the shipped page model with the evidence of the address and of feeds."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Need no settings."""

    def apply(self, visit: PageVisit) -> None:
        """Write the verdict and its evidence."""
        fetched = visit.fetched
        visit.verdict, evidence = judge_content(visit.parsed(), fetched.address, fetched.feed, fetched.links)
        visit.evidence.update(evidence)
