"""Text that a page states in its metadata, where some sites leave HTML tags in it."""

from html import unescape

import numpy as np

from broadsheet.base.errors import LimitError
from broadsheet.base.records import Label
from broadsheet.document import parse
from broadsheet.document.metadata.collector import clean
from broadsheet.reading.paragraphs import collapse, to_paragraphs


def to_plain_text(text: str) -> str:
    """Return a stated text as paragraphs, separated by blank lines, without tags."""
    # Escaped once too often; `clean` decodes what is left.
    if "&lt;" in text or "&amp;" in text:
        text = unescape(text)
    if "<" in text:
        try:
            document = parse(text)
        except LimitError:
            # Too many tags to parse: keep the text as it is.
            return clean(text)
        labels = np.full(len(document.pieces), Label.BODY, np.int8)
        return "\n\n".join(clean(paragraph.text) for paragraph in to_paragraphs(document, labels))
    return "\n\n".join(line for part in text.splitlines() if (line := collapse(clean(part))))
