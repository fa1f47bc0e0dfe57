"""The block experiment planned by Standke (2019): do link-target features help two readers to tell articles apart?"""

from broadsheet.experiments.news_articles._news_articles_run import HELP, NAME, ROOMS, run

__all__ = ["HELP", "NAME", "ROOMS", "run"]
