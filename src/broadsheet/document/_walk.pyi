from lxml import etree
from numpy import int32
from numpy.typing import NDArray

def walk(root: etree._Element, deepest: int) -> tuple[tuple[NDArray[int32], ...], tuple[bytes, ...]] | None: ...
