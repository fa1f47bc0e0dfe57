"""The facts of an article besides its text, such as dates and authors, each chosen on evidence from the page."""

from broadsheet.reading.facts._collecting import Facts, collect

__all__ = ["Facts", "collect"]
