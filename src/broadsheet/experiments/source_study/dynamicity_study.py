"""Hypertextual reference dynamicity alone: how well do the moves of links tell what a page is?"""

from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults
from broadsheet.experiments.source_study._single_features import feature_results
from broadsheet.experiments.source_study._site_journal import ROOMS
from broadsheet.learning.c45 import C45Classifier

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "dynamicity"
HELP = "pages told apart by how links to them move within their collections"


def run(context: Context) -> ExperimentResults:
    """Judge all sites by the number of moves, by their rate, and by both."""
    variants = {
        "moves": (("reference_dynamicity",), C45Classifier),
        "rate of moves": (("reference_dynamicity_rate",), C45Classifier),
        "both": (("reference_dynamicity", "reference_dynamicity_rate"), C45Classifier),
    }
    return feature_results(context, NAME, "Hypertextual reference dynamicity", variants)
