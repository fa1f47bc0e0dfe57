"""The scores of the visual reader and of others on one page."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import NamedTuple

from broadsheet.base.journal import Row
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.field_measures import Fields, score_fields
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import word_overlap
from broadsheet.corpora.page_scoring import Truth, piece_labels
from broadsheet.corpora.peers import ANY_URL, PEERS
from broadsheet.reading import extract

#: `NAME:exact` is the reader exactly as published.
OURS = ("visual", "visual:exact", "default")
PEER = "trafilatura"


class Extracted(NamedTuple):
    """What a system extracted from a page."""

    fields: Fields
    body: str


def systems() -> tuple[str, ...]:
    """Return the readers, and the peer if it is installed."""
    return (*OURS, PEER) if find_spec(PEER) else OURS


def measure(page: LabelledPage) -> tuple[str, Row]:
    """Score every system on one page."""
    return score_page(page, systems())


def score_page(page: LabelledPage, names: Sequence[str]) -> tuple[str, Row]:
    """Score some systems on one page: fields that are labelled, the date only if the page shows it."""
    try:
        document, labels = piece_labels(page)
    except Unusable as reason:
        return page.labels.id, {"left_out": str(reason)}
    # Linked style sheets are not saved with a page.
    row: Row = {"styled": len(document.rows("style")) > 0}
    shows_date, has_body = bool((labels == Label.DATE).any()), _is_body_there(page)
    for name in names:
        row[name] = _scores(page, name, shows_date=shows_date, has_body=has_body)
    return page.labels.id, row


def _is_body_there(page: LabelledPage) -> bool:
    try:
        Truth.from_page(page)
    except Unusable:
        return False
    return True


def _scores(page: LabelledPage, name: str, *, shows_date: bool, has_body: bool) -> dict[str, float | None]:
    extracted = _read_as_peer(page, name) if name == PEER else _read(page, name)
    gold = page.labels.gold
    found = score_fields(extracted.fields, gold)
    return {
        "title": found.title,
        "date": found.published if shows_date else None,
        "body": word_overlap(extracted.body, gold.body or "").score.f if has_body else None,
    }


def _read(page: LabelledPage, name: str) -> Extracted:
    reader, _, exact = name.partition(":")
    article = extract(page.html, page.labels.url, encoding="utf-8", reader=reader, exact=bool(exact), force=True)
    if article is None:
        return Extracted(Fields(None, None, ()), "")
    day = article.published.date().isoformat() if article.published else None
    return Extracted(Fields(article.title, day, article.authors), article.body or "")


def _read_as_peer(page: LabelledPage, name: str) -> Extracted:
    adapter, text = PEERS[name], page.html.decode("utf-8", errors="replace")
    fields = adapter.fields()(text, page.labels.url) if adapter.fields else Fields(None, None, ())
    return Extracted(fields, adapter.text()(text, page.labels.url or ANY_URL) or "")
