"""What a newsroom asks about links and pages; whoever answers can be swapped."""

from dataclasses import dataclass
from typing import Protocol

from broadsheet.base.records import Article, Verdict
from broadsheet.document import Document


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """What is known of a target before it is fetched: its address, what links call it, and how often it was linked.

    `rounds` counts the rounds since the target was first seen, `seen` those in which some page linked to it;
    `late` says that it was not there yet when the source was first visited.
    """

    url: str
    anchor: str = ""
    seen: int = 1
    rounds: int = 1
    late: bool = False


class Judge(Protocol):
    """Says what a page is, from the outside and from the inside."""

    def link(self, evidence: LinkEvidence) -> Verdict:
        """Say what a link leads to."""
        ...

    def page(self, document: Document, article: Article | None, link: Verdict) -> Verdict:
        """Say what a page is, from what it holds, what was read from it, and what its link looked like."""
        ...
