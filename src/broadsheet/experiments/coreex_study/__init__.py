"""CoreEx evaluated as in its paper (Prasad and Paepcke, 2008): a grid search, then precision, recall and time."""

from broadsheet.experiments.coreex_study._coreex_run import HELP, NAME, ROOMS, run

__all__ = ["HELP", "NAME", "ROOMS", "run"]
