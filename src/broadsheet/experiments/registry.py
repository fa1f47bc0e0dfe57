"""All experiments, in the order in which they are listed."""

from broadsheet.base.errors import InputError
from broadsheet.experiments import coreex_study, news_articles, news_articles_rendered
from broadsheet.experiments.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = (coreex_study, news_articles, news_articles_rendered)


def find(name: str) -> Experiment:
    """Return the experiment of a name."""
    known = {experiment.NAME: experiment for experiment in EXPERIMENTS}
    if name not in known:
        raise InputError(f"no experiment is called {name!r}; there are: {', '.join(known)}")
    return known[name]
