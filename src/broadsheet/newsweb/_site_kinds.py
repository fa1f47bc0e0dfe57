"""The kinds of planned sites: what makes a drawn site one of the hard cases."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from random import Random

from broadsheet.newsweb._ordinary_site import draw_rhythm
from broadsheet.newsweb._word_model import WordLexicon
from broadsheet.newsweb.drawn_extras import draw_redesign
from broadsheet.newsweb.server_trouble import TroubleKnobs
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_plan import BoxPlan, SitePlan


def plan_of(site: Site) -> SitePlan:
    """Return the plan of a planned site."""
    if site.plan is None:
        raise ValueError(f"the site {site.slug} has no plan")
    return site.plan


def _as_drawn(site: Site, rng: Random) -> Site:
    del rng
    return site


def _section_cards(site: Site, rng: Random) -> Site:
    """Let every card link to its section too (as The Irish Times does)."""
    plan = plan_of(site)
    return replace(site, plan=replace(plan, layout=replace(plan.layout, cards=rng.choice(("tagged", "full")))))


def _sleeping_countries(site: Site, rng: Random) -> Site:
    """Give it country sections that sleep for weeks, and a home page whose items are replaced in place (as the BBC)."""
    sections = list(site.sections)
    world = sections[0]
    for number in range(12):
        label = world.lexicon.label(rng) if isinstance(world.lexicon, WordLexicon) else str(number)
        rhythm = replace(draw_rhythm(rng, rng.uniform(0.3, 2)), sleep=0.85, salt=rng.randrange(10**6))
        address = f"{world.slug}/country-{number}"
        sections.append(Section(len(sections), label, address, world.lexicon, rhythm, world.index))
    plan = plan_of(site)
    first, *others = plan.home
    home = (replace(first, filling="places", size=max(10, first.size)), *others)
    return replace(site, sections=tuple(sections[:99]), plan=replace(plan, home=home, menus=True))


def _large_and_slow(site: Site, rng: Random) -> Site:
    """Give it fronts of 40 stories that change slowly: 1 to 4 are new on a day (as Pinkvilla)."""
    tops = [each if each.parent is None else site.sections[each.parent] for each in site.sections]
    families = [len(site.members(top)) for top in tops]
    sections = tuple(
        replace(each, rhythm=replace(each.rhythm, articles=rng.uniform(1, 4) / size, sleep=0.0))
        for each, size in zip(site.sections, families, strict=True)
    )
    plan = plan_of(site)
    others = tuple(box for box in plan.front if box.filling not in ("latest", "edited", "places"))
    return replace(site, sections=sections, plan=replace(plan, front=(BoxPlan("latest", 40), *others)))


def _local(site: Site, rng: Random) -> Site:
    """Make it a local paper that publishes little and moves little (as The Reporter)."""
    shares = [rng.uniform(0.2, 1) for _ in site.sections]
    a_day = rng.uniform(4, 9)
    sections = tuple(
        replace(each, rhythm=replace(each.rhythm, articles=a_day * share / sum(shares)))
        for each, share in zip(site.sections, shares, strict=True)
    )
    plan = plan_of(site)
    home = tuple(replace(box, filling="latest") if box.filling in ("edited", "places") else box for box in plan.home)
    return replace(site, sections=sections, plan=replace(plan, home=home))


def _dead_sections(site: Site, rng: Random) -> Site:
    """Let a third of its sections be dead, and keep old articles in its footer (as Repubblica and The Local)."""
    sections = tuple(
        replace(each, rhythm=replace(each.rhythm, dead_since=date(2024, rng.randint(1, 12), 1)))
        if rng.random() < 0.35 and each.index
        else each
        for each in site.sections
    )
    plan = plan_of(site)
    kept = BoxPlan("kept", 12, spot="low")
    return replace(site, sections=sections, plan=replace(plan, home=(*plan.home, kept), front=(*plan.front, kept)))


def _news_on_legal_pages(site: Site, rng: Random) -> Site:
    """Put boxes with news on its legal pages (as ANSA)."""
    del rng
    return replace(site, plan=replace(plan_of(site), boxes_on_legal_pages=True))


def _trapped(site: Site, rng: Random) -> Site:
    """Give it every trap: an endless calendar, session ids, filters, twins of articles and of the host."""
    del rng
    extras = replace(site.extras, calendar=True, session_ids=True, filters=True, twins=True, day_archives=True)
    return replace(site, extras=extras, knobs=replace(site.knobs, hosts="twins"))


def _redesigned(site: Site, rng: Random) -> Site:
    """Let it get another layout in the middle of March 2026."""
    redesign = draw_redesign(rng, plan_of(site).layout)
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
    "ordinary": (58, _as_drawn),
    "section-cards": (12, _section_cards),
    "sleeping-countries": (8, _sleeping_countries),
    "large-and-slow": (5, _large_and_slow),
    "local": (7, _local),
    "dead-sections": (8, _dead_sections),
    "news-on-legal-pages": (6, _news_on_legal_pages),
    "scripted": (0, _scripted),
    "trapped": (0, _trapped),
    "redesigned": (0, _redesigned),
    "unreliable": (0, _unreliable),
}
