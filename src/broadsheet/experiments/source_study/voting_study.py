"""Voting over all subsets of the temporal features, plain and weighted by how reliable each voter is."""

from functools import partial

from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults
from broadsheet.experiments.source_study._single_features import Variants, feature_results
from broadsheet.experiments.source_study._site_journal import ROOMS
from broadsheet.learning.c45 import C45Classifier
from broadsheet.learning.subset_voting import SubsetVoting

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "voting"
HELP = "pages told apart by votes over all subsets of the temporal features"

#: The thesis has the first two.
PUBLISHED = ("stability", "reference_dynamicity")
FEATURES = (*PUBLISHED, "referred_stability", "ingoing_links")


def run(context: Context) -> ExperimentResults:
    """Judge all sites by voting, with the published features and with two more, and by one tree of all features."""
    variants: Variants = {
        "voting": (FEATURES, SubsetVoting),
        "weighted voting": (FEATURES, partial(SubsetVoting, weighted=True)),
        "voting, published features": (PUBLISHED, SubsetVoting),
        "one tree": (FEATURES, C45Classifier),
    }
    return feature_results(context, NAME, "Voting over subsets of the temporal features", variants)
