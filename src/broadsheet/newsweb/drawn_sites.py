"""Draws planned sites: all that a seed decides about them.

Seeds from `JUDGING_SEED` on are for judging: no rule or threshold may be chosen on them.
"""

from dataclasses import replace
from random import Random

from broadsheet.newsweb._drawn_dress import dress
from broadsheet.newsweb._ordinary_site import draw_ordinary
from broadsheet.newsweb._site_kinds import SITE_KINDS, plan_of
from broadsheet.newsweb._word_lexicons import WORD_LEXICONS
from broadsheet.newsweb.drawn_extras import draw_extras, draw_server
from broadsheet.newsweb.page_layouts import JUDGING_LAYOUTS, LAYOUTS
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_services import name_services

__all__ = ["JUDGING_SEED", "SITE_KINDS", "VERSION", "draw_site", "draw_sites", "is_for_judging"]

#: Rises when the same seed draws other sites.
VERSION = 8
JUDGING_SEED = 1000

#: How often each language is drawn. One real front in fifteen is in a script without spaces.
_LANGUAGES = {"en": 4, "es": 4, "de": 3, "el": 2, "ru": 2, "ja": 1}


def draw_sites(seed: int, number: int, kind: str | None = None) -> tuple[Site, ...]:
    """Draw so many sites of the default mix, or all of one kind; more sites leave the first ones as they are."""
    return tuple(draw_site(seed, index, kind) for index in range(number))


def draw_site(seed: int, index: int, kind: str | None = None) -> Site:
    """Draw a site; its kind is one of `SITE_KINDS`, drawn by their shares if it is not given."""
    rng = Random(f"{seed}/planned/{index}")
    names = tuple(SITE_KINDS)
    drawn = rng.choices(names, [share for share, _ in SITE_KINDS.values()])[0]
    lexicon = rng.choices(WORD_LEXICONS, [_LANGUAGES.get(each.language, 1) for each in WORD_LEXICONS])[0]
    layout = LAYOUTS[(Random(f"{seed}/layouts").randrange(len(LAYOUTS)) + 5 * index) % len(LAYOUTS)]
    site = draw_ordinary(rng, f"{seed}/planned/{index}", index, lexicon, layout)
    own = Random(f"{seed}/extras/{index}")
    site = replace(site, extras=draw_extras(own, lexicon, layout), knobs=draw_server(own, site.knobs))
    site = dress(site, Random(f"{seed}/dress/{index}"))
    site = name_services(site, Random(f"{seed}/services/{index}"))
    chosen = kind or drawn
    return SITE_KINDS[chosen][1](replace(site, plan=replace(plan_of(site), kind=chosen)), rng)


def is_for_judging(seed: int, site: Site) -> bool:
    """Return whether a site drawn with a seed is for judging only, by its seed or by its layout."""
    return seed >= JUDGING_SEED or plan_of(site).layout.name in {layout.name for layout in JUDGING_LAYOUTS}
