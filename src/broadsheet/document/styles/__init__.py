"""Computed styles without a browser: size, colour, font family, bold and hidden for each piece of text."""

from broadsheet.document.styles.caps import StyleLimits
from broadsheet.document.styles.families import Family
from broadsheet.document.styles.sheets import Loader
from broadsheet.document.styles.styles import Styles, read_styles

__all__ = ["Family", "Loader", "StyleLimits", "Styles", "read_styles"]
