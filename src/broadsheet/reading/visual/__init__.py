"""The visual reader: titles and dates by what they look like."""

from broadsheet.reading.visual.visual_reader import NAME, find, model_label, read

__all__ = ["NAME", "find", "model_label", "read"]
