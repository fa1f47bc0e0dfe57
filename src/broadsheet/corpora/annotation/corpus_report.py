"""What a corpus's annotations hold: how often each label occurs, which pages are ill-formed, and who agrees."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, groupby, product

from broadsheet.base.records import Label
from broadsheet.corpora.annotation.annotated_corpus import AnnotatedCorpus
from broadsheet.corpora.annotation.label_set import LabelSet, to_labels
from broadsheet.document import Document
from broadsheet.document.columns import TEXT_SLOT
from broadsheet.reading.structure_check import StructureError, structure_errors

Row = dict[str, object]


@dataclass(slots=True)
class CorpusReport:
    """The counts over all annotated pages of one annotator."""

    labels: LabelSet
    pages: int = 0
    letters: Counter[str] = field(default_factory=Counter)
    #: Letters of text and tail of an element, in this order; elements without text are garbage twice.
    doubles: Counter[str] = field(default_factory=Counter)
    errors: dict[str, tuple[StructureError, ...]] = field(default_factory=dict)

    def add(self, name: str, document: Document, letters: str) -> None:
        """Count a page."""
        self.pages += 1
        self.letters.update(letters)
        self.doubles.update(double_letters(document, letters, self.labels.rest))
        if self.labels.has_articles and (errors := structure_errors(page_parts(document, letters))):
            self.errors[name] = errors

    def label_rows(self) -> Iterator[Row]:
        """Yield how many texts and tails have each label."""
        total = self.letters.total()
        for letter, name in self.labels.names.items():
            yield {
                "tag": letter,
                "label": name,
                "number": self.letters[letter],
                "share": _share(self.letters[letter], total),
            }

    def double_rows(self) -> Iterator[Row]:
        """Yield how many elements have each pair of labels, also those that none has."""
        total = self.doubles.total()
        letters = sorted(self.labels.names, key=lambda letter: letter != self.labels.rest)
        for text, tail in product(letters, repeat=2):
            number = self.doubles[text + tail]
            yield {"tag": f"{text}+{tail}", "number": number, "share": _share(number, total)}

    def error_rows(self) -> Iterator[Row]:
        """Yield the pages whose structure is wrong, with what is wrong."""
        for name, errors in self.errors.items():
            yield {"page": name, "errors": len(errors), "structure": "; ".join(dict.fromkeys(errors))}


def page_parts(document: Document, letters: str) -> Iterator[Label]:
    """Yield the labels of a page's parts: neighbours on one line with the same label are one part."""
    labels, lines = to_labels(letters).tolist(), document.pieces.line.tolist()
    for (label, _), _ in groupby(zip(labels, lines, strict=True)):
        yield Label(label)


def double_letters(document: Document, letters: str, rest: str) -> Iterator[str]:
    """Yield the letters of the text and the tail of every element; a slot without text has the label of the rest."""
    pieces = document.pieces
    slots = [[rest, rest] for _ in range(len(document.nodes))]
    for letter, node, slot in zip(letters, pieces.owner.tolist(), pieces.slot.tolist(), strict=True):
        slots[node][int(slot != TEXT_SLOT)] = letter
    return ("".join(pair) for pair in slots)


def report(corpus: AnnotatedCorpus, annotator: str) -> CorpusReport:
    """Count what somebody has annotated."""
    counted = CorpusReport(corpus.labels)
    for page, document, letters in corpus.annotations(annotator):
        counted.add(page.name, document, letters)
    return counted


def agreement(corpus: AnnotatedCorpus) -> Iterator[Row]:
    """Yield how well each two people agree, label by label, on the pages that both have annotated.

    F is that of one against the other, which does not depend on who is taken to be right; kappa is Cohen's.
    """
    for first, second in combinations(corpus.annotators(), 2):
        theirs = set(corpus.annotated(second))
        common = [name for name in corpus.annotated(first) if name in theirs]
        pairs = Counter[tuple[str, str]]()
        for name in common:
            document = corpus.document(name)
            pairs.update(zip(*(corpus.read(name, document, each) for each in (first, second)), strict=True))
        for letter, label in corpus.labels.names.items() if common else ():
            yield {"first": first, "second": second, "pages": len(common), "label": label, **_agreement(pairs, letter)}


def _agreement(pairs: Counter[tuple[str, str]], letter: str) -> Row:
    total = pairs.total()
    both = pairs[letter, letter]
    one = sum(number for (own, _), number in pairs.items() if own == letter)
    other = sum(number for (_, own), number in pairs.items() if own == letter)
    observed = (total - one - other + 2 * both) / total
    expected = (one * other + (total - one) * (total - other)) / total**2
    return {
        "by_both": both,
        "by_first_only": one - both,
        "by_second_only": other - both,
        "f": round(2 * both / (one + other), 4) if one + other else None,
        "kappa": round((observed - expected) / (1 - expected), 4) if expected < 1 else None,
    }


def _share(number: int, total: int) -> float:
    return round(number / total, 5) if total else 0.0
