"""What a page's text looks like, without a browser: size, colour, family, bold and hidden for each piece."""

from broadsheet.document.styles.caps import StyleLimits
from broadsheet.document.styles.families import Family
from broadsheet.document.styles.gathering import Loader
from broadsheet.document.styles.styles import Styles, read_styles

__all__ = ["Family", "Loader", "StyleLimits", "Styles", "read_styles"]
