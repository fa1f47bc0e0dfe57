"""The judges of a source's pages, of which the configuration names one (`newsroom.judge`)."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from broadsheet.archive import ArchiveError, SourceRecord, VerdictRecord
from broadsheet.base import reasons
from broadsheet.base.domains import registrable_domain
from broadsheet.base.entry_points import registered
from broadsheet.base.errors import ConfigError
from broadsheet.newsroom.judging import LINKED, LINKS
from broadsheet.newsroom.target_judges import JudgeClass, JudgeTools, Target, TargetJudge, judge_targets
from broadsheet.sources.source_judge import LinkVerdict, SourceJudge
from broadsheet.sources.source_links import SourceLinks

#: The group of entry points in which other packages register judges.
ENTRY_POINTS = "broadsheet.judges"

_log = logging.getLogger(__name__)

_BEFORE = "before, it was judged "
#: The most characters that are kept of what was said before.
_MAX_REASON = 300


class LinkJudge:
    """Judges by how links behave, by addresses, contents and feeds, and by the other pages of the site."""

    def __init__(self, tools: JudgeTools) -> None:
        """Take what knows the links."""
        self._desk = tools.desk
        self._links = tools.links
        self._links.expect()

    def __call__(self, source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
        """Judge the targets together with all others that are known; those that no visit has links to, plainly."""
        try:
            links = self._links.of(source.key)
        except ArchiveError as error:
            _log.warning("%s is judged without how its links behaved: %s", source.url, error)
            self._desk.miss(source.key, reasons.LINKS_UNREADABLE, url=source.url, detail=str(error))
            return judge_targets(source, targets)
        found = _weigh(source, links, targets)
        plain = [target for target in targets if target.page.key not in found or target.page.judged is None]
        judged = dict(zip((target.page.key for target in plain), judge_targets(source, plain), strict=True))
        return [
            _judged(target.page.judged or judged[key], found[key]) if (key := target.page.key) in found else judged[key]
            for target in targets
        ]


def _weigh(source: SourceRecord, links: SourceLinks, targets: Sequence[Target]) -> dict[str, LinkVerdict]:
    """Return verdicts on targets by their keys, judged together with all pages of the site that are linked to."""
    domain = registrable_domain(source.url)
    own = {key for key, url in links.urls.items() if registrable_domain(url) == domain}
    asked = [target.page.key for target in targets if target.page.key in own]
    known = {target.page.key: target.page.judged.evidence for target in targets if target.page.judged}
    found = SourceJudge(lambda _: links).weigh(source.key, asked, known, sorted(own.difference(asked)))
    return {key: verdict for key, verdict in zip(asked, found, strict=True) if verdict is not None}


def _judged(before: VerdictRecord, found: LinkVerdict) -> VerdictRecord:
    """Return the verdict by all evidence; what is known of the page by itself holds if the kind is the same."""
    sentence = "; ".join(found.verdict.reasons)
    own = [reason for reason in before.verdict.reasons if not reason.startswith((LINKED, _BEFORE))]
    if before.verdict.kind == found.verdict.kind:
        verdict = replace(found.verdict, subtype=before.verdict.subtype, reasons=(*own, sentence))
    else:
        earlier = f"{_BEFORE}{before.verdict.kind} ({', '.join(own)})"
        verdict = replace(found.verdict, reasons=(sentence, earlier[:_MAX_REASON]))
    return VerdictRecord(verdict=verdict, at=before.at, evidence={**before.evidence, LINKS: found.links})


def plain_judge(tools: JudgeTools) -> TargetJudge:
    """Return the judge that looks at addresses and contents alone, and at each page by itself."""
    del tools
    return judge_targets


BUILT_IN: Mapping[str, JudgeClass] = MappingProxyType({"links": LinkJudge, "plain": plain_judge})


def build_judge(name: str, tools: JudgeTools) -> TargetJudge:
    """Build the judge of a name; an unknown name is an error that lists the known ones."""
    # Only what is named is loaded: an entry point may be code of anybody.
    installed = registered(ENTRY_POINTS)
    if name not in installed and name not in BUILT_IN:
        known = ", ".join(dict.fromkeys((*BUILT_IN, *installed)))
        raise ConfigError(f"newsroom.judge: no judge is called {name!r}; the installed ones are {known}")
    found: JudgeClass = installed[name].load() if name in installed else BUILT_IN[name]
    return found(tools)
