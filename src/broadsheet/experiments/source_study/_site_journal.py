"""The results of a study, kept site by site, so that an interrupted one goes on where it was."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from broadsheet.base.errors import InputError
from broadsheet.base.journal import Row
from broadsheet.corpora.followed_site import FollowedSite
from broadsheet.corpora.made_sites import SITES_PER_KIND, made_sites
from broadsheet.corpora.snapshot_folder import find_snapshot_sites, sites_without_labels
from broadsheet.experiments._page_journal import page_journal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.source_study._site_scores import KindScore

#: The subpackages that the figures depend on.
ROOMS = (
    "base", "document", "models", "reading", "pages", "learning", "sources", "newsweb", "corpora", "training",
    "experiments",
)  # fmt: skip

#: Returns the scores of a site, and further figures of it.
Study = Callable[[FollowedSite], tuple[list[KindScore], Row]]


def sites_of(context: Context) -> Sequence[FollowedSite]:
    """Return the sites of the folder of snapshots, or those of the built-in news web if none was given."""
    if context.snapshots is not None:
        return find_snapshot_sites(context.snapshots)
    return made_sites(each=min(context.sample or SITES_PER_KIND, SITES_PER_KIND))


def study_sites(
    context: Context,
    name: str,
    study: Study,
    sites: Sequence[FollowedSite] | None = None,
    settings: Mapping[str, object] | None = None,
) -> tuple[list[KindScore], dict[str, Row]]:
    """Study each site that has no results yet, and return the scores of all, and their further figures by site.

    Results of other settings are not taken over.
    """
    sites = sites_of(context) if sites is None else sites
    scores: list[KindScore] = []
    figures: dict[str, Row] = {}
    with page_journal(context, name, ROOMS, {"protocol": context.protocol, **(settings or {})}) as journal:
        for site in context.track(sites):
            sizes = dict(site.state())
            known = journal.known.get(site.site)
            if known is None or known["sizes"] != sizes:
                found, further = study(site)
                rows = [asdict(score) for score in found]
                journal.append(site.site, {"sizes": sizes, "scores": rows, "figures": further})
            row = journal.known[site.site]
            scores += [KindScore(**each) for each in row["scores"]]
            figures[site.site] = row["figures"]
    if context.snapshots is not None:
        _leave_out(context, sites_without_labels(context.snapshots), "no golden labels")
    unknown = [site.site for site in sites if not journal.known[site.site]["scores"]]
    if scores:
        _leave_out(context, unknown, "no link to a page with a golden label of high confidence")
    if not scores:
        named = ", ".join(site.site for site in sites)
        raise InputError(f"no link to a page of {named} has a golden label of high confidence")
    return scores, figures


def _leave_out(context: Context, sites: Sequence[str], why: str) -> None:
    """Count and name the sites that no figure includes."""
    if sites:
        context.counters.count("sites left out", why, len(sites))
        context.say(f"{len(sites)} {'site is' if len(sites) == 1 else 'sites are'} left out, {why}: {', '.join(sites)}")
