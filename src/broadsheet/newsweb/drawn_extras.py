"""Draws what planned sites have besides news, and how well their servers work. The shares are plausible guesses."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from broadsheet.newsweb._word_model import WordLexicon
from broadsheet.newsweb.page_layouts import LAYOUTS
from broadsheet.newsweb.server_trouble import TroubleKnobs
from broadsheet.newsweb.site_extras import PageExtras, SiteRedesign
from broadsheet.newsweb.site_knobs import Hosts, Knobs, Validators
from broadsheet.newsweb.site_plan import PageLayout

#: Redesigns happen within these days.
REDESIGNS_FROM, REDESIGN_DAYS = datetime(2025, 1, 1, tzinfo=UTC), 730

_VALIDATORS: tuple[Validators, ...] = ("good", "none", "restless", "lazy")
_HOSTS: tuple[Hosts, ...] = ("one", "redirect", "twins")


def draw_extras(rng: Random, lexicon: WordLexicon, layout: PageLayout) -> PageExtras:
    """Draw the extras of a site with this layout."""
    return PageExtras(
        tags=tuple(lexicon.label(rng) for _ in range(rng.choice((0, 40, 80, 200)))),
        day_archives=rng.random() < 0.3,
        editions=tuple(lexicon.label(rng) for _ in range(rng.choice((0, 0, 0, 0, 1, 3)))),
        galleries=rng.choice((0.0, 0.01, 0.03)),
        videos=rng.choice((0.0, 0.03, 0.1)),
        twins=rng.random() < 0.3,
        calendar=rng.random() < 0.1,
        session_ids=rng.random() < 0.03,
        filters=rng.random() < 0.08,
        redesign=draw_redesign(rng, layout) if rng.random() < 0.1 else None,
        search=rng.random() < 0.25,
    )


def draw_redesign(rng: Random, layout: PageLayout) -> SiteRedesign:
    """Draw a redesign: any hour of two years, another frame and other lists, for the same use, judging or not."""
    use = LAYOUTS[[each.name for each in LAYOUTS].index(layout.name) % 2 :: 2]
    others = [other for other in use if other.frame != layout.frame and other.lists != layout.lists]
    return SiteRedesign(REDESIGNS_FROM + timedelta(hours=rng.randrange(24 * REDESIGN_DAYS)), rng.choice(others))


def draw_server(rng: Random, knobs: Knobs) -> Knobs:
    """Draw how well the server of a site works."""
    trouble = TroubleKnobs(failing=0.03, slow=0.06) if rng.random() < 0.2 else TroubleKnobs()
    return replace(
        knobs,
        validators=rng.choices(_VALIDATORS, (55, 25, 15, 5))[0],
        hosts=rng.choices(_HOSTS, (50, 40, 10))[0],
        trouble=trouble,
    )
