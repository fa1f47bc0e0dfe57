"""The facts of an article besides its text, such as dates and authors, each chosen on evidence from the page."""

from broadsheet.reading.facts._author_lines import near_lines
from broadsheet.reading.facts._author_places import leads_to_person
from broadsheet.reading.facts._authors import choose, find_names, stated_people
from broadsheet.reading.facts._candidates import Candidate, rescore
from broadsheet.reading.facts._collecting import Facts, collect, scene_of
from broadsheet.reading.facts._line_signals import LINE_LIKE, LineScorer
from broadsheet.reading.facts._name_letters import LIKENESS, letter_groups, likeness
from broadsheet.reading.facts._person_names import fold, names_in
from broadsheet.reading.facts._published import find_days
from broadsheet.reading.facts._scene import Scene
from broadsheet.reading.facts._signal_weights import FILE, FactWeights, shipped_weights
from broadsheet.reading.facts._site_zones import OFFSETS, SiteZone, stated_times, zones_of
from broadsheet.reading.facts._zones import RULES, Rule

__all__ = [
    "FILE",
    "LIKENESS",
    "LINE_LIKE",
    "OFFSETS",
    "RULES",
    "Candidate",
    "FactWeights",
    "Facts",
    "LineScorer",
    "Rule",
    "Scene",
    "SiteZone",
    "choose",
    "collect",
    "find_days",
    "find_names",
    "fold",
    "leads_to_person",
    "letter_groups",
    "likeness",
    "names_in",
    "near_lines",
    "rescore",
    "scene_of",
    "shipped_weights",
    "stated_people",
    "stated_times",
    "zones_of",
]
