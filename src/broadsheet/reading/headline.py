"""The title of an article, chosen once its lines are measured: by the signals of titles and the lines of headings.

What measures lines needs a title, so `titles.find_title` chooses one without them before.
"""

from broadsheet.document import Document
from broadsheet.reading.facts import shipped_weights
from broadsheet.reading.measured_lines import line_scores
from broadsheet.reading.titles import Title, title_by


def find_headline(document: Document) -> Title | None:
    """Return the title of an article, or None if it has neither headings nor a stated title."""
    # The default reader asks for it, and whoever builds an article from what it reads.
    return document.derive(_find_headline)


def assume_headline(document: Document, title: Title | None) -> None:
    """Let `find_headline` return this title, for what is trained before the weights that choose it."""
    document.assume(_find_headline, title)


def _find_headline(document: Document) -> Title | None:
    return title_by(document, shipped_weights().headline, line_scores)
