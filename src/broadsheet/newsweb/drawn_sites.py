"""Draws planned sites: all that a seed decides about them. Sizes, rates and lengths are fitted to real sites.

Seeds from `JUDGING_SEED` on are for judging: no rule or threshold may be chosen on them.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from random import Random

from broadsheet.newsweb._rhythm import Rhythm
from broadsheet.newsweb._slugs import slug
from broadsheet.newsweb._word_lexicons import WORD_LEXICONS
from broadsheet.newsweb._word_model import WordLexicon
from broadsheet.newsweb.drawn_extras import draw_extras, draw_redesign, draw_server
from broadsheet.newsweb.page_layouts import JUDGING_LAYOUTS, LAYOUTS
from broadsheet.newsweb.server_trouble import TroubleKnobs
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_knobs import LIFELIKE_REVISIONS, FileState, Knobs
from broadsheet.newsweb.site_plan import BoxPlan, PageLayout, SitePlan

#: Rises when the same seed draws other sites.
VERSION = 2
JUDGING_SEED = 1000

_FILE_STATES: tuple[FileState, ...] = ("good", "missing", "stale", "foreign", "misdated", "broken")
_FILE_WEIGHTS = (60, 20, 8, 4, 4, 4)
_PATTERNS = 8


def draw_sites(seed: int, number: int, kind: str | None = None) -> tuple[Site, ...]:
    """Draw so many sites of the default mix, or all of one kind; more sites leave the first ones as they are."""
    return tuple(draw_site(seed, index, kind) for index in range(number))


def draw_site(seed: int, index: int, kind: str | None = None) -> Site:
    """Draw a site; its kind is one of `SITE_KINDS`, drawn by their shares if it is not given."""
    rng = Random(f"{seed}/planned/{index}")
    names = tuple(SITE_KINDS)
    drawn = rng.choices(names, [share for share, _ in SITE_KINDS.values()])[0]
    lexicon = rng.choice(WORD_LEXICONS)
    layout = LAYOUTS[(Random(f"{seed}/layouts").randrange(len(LAYOUTS)) + 5 * index) % len(LAYOUTS)]
    site = _ordinary(rng, f"{seed}/planned/{index}", index, lexicon, layout)
    own = Random(f"{seed}/extras/{index}")
    site = replace(site, extras=draw_extras(own, lexicon, layout), knobs=draw_server(own, site.knobs))
    chosen = kind or drawn
    return SITE_KINDS[chosen][1](_named(site, chosen), rng)


def is_for_judging(seed: int, site: Site) -> bool:
    """Return whether a site drawn with a seed is for judging only, by its seed or by its layout."""
    return seed >= JUDGING_SEED or _plan(site).layout.name in {layout.name for layout in JUDGING_LAYOUTS}


def _ordinary(rng: Random, seed: str, index: int, lexicon: WordLexicon, layout: PageLayout) -> Site:
    sections = _sections(rng, lexicon)
    tops = [section.index for section in sections if section.parent is None]
    masthead = lexicon.mastheads[index % len(lexicon.mastheads)]
    plan = SitePlan(
        kind="ordinary",
        layout=layout,
        addresses=rng.randrange(_PATTERNS),
        home=_home(rng, tops),
        front=_front(rng),
        article=(
            BoxPlan("most-read", rng.randint(4, 10), spot="side"),
            BoxPlan("latest", rng.randint(3, 12), spot="low"),
        ),
        services=tuple(_service(rng, lexicon) for _ in range(12 + _about(rng, 32, 1.4, 4, 400))),
        partners=tuple(lexicon.label(rng) for _ in range(12)),
        promoted=12,
        menus=rng.random() < 0.5,
        life=_spread(rng, 14, 0.9),
        edits=rng.choice((10, 15, 20, 30, 60)),
        about=rng.choice((2, 3, 4, 5)),
        repeated=rng.random() < 0.6,
        mistyped=rng.random() < 0.15,
        padding=_about(rng, 165_000, 0.9, 4_000, 900_000),
        banner=rng.random() < 0.5,
        paywall=rng.choice((0.0, 0.0, 0.0, 0.15, 0.4)),
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


def _sections(rng: Random, lexicon: WordLexicon) -> tuple[Section, ...]:
    """Draw sections and their subsections; a few publish much, most little, and some sleep."""
    names = rng.sample(lexicon.sections, min(len(lexicon.sections), rng.randint(5, 14)))
    a_day = _spread(rng, 125, 0.9)
    weights = [1 / (rank + 1.5) for rank in range(len(names))]
    sections: list[Section] = []
    for named, weight in zip(names, weights, strict=True):
        rhythm = _rhythm(rng, min(60.0, a_day * weight / sum(weights)))
        parent = Section(len(sections), named.name, named.slug, lexicon, rhythm)
        sections.append(parent)
        for number in range(rng.choice((0, 0, 2, 3, 5, 8))):
            label = lexicon.label(rng)
            address = f"{named.slug}/{slug(label) or f'part-{number}'}-{number}"
            own = replace(
                _rhythm(rng, rhythm.articles / 8), sleep=rng.choice((0.0, 0.0, 0.5)), salt=rng.randrange(10**6)
            )
            sections.append(Section(len(sections), label, address, lexicon, own, parent.index))
    return tuple(sections[:99])


def _home(rng: Random, tops: list[int]) -> tuple[BoxPlan, ...]:
    boxes = [BoxPlan(rng.choice(("edited", "edited", "places")), _about(rng, 28, 0.7, 5, 60))]
    shown = rng.sample(tops, rng.randint(1, len(tops)))
    size = _about(rng, 4, 0.6, 2, 16)
    boxes += [
        BoxPlan(rng.choice(("latest", "edited", "edited")), max(2, size + rng.randint(-2, 2)), index)
        for index in sorted(shown)
    ]
    boxes.append(BoxPlan("most-read", rng.randint(3, 7), spot="side"))
    if rng.random() < 0.6:
        boxes.append(BoxPlan("latest", rng.randint(3, 12), spot="side"))
    if rng.random() < 0.5:
        boxes.append(BoxPlan("partners", rng.randint(3, 12), spot="low"))
    if rng.random() < 0.35:
        boxes.append(BoxPlan("promotions", rng.randint(2, 5), spot="low"))
    if rng.random() < 0.3:
        boxes.append(BoxPlan("kept", rng.randint(3, 12), spot="low"))
    return tuple(boxes)


def _front(rng: Random) -> tuple[BoxPlan, ...]:
    boxes = [BoxPlan("latest", _about(rng, 24, 0.85, 5, 60)), BoxPlan("most-read", rng.randint(3, 6), spot="side")]
    if rng.random() < 0.6:
        boxes.insert(0, BoxPlan("edited", rng.randint(2, 6)))
    if rng.random() < 0.25:
        boxes.append(BoxPlan("promotions", rng.randint(2, 5), spot="low"))
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


def _rhythm(rng: Random, articles: float) -> Rhythm:
    return Rhythm(articles, rng.uniform(0.3, 0.9), rng.uniform(6, 11), rng.uniform(15, 20))


def _spread(rng: Random, median: float, sigma: float) -> float:
    return median * rng.lognormvariate(0, sigma)


def _about(rng: Random, median: float, sigma: float, least: int, most: int) -> int:
    return max(least, min(most, round(_spread(rng, median, sigma))))


def _plan(site: Site) -> SitePlan:
    if site.plan is None:
        raise ValueError(f"the site {site.slug} has no plan")
    return site.plan


def _named(site: Site, kind: str) -> Site:
    return replace(site, plan=replace(_plan(site), kind=kind))


def _as_drawn(site: Site, rng: Random) -> Site:
    del rng
    return site


def _section_cards(site: Site, rng: Random) -> Site:
    """Let every card link to its section too (as The Irish Times does)."""
    plan = _plan(site)
    return replace(site, plan=replace(plan, layout=replace(plan.layout, cards=rng.choice(("tagged", "full")))))


def _sleeping_countries(site: Site, rng: Random) -> Site:
    """Give it country sections that sleep for weeks, and a home page whose items are replaced in place (as the BBC)."""
    sections = list(site.sections)
    world = sections[0]
    for number in range(12):
        label = world.lexicon.label(rng) if isinstance(world.lexicon, WordLexicon) else str(number)
        rhythm = replace(_rhythm(rng, rng.uniform(0.3, 2)), sleep=0.85, salt=rng.randrange(10**6))
        address = f"{world.slug}/country-{number}"
        sections.append(Section(len(sections), label, address, world.lexicon, rhythm, world.index))
    plan = _plan(site)
    first, *others = plan.home
    home = (replace(first, filling="places", size=max(10, first.size)), *others)
    return replace(site, sections=tuple(sections[:99]), plan=replace(plan, home=home, menus=True))


def _large_and_slow(site: Site, rng: Random) -> Site:
    """Give it fronts of 40 stories that change slowly (as Pinkvilla)."""
    sections = tuple(replace(each, rhythm=replace(each.rhythm, articles=rng.uniform(0.5, 4))) for each in site.sections)
    plan = _plan(site)
    return replace(site, sections=sections, plan=replace(plan, front=(BoxPlan("latest", 40), *plan.front[1:])))


def _local(site: Site, rng: Random) -> Site:
    """Make it a local paper that publishes little and moves little (as The Reporter)."""
    sections = tuple(
        replace(each, rhythm=replace(each.rhythm, articles=rng.uniform(0.1, 1.2))) for each in site.sections
    )
    plan = _plan(site)
    home = tuple(replace(box, filling="latest") if box.filling == "edited" else box for box in plan.home)
    return replace(site, sections=sections, plan=replace(plan, home=home))


def _dead_sections(site: Site, rng: Random) -> Site:
    """Let a third of its sections be dead, and keep old articles in its footer (as Repubblica and The Local)."""
    sections = tuple(
        replace(each, rhythm=replace(each.rhythm, dead_since=date(2024, rng.randint(1, 12), 1)))
        if rng.random() < 0.35 and each.index
        else each
        for each in site.sections
    )
    plan = _plan(site)
    kept = BoxPlan("kept", 12, spot="low")
    return replace(site, sections=sections, plan=replace(plan, home=(*plan.home, kept), front=(*plan.front, kept)))


def _news_on_legal_pages(site: Site, rng: Random) -> Site:
    """Put boxes with news on its legal pages (as ANSA)."""
    del rng
    return replace(site, plan=replace(_plan(site), boxes_on_legal_pages=True))


def _trapped(site: Site, rng: Random) -> Site:
    """Give it every trap: an endless calendar, session ids, filters, twins of articles and of the host."""
    del rng
    extras = replace(site.extras, calendar=True, session_ids=True, filters=True, twins=True, day_archives=True)
    return replace(site, extras=extras, knobs=replace(site.knobs, hosts="twins"))


def _redesigned(site: Site, rng: Random) -> Site:
    """Let it get another layout in the middle of March 2026."""
    redesign = draw_redesign(rng, _plan(site).layout)
    moment = datetime(2026, 3, rng.randint(10, 20), rng.randrange(24), tzinfo=UTC)
    return replace(site, extras=replace(site.extras, redesign=replace(redesign, at=moment)))


def _unreliable(site: Site, rng: Random) -> Site:
    """Let its server fail for an hour every other day, be slow for an hour every other day, and state wrong times."""
    trouble = TroubleKnobs(failing=0.5, slow=0.5)
    return replace(site, knobs=replace(site.knobs, trouble=trouble, validators=rng.choice(("restless", "lazy"))))


def _scripted(site: Site, rng: Random) -> Site:
    """Let scripts write its fronts."""
    del rng
    return replace(site, knobs=replace(site.knobs, scripted_fronts=True))


#: The kinds of sites: how often each is drawn in the default mix, and what makes a drawn site one of them.
SITE_KINDS: dict[str, tuple[float, Callable[[Site, Random], Site]]] = {
    "ordinary": (50, _as_drawn),
    "section-cards": (12, _section_cards),
    "sleeping-countries": (8, _sleeping_countries),
    "large-and-slow": (8, _large_and_slow),
    "local": (12, _local),
    "dead-sections": (8, _dead_sections),
    "news-on-legal-pages": (6, _news_on_legal_pages),
    "scripted": (0, _scripted),
    "trapped": (0, _trapped),
    "redesigned": (0, _redesigned),
    "unreliable": (0, _unreliable),
}
