"""What a page says of itself, each value with the place it was found in, none weighed against another."""

from broadsheet.document.metadata.markup import read_metadata
from broadsheet.document.metadata.metadata_values import Crumb, LinkedPage, Metadata, TimeElement, Trail, Value

__all__ = ["Crumb", "LinkedPage", "Metadata", "TimeElement", "Trail", "Value", "read_metadata"]
