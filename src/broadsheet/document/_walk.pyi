from lxml import etree
from numpy import int32
from numpy.typing import NDArray

class Walk:
    too_deep: bool

    def __init__(self, root: etree._Element, deepest: int) -> None: ...
    def columns(self) -> tuple[tuple[NDArray[int32], ...], tuple[bytes, ...]]: ...
