"""The temporal features of a source's pages, each a registered class that is found by name.

A feature is computed from `TargetCounts` for all pages at once; what is unknown is NaN, never 0. Other packages
register features of their own under the entry point group `broadsheet.source_features`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol

import numpy as np

from broadsheet.base.entry_points import registered
from broadsheet.base.errors import InputError
from broadsheet.sources.target_counts import Doubles, TargetCounts

#: The entry point group in which packages register features.
ENTRY_POINTS = "broadsheet.source_features"

#: In exploration articles are told from the rest; exploitation tells sections from other pages, too.
Phase = Literal["exploration", "exploitation"]

_HOUR = 3600.0


class SourceFeature(Protocol):
    """A column of figures about the pages of a source."""

    name: ClassVar[str]
    #: The first phase in which the feature says something reliable.
    phase: ClassVar[Phase]

    def values(self, counts: TargetCounts) -> Doubles:
        """Return one figure per page, NaN where it is unknown."""
        ...


def _ratio(part: Doubles, whole: Doubles) -> Doubles:
    ratios: Doubles = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
    return ratios


class Stability:
    """The share of all snapshots in which the page is linked to."""

    name: ClassVar[str] = "stability"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return shares between 0 and 1."""
        return _ratio(counts.linked_snapshots.astype(float), np.full(len(counts), float(counts.total_snapshots)))


class ReferredStability:
    """The share of the snapshots with a page that has ever linked to it: what is found late does not look rare."""

    name: ClassVar[str] = "referred_stability"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return shares between 0 and 1; unknown for a page that nothing links to."""
        return _ratio(counts.linked_snapshots.astype(float), counts.possible_snapshots.astype(float))


class ReferenceDynamicity:
    """Hypertextual reference dynamicity: how often links to the page have moved within their collections."""

    name: ClassVar[str] = "reference_dynamicity"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return the numbers of moves."""
        return counts.moves.astype(float)


class ReferenceDynamicityRate:
    """Moves per comparison of two adjacent visits: unlike the sum, it carries over from site to site."""

    name: ClassVar[str] = "reference_dynamicity_rate"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return rates between 0 and 1; unknown before a link was seen in two adjacent visits."""
        return _ratio(counts.moves.astype(float), counts.comparisons.astype(float))


class ContentDynamicity:
    """Hypertextual content dynamicity: the moves of all pages that this one has ever linked to."""

    name: ClassVar[str] = "content_dynamicity"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return sums of moves; unknown for a page that was never fetched."""
        return np.where(counts.visits > 0, counts.content_moves, np.nan)


class ReferrerChanges:
    """Pages that began to link to this one after its first snapshot."""

    name: ClassVar[str] = "referrer_changes"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return the numbers of pages."""
        return counts.later_referrers.astype(float)


class IngoingLinks:
    """Pages that have ever linked to this one."""

    name: ClassVar[str] = "ingoing_links"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return the numbers of pages."""
        return counts.referrers.astype(float)


class IngoingGrowth:
    """Pages that began to link to this one in the latest snapshots."""

    name: ClassVar[str] = "ingoing_growth"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return the numbers of pages."""
        return counts.recent_referrers.astype(float)


class Age:
    """Hours since a link to the page was first seen."""

    name: ClassVar[str] = "age"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return hours; unknown for a page that nothing links to."""
        return (counts.now - counts.first_seen) / _HOUR


class Lifetime:
    """Hours from the first to the last time that a link to the page was seen."""

    name: ClassVar[str] = "lifetime"
    phase: ClassVar[Phase] = "exploration"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return hours; unknown for a page that nothing links to."""
        return (counts.last_seen - counts.first_seen) / _HOUR


class ArticleLinks:
    """Links to articles count: distinct pages that this one links to now and that were judged to be articles."""

    name: ClassVar[str] = "article_links"
    phase: ClassVar[Phase] = "exploitation"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return the numbers of pages; unknown for a page that was never fetched, or without earlier verdicts."""
        return counts.article_links


class LongestText:
    """The longest non-tag sequence: the number of words in the longest text of the page that no tag interrupts."""

    name: ClassVar[str] = "longest_text"
    phase: ClassVar[Phase] = "exploitation"

    def values(self, counts: TargetCounts) -> Doubles:
        """Return the numbers of words; unknown for a page whose content was not read."""
        return counts.longest_text


BUILT_IN: Mapping[str, type[SourceFeature]] = MappingProxyType(
    {
        feature.name: feature
        for feature in (
            Stability,
            ReferredStability,
            ReferenceDynamicity,
            ReferenceDynamicityRate,
            ContentDynamicity,
            ReferrerChanges,
            IngoingLinks,
            IngoingGrowth,
            Age,
            Lifetime,
            ArticleLinks,
            LongestText,
        )
    }
)


def feature_names(phase: Phase) -> tuple[str, ...]:
    """Return the names of the built-in features of a phase; those of exploration serve in exploitation, too."""
    return tuple(name for name, each in BUILT_IN.items() if phase in {"exploitation", each.phase})


def find_feature(name: str) -> SourceFeature:
    """Return a feature by name."""
    if name in BUILT_IN:
        return BUILT_IN[name]()
    installed = registered(ENTRY_POINTS)
    if name not in installed:
        raise InputError(f"no feature of a source is called {name!r}; choose from {', '.join([*BUILT_IN, *installed])}")
    found: type[SourceFeature] = installed[name].load()
    return found()


def feature_table(counts: TargetCounts, names: Sequence[str]) -> Doubles:
    """Return one row per page and one column per feature."""
    columns = [find_feature(name).values(counts) for name in names]
    return np.column_stack(columns) if columns else np.zeros((len(counts), 0))
