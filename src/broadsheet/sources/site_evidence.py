"""Evidence that the targets of one site share: those of one folder, or at one place of a page, are mostly of one kind.

No label of the site is needed. What is believed of the other members of a group speaks for or against each member;
nobody's own belief is counted for itself.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from broadsheet.pages.address import split
from broadsheet.sources.address_shapes import address_shapes
from broadsheet.sources.source_links import LinkTable, TargetGroups
from broadsheet.sources.target_counts import Doubles
from broadsheet.sources.temporal_features import feature_table

#: What a group knows counts as much as this many members without any knowledge.
CAUTION = 3.0
#: Beliefs are never surer than this, so that one model cannot outvote all others.
LEAST = 1e-4

#: Groups of targets with similar addresses, which a model without addresses leaves out, and with similar links.
ADDRESS_GROUPS = ("folder", "shape")
LINK_GROUPS = ("path", "behaviour")
GROUPS = (*ADDRESS_GROUPS, *LINK_GROUPS)


def groups_of(table: LinkTable) -> Mapping[str, TargetGroups]:
    """Return the groups of all targets, by name."""
    return {
        "folder": folders_of(table),
        "shape": TargetGroups.of([(shape,) for shape in address_shapes(table.urls)]),
        "path": table.paths,
        "behaviour": TargetGroups.of([(cell,) for cell in behaviours(table)]),
    }


def folders_of(table: LinkTable) -> TargetGroups:
    """Return the groups of targets in the same folder."""
    return TargetGroups.of([(folder(url),) for url in table.urls])


def behaviours(table: LinkTable) -> list[tuple[int, ...]]:
    """Return how the links to each target behave, coarsely: how stable they are, how they move, how many pages link."""
    counts = table.counts
    stability, rate = feature_table(counts, ("referred_stability", "reference_dynamicity_rate")).T
    stable = np.digitize(stability, (0.34, 0.67, 0.95))
    moving = np.where(counts.comparisons == 0, 0, np.where(counts.moves == 0, 1, np.where(rate < 0.1, 2, 3)))
    spread = np.where(counts.referrers <= 1, 0, np.where(counts.referrers < table.pages / 2, 1, 2))
    return list(zip(stable.tolist(), moving.tolist(), spread.tolist(), strict=True))


def folder(url: str) -> str:
    """Return the host and the path of an address up to its last segment."""
    address = split(url)
    segments = [segment for segment in address.path.split("/") if segment]
    return "/".join((address.host, *segments[:-1]))


def contrasts(beliefs: Doubles) -> Doubles:
    """Return two logarithms of odds per row: of an article, and of a section if it is not an article."""
    article, section, other = np.clip(beliefs, LEAST, 1).T
    return np.column_stack((np.log(article) - np.log(section + other), np.log(section) - np.log(other)))


def beliefs_of(scores: Doubles) -> Doubles:
    """Return the probabilities of article, section and other that follow from both logarithms of odds."""
    article, section = (1 / (1 + np.exp(-np.clip(column, -30, 30))) for column in scores.T)
    return np.column_stack((article, (1 - article) * section, (1 - article) * (1 - section)))


def shared_evidence(groups: TargetGroups, beliefs: Doubles) -> Doubles:
    """Return how much the other members of each target's groups change both logarithms of odds, on average."""
    totals = np.zeros((groups.groups, beliefs.shape[1]))
    np.add.at(totals, groups.group, beliefs[groups.row])
    others = totals[groups.group] - beliefs[groups.row]
    usual = np.maximum(beliefs.mean(axis=0), 0.01)
    members = np.maximum(others, 0) + CAUTION * usual
    article = _log_odds(members[:, 0], members[:, 1:].sum(axis=1)) - _log_odds(usual[0], usual[1:].sum())
    section = _log_odds(members[:, 1], members[:, 2]) - _log_odds(usual[1], usual[2])
    evidence = np.zeros((len(beliefs), 2))
    np.add.at(evidence, groups.row, np.column_stack((article, section)))
    number = np.maximum(np.bincount(groups.row, minlength=len(beliefs)), 1)
    means: Doubles = evidence / number[:, None]
    return means


def stacked(own: Sequence[Doubles], shared: Sequence[TargetGroups], beliefs: Doubles) -> Doubles:
    """Return all evidence by row, kind of evidence and question: what each model says, then what each group says."""
    return np.stack([*own, *(shared_evidence(groups, beliefs) for groups in shared)], axis=1)


def _log_odds(one: Doubles, other: Doubles) -> Doubles:
    return np.log(one) - np.log(other)
