"""What a page says of itself, each value with the place it was found in, none weighed against another."""

from broadsheet.document.metadata.reading import read_metadata
from broadsheet.document.metadata.records import Crumb, LinkedPage, Metadata, TimeElement, Trail, Value

__all__ = ["Crumb", "LinkedPage", "Metadata", "TimeElement", "Trail", "Value", "read_metadata"]
