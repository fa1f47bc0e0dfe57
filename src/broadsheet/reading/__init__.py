"""Article extraction: readers that label the title, headings and body of a page, and the article built from them.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

from broadsheet.reading._multipage import find_pagination, is_page_of
from broadsheet.reading.article_reading import extract
from broadsheet.reading.assembly import to_article
from broadsheet.reading.readers import Reader, names, read

__all__ = [
    "Reader",
    "article_reading",
    "assembly",
    "comments",
    "coreex",
    "double_tags",
    "element_features",
    "extract",
    "facts",
    "find_pagination",
    "furniture",
    "headline",
    "is_page_of",
    "likeness",
    "lines",
    "maximal",
    "measured_lines",
    "memory_reader",
    "names",
    "paragraphs",
    "piece_context",
    "profiles",
    "read",
    "reader_files",
    "readers",
    "separator",
    "separator_parameters",
    "structure_check",
    "subsequence",
    "text_lines",
    "tidying",
    "titles",
    "to_article",
    "trained",
    "visual",
]
