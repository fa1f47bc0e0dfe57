"""Labels that are wrong by our guide: a day of publication that is that of the last change, a body that is a footer.

The labels are left out, not replaced, so that neither training nor evaluation rests on our own reading of a page.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from broadsheet.corpora.labelled_page import PageLabels

_ERRATA = Path(__file__).parent / "data" / "label-errata.jsonl"


def without_errata(labels: PageLabels) -> PageLabels:
    """Return the labels of a page without those that are known to be wrong."""
    wrong = known_errata().get(labels.id)
    if not wrong:
        return labels
    gold = labels.gold
    return replace(
        labels,
        gold=replace(
            gold,
            title=None if "title" in wrong else gold.title,
            date=None if "date" in wrong else gold.date,
            authors=None if "authors" in wrong else gold.authors,
            body=None if "body" in wrong else gold.body,
        ),
    )


@cache
def known_errata() -> Mapping[str, Mapping[str, str]]:
    """Return the wrong fields of each page by its id, each with the reason."""
    errata: dict[str, dict[str, str]] = {}
    for line in _ERRATA.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        errata.setdefault(row["id"], {})[row["field"]] = row["reason"]
    return errata
