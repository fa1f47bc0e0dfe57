"""What `train facts` learns from: the candidates for title, day and authors on labelled pages, and which are right."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.corpora.author_labels import AuthorLabel, author_labels
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.corrected_labels import corrected_labels
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.field_measures import is_same_title
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels
from broadsheet.document import Document, parse
from broadsheet.reading.facts import (
    Candidate,
    LineScorer,
    Scene,
    find_days,
    find_names,
    leads_to_person,
    names_in,
    scene_of,
    stated_people,
)
from broadsheet.reading.headline import assume_headline
from broadsheet.reading.measured_lines import assume_words
from broadsheet.reading.titles import assume_title, find_title, find_titles
from broadsheet.reading.trained import Models, read_with

#: Corpora with labels of facts that people wrote or checked.
CORPORA = tuple(
    "pages/wcxb pages/fundus pages/postlight pages/readability pages/newsspider_2019 pages/trafilatura"
    " pages/metascraper pages/htmldate pages/daniel pages/gne_zh more/metahtml".split()
)
#: The links of a page that are looked at, and those whose texts are taken as texts that are not names.
MAX_LINKS, LINK_TEXTS = 60, 12
#: The longest text of a link that could be taken for a name, in characters, and the most words in it.
MAX_TEXT, MAX_WORDS = 40, 5


#: The signals of each candidate, and whether it is right.
Choice = list[tuple[frozenset[str], bool]]


class FactExample(NamedTuple):
    """The candidates of a page, and for each whether it is right; None if the field is not labelled."""

    id: str
    site: str
    split: str | None
    #: By their signals alone, and with those of their lines.
    titles: Choice | None
    headlines: Choice | None
    days: Choice | None
    names: list[Candidate[str]]
    authors: AuthorLabel | None
    #: Names of people on the page, and texts of links that are not.
    people: tuple[str, ...] = ()
    other_texts: tuple[str, ...] = ()


class ReadPage(NamedTuple):
    """A labelled page, and what nets take for its title and text."""

    labels: PageLabels
    document: Document
    read_labels: NDArray[np.int8]

    def scene(self, score_lines: LineScorer | None = None) -> Scene:
        """Return where facts are searched."""
        return scene_of(self.document, self.read_labels, score_lines=score_lines)

    def authors(self) -> AuthorLabel | None:
        """Return the authors by hand, or else those of the corpus."""
        label, gold = author_labels().get(self.labels.id), self.labels.gold
        if label is None and gold.authors:
            return AuthorLabel(self.labels.language or "", gold.authors, ())
        return label


def read_labelled(
    data: Path,
    wanted: Callable[[PageLabels], bool],
    nets: Models,
    title_weights: Mapping[str, float],
    counters: Counters,
) -> Iterator[ReadPage]:
    """Yield each labelled page that is wanted, read with some nets and its title by some weights."""
    for page in labelled_pages(data, wanted, counters):
        document = parse(page.html, page.labels.url, encoding="utf-8")
        assume_title(document, title_weights)
        assume_headline(document, find_title(document))
        assume_words(document, nets.vocabulary)
        yield ReadPage(page.labels, document, read_with(document, nets).labels)


def labelled_pages(data: Path, wanted: Callable[[PageLabels], bool], counters: Counters) -> Iterator[LabelledPage]:
    """Yield the pages with labels of facts that are wanted, without labels that are known to be wrong."""
    files = [path for name in CORPORA if (path := data / f"{name}.tar.xz").exists()]
    corpora = find_corpora(files)
    chosen = [
        labels
        for labels in corrected_labels(corpora)
        if labels.kind in {"article", "unknown"} and wanted(labels) and _is_labelled(labels)
    ]
    return read_pages(corpora, chosen, counters)


def fact_example(page: ReadPage, score_lines: LineScorer) -> FactExample:
    """Return the candidates of a page; `score_lines` comes from lines of other sites."""
    labels, document, gold = page.labels, page.document, page.labels.gold
    scene, label = page.scene(score_lines), page.authors()
    people = stated_people(document).union(*map(names_in, label.authors if label else ()))
    return FactExample(
        labels.id,
        labels.site,
        labels.split,
        title_choice(document, gold.title) if gold.title else None,
        title_choice(document, gold.title, score_lines) if gold.title else None,
        [(each.signals, is_day(each, gold.date)) for each in find_days(scene)] if gold.date else None,
        find_names(scene),
        label,
        tuple(sorted(people)),
        _link_texts(document, people),
    )


def title_choice(document: Document, expected: str, score_lines: LineScorer | None = None) -> Choice:
    """Return the signals of everything that may be the title, in the order of mention, and which are right."""
    return [(each.signals, is_title(each, expected)) for each in find_titles(document, {}, score_lines)]


def is_title(candidate: Candidate[Any], expected: str) -> bool:
    """Tell whether any mention of a candidate is the labelled title."""
    return any(is_same_title(mention.value.text, expected) for mention in candidate.mentions)


def is_day(candidate: Candidate[Any], expected: str) -> bool:
    """Tell whether a candidate is the labelled day."""
    return str(candidate.mentions[0].key) == expected[:10]


def _is_labelled(labels: PageLabels) -> bool:
    gold = labels.gold
    return bool(gold.title or gold.date or gold.authors) or labels.id in author_labels()


def _link_texts(document: Document, people: frozenset[str]) -> tuple[str, ...]:
    """Return some short texts of links that do not lead to people, spread over the page."""
    rows = range(0, len(document.links), max(1, len(document.links) // MAX_LINKS))
    texts = (document.links.anchor(row) for row in rows if not leads_to_person(document, row))
    short = (text for text in texts if 1 < len(text) <= MAX_TEXT and len(text.split()) <= MAX_WORDS)
    distinct = tuple(dict.fromkeys(text for text in short if text not in people))
    return distinct[:: max(1, len(distinct) // LINK_TEXTS)][:LINK_TEXTS]
