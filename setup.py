"""Build the compiled parts; everything else stands in pyproject.toml."""

import os

import lxml
from Cython.Build import cythonize
from setuptools import Extension, setup

COMPILE = ["-O3", "-g0"]

#: What Cython adds to every module with memoryviews, compiled once for all: that takes half the time and space.
SHARED = "broadsheet.base._cython_utilities"

# lxml's wheel carries the headers of the libxml2 it was built with, so no system library is needed; nothing is
# linked either, because the parser is found inside lxml's own library when it is imported.
EXTENSIONS = [
    Extension(
        f"broadsheet.{module}",
        [f"src/broadsheet/{module.replace('.', '/')}.pyx"],
        depends=[f"src/broadsheet/models/{name}.h" for name in ("_layer", "_mismatch", "_votes")],
        include_dirs=lxml.get_include(),
        extra_compile_args=COMPILE,
    )
    for module in (
        "base._deadline",
        "base._parent",
        "document._attributes",
        "document._census",
        "document._link_collections",
        "document._tag_rows",
        "document._sax",
        "models._forward",
        "models._grid_neighbours",
        "models._neighbours",
        "models._trees",
        "pages._address_measures",
        "pages._shape_measures",
        "pages._term_sums",
        "reading._assembly_scans",
        "reading._line_scans",
        "reading._shingles",
        "reading.lines._kind_scores",
        "reading.lines._structure",
        "reading.lines._words",
        "reading.visual._edit_distance",
        "sources._counting",
    )
]

# Cython writes the source file.
UTILITIES = Extension(SHARED, [f"src/{SHARED.replace('.', '/')}.c"], extra_compile_args=COMPILE)


def compiled() -> list[Extension]:
    """Return what is to be compiled: nothing where somebody says that it was, and puts it in place."""
    if os.environ.get("BROADSHEET_COMPILED"):
        return []
    modules: list[Extension] = cythonize(
        [*EXTENSIONS, UTILITIES],
        shared_utility_qualified_name=SHARED,
        compiler_directives={"language_level": 3, "embedsignature": True},
    )
    return modules


setup(
    ext_modules=compiled(),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
