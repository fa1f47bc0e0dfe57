"""Writing articles to files and pipes: one set of columns and one writer per format, for every command.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "crawl_timeline",
    "formats",
    "hypergraph_drawing",
    "output",
    "output_columns",
    "output_files",
    "section_map",
    "svg_parts",
    "syndication",
    "writers",
]
