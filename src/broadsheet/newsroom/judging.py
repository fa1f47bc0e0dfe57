"""What pages are, from their addresses, from the links to them and from their content, each as probabilities."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from broadsheet.archive import PageRecord, VerdictRecord, VisitReason
from broadsheet.base.records import KINDS, Verdict
from broadsheet.document import Document
from broadsheet.newsroom.page_visit import Probabilities
from broadsheet.pages.identify import judge
from broadsheet.pages.url_verdicts import UrlVerdicts, identify_urls
from broadsheet.sources.page_evidence import with_page

#: The names of the kinds of evidence.
ADDRESS, CONTENT, FEED = "address", "content", "feed"
#: What the address of a page and the links to it say, together with what is known of other pages of the site.
LINKS = "links"
#: Marks a page that was fetched a second time for a review; it carries no weight of its own.
LOOKED = "second look"
#: How the reason begins that the links to a page give.
LINKED = "linked in "
#: How much the logarithm of a probability counts, by its evidence: less than 1, because both models see the address.
WEIGHTS: Mapping[str, float] = {ADDRESS: 0.65, CONTENT: 0.75, FEED: 1.0}
#: Added to the score of a kind where both are known. Each model learned from kinds of nearly equal weight, but few
#: links of a news site lead to something other than articles and sections.
BIAS: Mapping[str, float] = {"article": 0.0, "section": 1.7, "other": 0.0}
#: No single model is surer than this.
LEAST = 0.002


#: What it says of a page that a feed, or a sitemap of all kinds of pages, lists it.
LISTED_IN_FEED: Probabilities = {"article": 0.96, "section": 0.01, "other": 0.03}
LISTED_IN_SITEMAP: Probabilities = {"article": 0.5, "section": 0.2, "other": 0.3}


def judge_addresses(urls: Sequence[str], anchors: Sequence[str]) -> UrlVerdicts:
    """Judge pages by their addresses and the longest text of a link to each; an empty text says nothing."""
    return identify_urls(urls, [anchor or None for anchor in anchors])


def judge_content(
    document: Document,
    address: Probabilities,
    feed: Probabilities | None = None,
    links: Probabilities | None = None,
) -> tuple[Verdict, dict[str, Probabilities]]:
    """Judge a page by its content, its address, links to it and the feed that lists it; return all evidence, too."""
    own = judge(document)
    known = {ADDRESS: address, LINKS: links, CONTENT: probabilities_of(own), FEED: feed}
    evidence = {name: each for name, each in known.items() if each}
    return combined(own, evidence), evidence


def address_evidence(page: PageRecord, why: VisitReason) -> Probabilities:
    """Return what the address of a page says of its kind, as it was judged when the page was first linked to."""
    judged = page.judged
    if judged is not None and judged.verdict.kind == "article" and why is VisitReason.SECOND_LOOK:
        # The review has more to go by than the address.
        return probabilities_of(judged.verdict)
    if judged is not None and ADDRESS in judged.evidence:
        return judged.evidence[ADDRESS]
    return probabilities_of(judge_addresses([page.url], [""]).verdict(0))


def probabilities_of(verdict: Verdict) -> Probabilities:
    """Return the probabilities of all kinds, as evidence is kept."""
    stated = verdict.probabilities
    return stated if len(stated) == len(KINDS) else {kind: float(stated.get(kind, 0.0)) for kind in KINDS}


def combined(verdict: Verdict, evidence: Mapping[str, Probabilities]) -> Verdict:
    """Return a verdict whose probabilities follow from all evidence; its subtype and reasons hold if its kind does."""
    probabilities = combine(evidence)
    kind = max(KINDS, key=probabilities.__getitem__)
    if kind == verdict.kind:
        return replace(verdict, probability=probabilities[kind], probabilities=probabilities)
    if CONTENT not in evidence:
        reason = f"a feed lists it, though its address looks like that of {_named(verdict.kind)}"
    elif LINKS in evidence:
        reason = f"its address and the links to it outweigh its content, which looks like {_named(verdict.kind)}"
    elif FEED in evidence:
        reason = f"its address and a feed that lists it outweigh its content, which looks like {_named(verdict.kind)}"
    else:
        reason = f"its address outweighs its content, which looks like {_named(verdict.kind)}"
    return Verdict(kind, None, probabilities[kind], probabilities, (reason,), verdict.model)


def with_sentence(verdict: Verdict, before: VerdictRecord | None) -> Verdict:
    """Return a verdict with what the last review said of the links to the page, which took part in it."""
    said = [reason for reason in before.verdict.reasons if reason.startswith(LINKED)] if before else []
    return replace(verdict, reasons=(*verdict.reasons, *said))


def with_evidence(judged: VerdictRecord, feed: Probabilities) -> VerdictRecord:
    """Return a verdict on a page that a feed lists; the next review takes that into account."""
    return judged if FEED in judged.evidence else replace(judged, evidence={**judged.evidence, FEED: feed})


def combine(evidence: Mapping[str, Probabilities]) -> dict[str, float]:
    """Return the probabilities that follow from all evidence; a single kind of it is taken as it is."""
    evidence = {name: each for name, each in evidence.items() if name != LOOKED}
    if LINKS in evidence:
        # They take the address into account.
        return with_page(evidence[LINKS], evidence)
    if len(evidence) == 1:
        return {kind: float(probability) for each in evidence.values() for kind, probability in each.items()}
    weighed = [(WEIGHTS.get(name, 1.0), each) for name, each in evidence.items()]
    scores = {
        kind: BIAS[kind] + sum([weight * math.log(max(each.get(kind, 0.0), LEAST)) for weight, each in weighed])
        for kind in KINDS
    }
    highest = max(scores.values())
    odds = {kind: math.exp(score - highest) for kind, score in scores.items()}
    total = sum(odds.values())
    return {kind: value / total for kind, value in odds.items()}


def _named(kind: str) -> str:
    return {"article": "an article", "section": "a section"}.get(kind, "neither an article nor a section")
