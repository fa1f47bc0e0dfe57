"""All experiments, in the order of listing."""

from broadsheet.base.errors import InputError
from broadsheet.experiments import _news_articles_rendered, coreex_study, news_articles
from broadsheet.experiments.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (coreex_study, news_articles, _news_articles_rendered)


def find(name: str) -> Experiment:
    """Return an experiment by name."""
    known = {experiment.NAME: experiment for experiment in EXPERIMENTS}
    if name not in known:
        raise InputError(f"no experiment is called {name!r}: choose from {', '.join(known)}")
    return known[name]
