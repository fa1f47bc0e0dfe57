"""All experiments, in the order of listing."""

from broadsheet.base.errors import InputError
from broadsheet.experiments import _news_articles_rendered, coreex_study, news_articles, visual_study, visual_time_study
from broadsheet.experiments.annotation_study import active_learning_study, chosen_pages_study, fine_tuning_study
from broadsheet.experiments.experiment import Experiment
from broadsheet.experiments.memory_study import curves_study, settings_study, weights_study
from broadsheet.experiments.memory_study.domain_studies import ACROSS, MERGED, SINGLE
from broadsheet.experiments.source_study import (
    costs_study,
    dynamicity_study,
    regime_study,
    section_driven_study,
    stability_study,
    unlabelled_study,
    voting_study,
)

EXPERIMENTS: tuple[Experiment, ...] = (
    coreex_study,
    news_articles,
    _news_articles_rendered,
    visual_study,
    visual_time_study,
    stability_study,
    dynamicity_study,
    voting_study,
    section_driven_study,
    unlabelled_study,
    regime_study,
    costs_study,
    SINGLE,
    MERGED,
    ACROSS,
    settings_study,
    weights_study,
    curves_study,
    fine_tuning_study,
    active_learning_study,
    chosen_pages_study,
)


def find(name: str) -> Experiment:
    """Return an experiment by name."""
    known = {experiment.NAME: experiment for experiment in EXPERIMENTS}
    if name not in known:
        raise InputError(f"no experiment is called {name!r}: choose from {', '.join(known)}")
    return known[name]
