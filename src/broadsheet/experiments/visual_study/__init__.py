"""The visual reader on sites it has not seen: title, date and body, beside the default reader and trafilatura."""

from broadsheet.experiments.visual_study._visual_run import HELP, NAME, ROOMS, run
from broadsheet.experiments.visual_study._visual_scores import score_page

__all__ = ["HELP", "NAME", "ROOMS", "run", "score_page"]
