"""Draws what the pages of a planned site state about themselves, and what stands on them besides news and links.

The shares of `og:type`, JSON-LD and dates are those of 745 articles and 461 fronts of real sites.
"""

from dataclasses import replace
from random import Random

from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_plan import HeadKind, StatedTypes

_HEADS: dict[HeadKind, float] = {"json-ld": 0.6, "opengraph": 0.22, "microdata": 0.08, "bare": 0.1}
#: What `og:type` says: the right thing, `article` on all pages, nothing at all, or the wrong thing.
_TYPES: dict[StatedTypes, float] = {"own": 0.7, "article": 0.2, "none": 0.07, "wrong": 0.03}


def dress(site: Site, rng: Random) -> Site:
    """Return a site with what its pages state and carry."""
    if site.plan is None:
        return site
    head = rng.choices(tuple(_HEADS), tuple(_HEADS.values()))[0]
    types = rng.choices(tuple(_TYPES), tuple(_TYPES.values()))[0]
    plan = replace(
        site.plan,
        layout=replace(site.plan.layout, head=head),
        types=types,
        bylines=rng.random() >= 0.06,
        timed=rng.random() < 0.55,
        pictured=rng.random() < 0.9,
        forms=rng.choice((0, 1, 1, 2)),
        adverts=rng.choice((0, 2, 4, 8, 12)),
        intro=rng.choice((0, 0, 0, 0, 1, 2, 4)),
        lead=rng.choice((3, 9)) if rng.random() < 0.05 else 0,
        dated_pages=rng.random() < 0.6,
    )
    extras = replace(site.extras, briefs=rng.choice((0.0, 0.0, 0.03, 0.06, 0.1)))
    return replace(site, plan=plan, extras=extras)
