"""The block experiment of seed 000: do link-target features help two readers to tell articles from other pages?"""

from broadsheet.experiments.news_articles.news_articles_run import HELP, NAME, ROOMS, run

__all__ = ["HELP", "NAME", "ROOMS", "run"]
