"""Kinds of labelled pages that are wrong by our guide, and what they are instead.

They are in `data/kind-errata.jsonl`, without the pages. A page without a kind shows nothing that could be judged.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from broadsheet.base.records import Kind
from broadsheet.corpora.labelled_page import PageLabels

_ERRATA = Path(__file__).parent / "data" / "kind-errata.jsonl"


class KindErratum(NamedTuple):
    """The kind that a page has by our guide, or None if it has none, and why."""

    kind: Kind | None
    reason: str


@cache
def known_kind_errata() -> Mapping[str, KindErratum]:
    """Return the errata by the ids of their pages."""
    rows = map(json.loads, _ERRATA.read_text("utf-8").splitlines())
    return {row["id"]: KindErratum(row["kind"], row["reason"]) for row in rows}


def with_corrected_kind(labels: PageLabels) -> PageLabels:
    """Return labels with the kind by our guide, which is unknown if the page has none."""
    erratum = known_kind_errata().get(labels.id)
    return replace(labels, kind=erratum.kind or "unknown") if erratum else labels
