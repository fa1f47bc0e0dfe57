"""Site profiles: what the pages of one site have in common, such as template lines and the position of the article."""

from broadsheet.reading.profiles.induction import induce
from broadsheet.reading.profiles.profile import SiteProfile, in_force
from broadsheet.reading.profiles.profile_files import load, save

__all__ = ["SiteProfile", "in_force", "induce", "load", "save"]
