"""The metadata that a page states about itself: every value with its source, none preferred over another."""

from broadsheet.document.metadata._markup import read_metadata
from broadsheet.document.metadata._metadata_values import Crumb, LinkedPage, Metadata, TimeElement, Trail, Value

__all__ = ["Crumb", "LinkedPage", "Metadata", "TimeElement", "Trail", "Value", "read_metadata"]
