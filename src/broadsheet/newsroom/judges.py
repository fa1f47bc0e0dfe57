"""The judges of a source's pages, of which the configuration names one (`newsroom.judge`)."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import entry_points
from types import MappingProxyType

from broadsheet.archive import ArchiveError, SourceRecord, VerdictRecord
from broadsheet.base import reasons
from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import ConfigError
from broadsheet.newsroom.judging import LINKS
from broadsheet.newsroom.target_judges import JudgeClass, JudgeTools, Target, TargetJudge, judge_targets
from broadsheet.sources.source_judge import LinkVerdict, SourceJudge
from broadsheet.sources.source_links import SourceLinks

#: The group of entry points in which other packages register judges.
ENTRY_POINTS = "broadsheet.judges"

_log = logging.getLogger(__name__)

#: How the reason begins that the links of a source give.
_BY_LINKS = "linked in "


class LinkJudge:
    """Judges by how links behave, by addresses, contents and feeds, and by the other pages of the site."""

    def __init__(self, tools: JudgeTools) -> None:
        """Take what knows the links."""
        self._desk = tools.desk
        self._links = tools.links

    def __call__(self, source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
        """Judge the targets together with all others that are known; those that no visit has links to, plainly."""
        judged = judge_targets(source, targets)
        try:
            links = self._links.of(source.key)
        except ArchiveError as error:
            _log.warning("%s is judged without how its links behaved: %s", source.url, error)
            self._desk.miss(source.key, reasons.LINKS_UNREADABLE, url=source.url, detail=str(error))
            return judged
        found = _weigh(
            source, links, {target.page.key: plain.evidence for target, plain in zip(targets, judged, strict=True)}
        )
        return [
            _judged(target, plain, found[target.page.key]) if target.page.key in found else plain
            for target, plain in zip(targets, judged, strict=True)
        ]


def _weigh(
    source: SourceRecord, links: SourceLinks, known: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> dict[str, LinkVerdict]:
    domain = registrable_domain(source.url)
    own = [key for key, url in links.urls.items() if registrable_domain(url) == domain]
    found = SourceJudge(lambda _: links).weigh(source.key, own, known)
    return {key: verdict for key, verdict in zip(own, found, strict=True) if verdict is not None}


def _judged(target: Target, plain: VerdictRecord, found: LinkVerdict) -> VerdictRecord:
    """Return the verdict by all evidence; what is known of the page by itself holds if the kind is the same."""
    before = target.page.judged.verdict if target.page.judged else plain.verdict
    sentence = "; ".join(found.verdict.reasons)
    own = [reason for reason in before.reasons if not reason.startswith(_BY_LINKS)]
    if before.kind == found.verdict.kind:
        verdict = replace(found.verdict, subtype=before.subtype, reasons=(*own, sentence))
    else:
        verdict = replace(found.verdict, reasons=(sentence, f"before, it was judged {before.kind}: {own[0]}"[:200]))
    return VerdictRecord(verdict=verdict, at=plain.at, evidence={**plain.evidence, LINKS: found.links})


def plain_judge(tools: JudgeTools) -> TargetJudge:
    """Return the judge that looks at addresses and contents alone, and at each page by itself."""
    del tools
    return judge_targets


BUILT_IN: Mapping[str, JudgeClass] = MappingProxyType({"links": LinkJudge, "plain": plain_judge})


def build_judge(name: str, tools: JudgeTools) -> TargetJudge:
    """Build the judge of a name; an unknown name is an error that lists the known ones."""
    # Only what is named is loaded: an entry point may be code of anybody.
    installed = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    if name not in installed and name not in BUILT_IN:
        known = ", ".join(dict.fromkeys((*BUILT_IN, *installed)))
        raise ConfigError(f"newsroom.judge: no judge is called {name!r}; the installed ones are {known}")
    found: JudgeClass = installed[name].load() if name in installed else BUILT_IN[name]
    return found(tools)
