"""How pages are divided: within one domain, merging all domains, and across domains that were never seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from broadsheet.document.columns import Ints
from broadsheet.experiments._page_journal import PageJournal
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.memory_study._memory_pages import CLASS_COUNT, TaggedPages
from broadsheet.learning.memory_based import Algorithm, GroupHoldout, Weighting

DomainProtocol = Literal["single", "merged", "across"]
PROTOCOLS: tuple[DomainProtocol, ...] = get_args(DomainProtocol)


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """The settings of the learner; TiMBL's defaults unless given."""

    weighting: Weighting = "gain_ratio"
    k: int = 1
    algorithm: Algorithm = "ib1"

    def __str__(self) -> str:
        """Return the settings as one word."""
        return f"{self.algorithm}-{self.k}-{self.weighting}"


DEFAULT = MemorySettings()


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """The true and the predicted double tags of every element of some pages."""

    pages: TaggedPages
    truth: Ints
    found: Ints

    def of_domain(self, domain: str) -> tuple[Ints, Ints]:
        """Return the true and the predicted tags of one domain."""
        here = self.pages.domain_of == self.pages.domains.index(domain)
        return self.truth[here], self.found[here]


def predict(
    context: Context, journal: PageJournal, pages: TaggedPages, protocol: DomainProtocol, settings: MemorySettings
) -> Predictions:
    """Predict all elements of all pages from other pages; what the journal knows is not computed again."""
    found = pages.tags.copy()
    prefix = f"{pages.digest()}/{protocol}/{settings}"
    for members, groups in _divisions(pages, protocol):
        keys = {group: f"{prefix}/{members[0]}/{group}" for group in range(int(groups.max()) + 1)}
        missing = [group for group, key in keys.items() if key not in journal.known]
        results = _classified(pages, settings, members, groups, missing)
        for group, wrong in zip(context.track(missing), results, strict=True):
            journal.append(keys[group], {"wrong": wrong})
        for key in keys.values():
            wrong_tags = np.array(journal.known[key]["wrong"], np.int64).reshape(-1, 2)
            found[wrong_tags[:, 0]] = wrong_tags[:, 1]
    return Predictions(pages, pages.tags, found)


def _divisions(pages: TaggedPages, protocol: DomainProtocol) -> Iterator[tuple[Ints, Ints]]:
    """Yield elements that are cross-validated together, and the group of each."""
    if protocol == "single":
        for number in range(len(pages.domains)):
            members = np.flatnonzero(pages.domain_of == number).astype(np.int32)
            yield members, np.unique(pages.page_of[members], return_inverse=True)[1].astype(np.int32)
    else:
        everything = np.arange(len(pages.tags), dtype=np.int32)
        yield everything, pages.page_of if protocol == "merged" else pages.domain_of


def _classified(
    pages: TaggedPages, settings: MemorySettings, members: Ints, groups: Ints, wanted: Sequence[int]
) -> Iterator[list[list[int]]]:
    """Yield the wrong elements of each wanted group, with the tags that they got."""
    if not wanted:
        return
    tags = pages.tags[members]
    holdout = GroupHoldout(pages.features[members], tags, groups, class_count=CLASS_COUNT)
    for fold, codes in holdout.classified(settings.weighting, settings.k, settings.algorithm, wanted):
        wrong = np.flatnonzero(codes != tags[fold.members])
        yield np.stack([members[fold.members[wrong]], codes[wrong]], axis=1).tolist()
