import numpy as np
from numpy.typing import NDArray

from broadsheet.models.nodes import Nodes

def add_scores(nodes: Nodes, rows: NDArray[np.float32], scores: NDArray[np.float64]) -> None: ...
def add_contributions(nodes: Nodes, rows: NDArray[np.float32], moved: NDArray[np.float64]) -> None: ...
