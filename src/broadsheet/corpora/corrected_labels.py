"""Labels as training and evaluation use them: without wrong facts and bodies, and with the kind by our guide."""

from collections.abc import Iterable, Iterator

from broadsheet.corpora.corpus_folder import Corpus
from broadsheet.corpora.kind_errata import with_corrected_kind
from broadsheet.corpora.label_errata import without_errata
from broadsheet.corpora.labelled_page import PageLabels


def corrected(labels: PageLabels) -> PageLabels:
    """Return the labels of a page without what is known to be wrong."""
    return with_corrected_kind(without_errata(labels))


def corrected_labels(corpora: Iterable[Corpus]) -> Iterator[PageLabels]:
    """Yield the corrected labels of all pages of some corpora."""
    return (corrected(labels) for corpus in corpora for labels in corpus.labels())
