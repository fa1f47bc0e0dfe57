"""What the pages of one site have in common: the template's lines, and the places where its articles stand."""

from broadsheet.reading.profiles.induction import induce
from broadsheet.reading.profiles.profile import SiteProfile, in_force
from broadsheet.reading.profiles.profile_files import load, save

__all__ = ["SiteProfile", "in_force", "induce", "load", "save"]
