"""What is known of an article besides its text: each fact chosen among what the page says, with the evidence for it."""

from broadsheet.reading.facts.collecting import Facts, collect

__all__ = ["Facts", "collect"]
