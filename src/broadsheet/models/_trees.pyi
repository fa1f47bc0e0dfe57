import numpy as np
from numpy.typing import NDArray

from broadsheet.models.nodes import TreeNodes

def add_scores(nodes: TreeNodes, rows: NDArray[np.float32], scores: NDArray[np.float64]) -> None: ...
def add_contributions(nodes: TreeNodes, rows: NDArray[np.float32], contributions: NDArray[np.float64]) -> None: ...
