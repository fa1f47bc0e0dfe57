import numpy as np
from lxml import etree
from numpy.typing import NDArray

from broadsheet.document.columns import Ints

def walk(
    root: etree._Element, deepest: int
) -> (
    tuple[tuple[Ints, ...], tuple[Ints, ...], tuple[Ints, ...], tuple[Ints, ...], bytes, bytes, NDArray[np.uintp]]
    | None
): ...
def element(root: etree._Element, pointer: int) -> etree._Element: ...
def attributes(
    root: etree._Element, pointers: NDArray[np.uintp], rows: list[int], names: tuple[str, ...]
) -> list[tuple[str | None, ...]]: ...
def attribute_sets(
    root: etree._Element, pointers: NDArray[np.uintp], valued: list[str], named: list[str]
) -> tuple[Ints, list[bytes]]: ...
def tokens(root: etree._Element, pointers: NDArray[np.uintp]) -> tuple[bytes, Ints, Ints, Ints, Ints]: ...
