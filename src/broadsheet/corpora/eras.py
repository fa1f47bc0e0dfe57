"""When the pages of the corpora were written: old pages are built differently, and are easier to be ahead on."""

from typing import Literal

from broadsheet.corpora.labelled_page import PageLabels

Era = Literal["before 2015", "2015 or later"]

_FIRST_RECENT_YEAR = 2015
#: Corpora whose pages were saved in 2015 or later, mostly when they were new.
_RECENT_CORPORA = frozenset(
    "wcxb zyte_aeb fundus fundus_eval newsspider_2019 readability newspaper chinese_wce metahtml postlight".split()
)


def era(labels: PageLabels) -> Era:
    """Return the era of a page: by its labelled day if it has one, else by its corpus."""
    year = (labels.gold.date or "")[:4]
    is_recent = int(year) >= _FIRST_RECENT_YEAR if year.isdigit() else labels.corpus in _RECENT_CORPORA
    return "2015 or later" if is_recent else "before 2015"
