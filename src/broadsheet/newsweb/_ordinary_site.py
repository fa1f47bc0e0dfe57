"""Draws an ordinary planned site: sections, lists, services. Sizes, rates and lengths are fitted to real sites."""

import math
from dataclasses import replace
from random import Random

from broadsheet.newsweb._rhythm import Rhythm
from broadsheet.newsweb._slugs import slug
from broadsheet.newsweb._url_patterns import PLANNED_PATTERNS
from broadsheet.newsweb._word_model import WordLexicon
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_knobs import LIFELIKE_REVISIONS, FileState, Knobs
from broadsheet.newsweb.site_plan import BoxPlan, Filling, PageLayout, SitePlan

_FILE_STATES: tuple[FileState, ...] = ("good", "missing", "stale", "foreign", "misdated", "broken")
_FILE_WEIGHTS = (60, 20, 8, 4, 4, 4)
#: The addresses of one real site in ten are without words of the headline.
_PATTERN_WEIGHTS = tuple(2 if "{words}" in pattern.article else 1 for pattern in PLANNED_PATTERNS)
#: How closely the lengths of lists, the services and the subsections follow the size of a site. On real sites, the
#: logarithms of how many articles and how many other pages a front links to have a correlation of 0.6.
_FOLLOWS = 0.85


def draw_ordinary(rng: Random, seed: str, index: int, lexicon: WordLexicon, layout: PageLayout) -> Site:
    """Draw a site without anything that makes it one of the other kinds."""
    size = rng.gauss(0, 1)
    sections = _sections(rng, lexicon, size)
    tops = [section.index for section in sections if section.parent is None]
    masthead = lexicon.mastheads[index % len(lexicon.mastheads)]
    plan = SitePlan(
        kind="ordinary",
        layout=layout,
        addresses=rng.choices(range(len(_PATTERN_WEIGHTS)), _PATTERN_WEIGHTS)[0],
        home=_home(rng, tops, size),
        front=_front(rng, size),
        article=(
            BoxPlan("most-read", rng.randint(3, 7), spot="side"),
            BoxPlan("latest", rng.randint(3, 9), spot="low"),
        ),
        services=tuple(_service(rng, lexicon) for _ in range(12 + _within(4, 400, _sized(rng, size, 40, 1.3)))),
        partners=tuple(lexicon.label(rng) for _ in range(12)),
        promoted=12,
        menus=rng.random() < 0.5,
        life=_spread(rng, 19, 0.9),
        edits=rng.choice((10, 15, 20, 30, 60)),
        about=rng.choice((0, 1, 1, 2, 3)),
        repeated=rng.random() < 0.75,
        padding=_within(4_000, 900_000, _spread(rng, 155_000, 0.9)),
        banner=rng.random() < 0.5,
        paywall=rng.choice((0.0, 0.0, 0.0, 0.0, 0.1, 0.3)),
        tracking=rng.random() < 0.1,
    )
    return Site(
        seed=seed,
        name=masthead.name,
        slug=f"{masthead.slug}-{index + 1}",
        template="composed",
        lexicon=lexicon,
        sections=sections,
        knobs=_knobs(rng),
        plan=plan,
    )


def _service(rng: Random, lexicon: WordLexicon) -> str:
    """Draw the label of a service: one to six words."""
    return lexicon.model.space.join(lexicon.label(rng) for _ in range(rng.choice((1, 1, 2))))


def _sections(rng: Random, lexicon: WordLexicon, size: float) -> tuple[Section, ...]:
    """Draw sections and their subsections; a few publish much, most little, and some sleep."""
    names = rng.sample(lexicon.sections, min(len(lexicon.sections), rng.randint(5, 14)))
    a_day = _spread(rng, 115, 0.9)
    weights = [1 / (rank + 1.5) for rank in range(len(names))]
    sections: list[Section] = []
    for named, weight in zip(names, weights, strict=True):
        rhythm = draw_rhythm(rng, min(60.0, a_day * weight / sum(weights)))
        parent = Section(len(sections), named.name, named.slug, lexicon, rhythm)
        sections.append(parent)
        few = rng.choice((0, 0, 2, 3, 5, 8))
        for number in range(_within(2, 24, _sized(rng, size, few, 0.5)) if few else 0):
            label = lexicon.label(rng)
            address = f"{named.slug}/{slug(label) or f'part-{number}'}-{number}"
            own = replace(
                draw_rhythm(rng, rhythm.articles / 8), sleep=rng.choice((0.0, 0.0, 0.5)), salt=rng.randrange(10**6)
            )
            sections.append(Section(len(sections), label, address, lexicon, own, parent.index))
    return tuple(sections[:99])


