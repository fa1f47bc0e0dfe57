"""Site profiles: what the pages of one site have in common, such as template lines and the position of the article."""

from broadsheet.reading.profiles._profile import SiteProfile, in_force
from broadsheet.reading.profiles._profile_files import load, save
from broadsheet.reading.profiles.induction import induce

__all__ = ["SiteProfile", "in_force", "induce", "load", "save"]
