"""Build the compiled parts; everything else stands in pyproject.toml."""

import lxml
from Cython.Build import cythonize
from setuptools import Extension, setup

# lxml's wheel carries the headers of the libxml2 it was built with, so no system library is needed; nothing is
# linked either, because the walk only reads structs.
EXTENSIONS = [
    Extension("broadsheet.document._census", ["src/broadsheet/document/_census.pyx"], extra_compile_args=["-O3"]),
    Extension(
        "broadsheet.document._walk",
        ["src/broadsheet/document/_walk.pyx"],
        include_dirs=lxml.get_include(),
        extra_compile_args=["-O3"],
    ),
]

setup(ext_modules=cythonize(EXTENSIONS, compiler_directives={"language_level": 3, "embedsignature": True}))
