"""Judge what a page is, from its content and from what its address says."""

from typing import TYPE_CHECKING

from broadsheet.newsroom.judging import ADDRESS, CONTENT, judge_content
from broadsheet.newsroom.page_visit import PageVisit

if TYPE_CHECKING:
    from broadsheet.newsroom.line import FilterSettings


class JudgeFilter:
    """Combines the shipped page model with the evidence of the address."""

    def __init__(self, settings: "FilterSettings") -> None:
        """Need no settings."""

    def apply(self, visit: PageVisit) -> None:
        """Write the verdict and its evidence."""
        visit.verdict, content = judge_content(visit.parsed(), visit.fetched.address)
        visit.evidence[CONTENT] = content
        if visit.fetched.address:
            visit.evidence[ADDRESS] = visit.fetched.address
