"""The weights of titles, fitted first of all: they need no other model, and all that read lines or pieces need them."""

from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.document import parse
from broadsheet.reading.facts import shipped_weights
from broadsheet.training._fact_examples import labelled_pages, title_choice
from broadsheet.training._fact_fitting import fit_choices


def title_weights(data: Path) -> dict[str, float]:
    """Fit the weights on the train sites, as `broadsheet train facts` does; without labelled titles, those shipped."""

    def has_title(labels: PageLabels) -> bool:
        return labels.split == "train" and bool(labels.gold.title)

    fitted = fit_choices(
        [
            title_choice(parse(page.html, page.labels.url, encoding="utf-8"), page.labels.gold.title or "")
            for page in labelled_pages(data, has_title, Counters())
        ]
    )
    return fitted or dict(shipped_weights().title)
