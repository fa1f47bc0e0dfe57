"""The block experiment planned by Standke (2019): do link-target features help two readers to tell articles apart?"""

from broadsheet.experiments.news_articles.experiment import HELP, NAME, run

__all__ = ["HELP", "NAME", "run"]
