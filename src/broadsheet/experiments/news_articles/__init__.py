"""A blocked experiment (Standke, 2019): do link-target features help two readers to identify articles?"""

from broadsheet.experiments.news_articles.news_articles_run import HELP, NAME, ROOMS, run

__all__ = ["HELP", "NAME", "ROOMS", "run"]
