from numpy import int32
from numpy.typing import NDArray

class Parse:
    too_deep: bool
    empty: bool

    def __init__(self, page: bytes, deepest: int) -> None: ...
    def columns(self) -> tuple[tuple[NDArray[int32], ...], tuple[bytes, ...]]: ...
