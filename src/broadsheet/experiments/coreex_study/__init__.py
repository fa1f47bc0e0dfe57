"""CoreEx as its paper measured it (Prasad and Paepcke, 2008): constants by a grid, then precision, recall and time."""

from broadsheet.experiments.coreex_study.coreex_run import HELP, NAME, ROOMS, run

__all__ = ["HELP", "NAME", "ROOMS", "run"]
