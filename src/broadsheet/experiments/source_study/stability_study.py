"""Stability alone: how well do the snapshots in which a page is linked to tell what it is?"""

from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults
from broadsheet.experiments.source_study._single_features import feature_results
from broadsheet.experiments.source_study._site_journal import ROOMS
from broadsheet.learning.c45 import C45Classifier

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "stability"
HELP = "pages told apart by the stability of the links to them"


def run(context: Context) -> ExperimentResults:
    """Judge all sites by stability, by the share of their referrers' snapshots, and by both."""
    variants = {
        "stability": (("stability",), C45Classifier),
        "stability among referrers": (("referred_stability",), C45Classifier),
        "both": (("stability", "referred_stability"), C45Classifier),
    }
    return feature_results(context, NAME, "Stability of links", variants)
