"""Convert annotations: to character-based files and back, to instance files, and to the rows of a corpus."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora._labelling import label
from broadsheet.corpora.annotation import character_annotation
from broadsheet.corpora.annotation.annotated_corpus import ANNOTATOR, AnnotatedCorpus, read_text, write_text
from broadsheet.corpora.annotation.label_set import to_labels, to_letters
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.document import Document, parse
from broadsheet.reading.double_tags import DOUBLE_TAGS, join_tags, slot_labels
from broadsheet.reading.element_features import element_features
from broadsheet.reading.paragraphs import to_paragraphs

#: What TiMBL reads: a line for every element, with its features and then its class, separated by commas.
INSTANCES = ".inst"
_SEPARATOR = ","


def to_characters(corpus: AnnotatedCorpus, name: str, annotator: str, folder: Path) -> Path:
    """Write a page's annotations as a character-based file into a folder."""
    document, source = _page(corpus, name)
    letters = corpus.read(name, document, annotator)
    spans = character_annotation.spans_of(document, source, letters, corpus.labels)
    path = folder / f"{name}{character_annotation.SUFFIX}"
    write_text(path, character_annotation.format_spans(spans, corpus.labels))
    return path


def from_characters(corpus: AnnotatedCorpus, path: Path, annotator: str = ANNOTATOR) -> Path:
    """Write the annotations of a character-based file, which has the name of its page, as an element-based one."""
    name = path.name.removesuffix(character_annotation.SUFFIX)
    document, source = _page(corpus, name)
    try:
        spans = character_annotation.parse_spans(read_text(path), corpus.labels)
        letters = character_annotation.letters_of(spans, document, source, corpus.labels)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return corpus.write(name, document, letters, annotator)


def to_instances(corpus: AnnotatedCorpus, name: str, annotator: str, folder: Path) -> Path:
    """Write the 41 features and the double tag of every element of a page into a folder."""
    if not corpus.labels.has_articles:
        raise InputError("instance files have the labels of articles; this corpus has others")
    document = corpus.document(name)
    path = folder / f"{name}{INSTANCES}"
    write_text(path, "".join(instance_lines(document, corpus.read(name, document, annotator))))
    return path


def instance_lines(document: Document, letters: str) -> Iterator[str]:
    """Yield the lines of an instance file; a comma in a feature would end it, so it becomes a semicolon."""
    features = element_features(document)
    classes = join_tags(slot_labels(document, features.nodes, to_labels(letters)))
    for symbols, code in zip(features.symbols(), classes.tolist(), strict=True):
        yield _SEPARATOR.join([*(symbol.replace(_SEPARATOR, ";") for symbol in symbols), DOUBLE_TAGS[code]]) + "\n"


def to_row(corpus: AnnotatedCorpus, name: str, annotator: str) -> dict[str, object]:
    """Return the row of a corpus with the annotated title, authors, headings and body as text."""
    if not corpus.labels.has_articles:
        raise InputError("the rows of a corpus have the labels of articles; this corpus has others")
    page, document = corpus.pages[name], corpus.document(name)
    labels = to_labels(corpus.read(name, document, annotator))
    texts: dict[Label, list[str]] = {each: [] for each in Label}
    for paragraph in to_paragraphs(document, labels):
        texts[paragraph.label].append(paragraph.text)
        if paragraph.label is Label.HEADING:
            # The body of a corpus has its headings.
            texts[Label.BODY].append(paragraph.text)
    return {
        "id": name,
        "url": page.url,
        "domain": page.site,
        "lang": page.language,
        "page_type": page.kind if page.kind != "unknown" else "article",
        "title": " ".join(texts[Label.TITLE]) or None,
        "authors": texts[Label.AUTHOR] or None,
        "headings": texts[Label.HEADING] or None,
        "body": "\n\n".join(texts[Label.BODY]) or None,
        "body_kind": "full",
        "split": page.split,
    }


def write_rows(corpus: AnnotatedCorpus, names: list[str], annotator: str, path: Path) -> None:
    """Write the rows of annotated pages as a file of labels."""
    rows = (json.dumps(to_row(corpus, name, annotator), ensure_ascii=False) for name in names)
    write_text(path, "".join(f"{row}\n" for row in rows))


def from_texts(corpus: AnnotatedCorpus, name: str, annotator: str = ANNOTATOR) -> Path:
    """Write the labels of a corpus's row, which are texts, as an element-based file, by aligning them with the page."""
    page = LabelledPage(corpus.pages[name], corpus.html(name))
    document = parse(page.html, page.labels.url, encoding="utf-8")
    labelled = label(document, page.labels.gold)
    if not np.any(labelled.labels):
        raise InputError(f"{name}: none of its labels is found in the page")
    return corpus.write(name, document, to_letters(labelled.labels), annotator)


def _page(corpus: AnnotatedCorpus, name: str) -> tuple[Document, str]:
    html = corpus.html(name)
    return corpus.document(name), html.decode("utf-8", "replace")