def _home(rng: Random, tops: list[int], size: float) -> tuple[BoxPlan, ...]:
    boxes = [BoxPlan(rng.choice(("edited", "places")), _within(5, 60, _sized(rng, size, 36, 0.7)))]
    shown = rng.sample(tops, rng.randint(1, len(tops)))
    length = _within(2, 16, _sized(rng, size, 4, 0.6))
    boxes += [
        BoxPlan(rng.choice(("latest", "edited", "places")), max(2, length + rng.randint(-2, 2)), index)
        for index in sorted(shown)
    ]
    boxes.append(BoxPlan("most-read", rng.randint(3, 7), spot="side"))
    if rng.random() < 0.6:
        boxes.append(BoxPlan("latest", rng.randint(3, 12), spot="side"))
    if rng.random() < 0.5:
        boxes.append(BoxPlan("partners", rng.randint(3, 12), spot="low"))
    if rng.random() < 0.25:
        boxes.append(BoxPlan("promotions", rng.randint(2, 5), spot="low"))
    if rng.random() < 0.45:
        boxes.append(BoxPlan("kept", rng.randint(3, 12), spot="low"))
    return tuple(boxes)


def _front(rng: Random, size: float) -> tuple[BoxPlan, ...]:
    filling: Filling = "places" if rng.random() < 0.3 else "latest"
    boxes = [
        BoxPlan(filling, _within(5, 60, _sized(rng, size, 32, 0.8))),
        BoxPlan("most-read", rng.randint(3, 6), spot="side"),
    ]
    if rng.random() < 0.6:
        boxes.insert(0, BoxPlan("edited", rng.randint(2, 6)))
    if rng.random() < 0.15:
        boxes.append(BoxPlan("promotions", rng.randint(2, 5), spot="low"))
    if rng.random() < 0.35:
        boxes.append(BoxPlan("kept", rng.randint(3, 12), spot="low"))
    return tuple(boxes)


def _knobs(rng: Random) -> Knobs:
    feed, sitemap = (rng.choices(_FILE_STATES, _FILE_WEIGHTS)[0] for _ in range(2))
    return Knobs(
        feed=feed,
        feed_format=rng.choice(("rss", "rss", "rss", "atom", "json")),
        feed_items=rng.choice((10, 20, 30, 50)),
        sitemap=sitemap,
        sitemap_form=rng.choice(("news", "index")),
        sitemap_gzip=rng.random() < 0.2,
        announced=rng.random() < 0.8,
        revisions=LIFELIKE_REVISIONS,
        removal=rng.choice(("404", "404", "410", "soft-404")),
        archive_pages=rng.choice((1, 3, 5, 10)),
        paragraphs_per_page=rng.choice((0, 0, 0, 0, 0, 0, 8)),
        rel_next=rng.random() < 0.4,
        scripted_fronts=False,
    )


def draw_rhythm(rng: Random, articles: float) -> Rhythm:
    """Draw the rhythm of a section with so many articles on a weekday."""
    return Rhythm(articles, rng.uniform(0.3, 0.9), rng.uniform(6, 11), rng.uniform(15, 20))


def _spread(rng: Random, median: float, sigma: float) -> float:
    return median * rng.lognormvariate(0, sigma)


def _sized(rng: Random, size: float, median: float, sigma: float) -> float:
    """Draw a number that is larger on larger sites."""
    return median * math.exp(sigma * (_FOLLOWS * size + math.sqrt(1 - _FOLLOWS**2) * rng.gauss(0, 1)))


def _within(least: int, most: int, value: float) -> int:
    return max(least, min(most, round(value)))
