"""The signals of names relative to the page and to each other."""

from collections.abc import Hashable

from broadsheet.reading.facts._candidates import Mention
from broadsheet.reading.facts._east_asian_names import title_before
from broadsheet.reading.facts._name_signals import SHORT, is_person
from broadsheet.reading.facts._person_names import fold
from broadsheet.reading.facts._scene import Scene, is_near

#: A name that occurs more often than this is not only that of the author.
_OFTEN = 3
#: How the sources of names below the title end, and of those far from it.
_BELOW, _AWAY = (" below", " opening"), (" elsewhere", " inside")
#: Bylines with more lines between them are those of different articles.
_APART = 3
NameMention = Mention[str]


def relations_of(scene: Scene, names: list[NameMention]) -> dict[Hashable, list[str]]:
    """Return the signals of each name relative to the page and to the other names."""
    relations = _rivals(scene, names)
    title = fold(_title_text(scene))
    page_text = scene.document.columns.text
    for key, name in {mention.key: mention.value for mention in names}.items():
        signals = relations.setdefault(key, [])
        times = page_text.count(name.encode())
        if times and not name.isascii() and (role := title_before(page_text, name.encode())):
            signals.append(role)
        if times == 0:
            signals.append("not shown")
        elif times > _OFTEN:
            signals.append("shown often")
        elif times > 1:
            signals.append("shown twice")
        if len(name) >= SHORT and str(key) in title:
            signals.append("in the title")
    return relations


def _title_text(scene: Scene) -> str:
    titles = [value.value for value in scene.document.metadata.titles[:3]]
    if scene.title is not None:
        titles += scene.texts(*scene.line_pieces(scene.line_of(scene.title)))
    return " ".join(titles)


def _rivals(scene: Scene, names: list[NameMention]) -> dict[Hashable, list[str]]:
    """Return the signals of names that stand elsewhere than others do.

    Some are only stated while others are shown near the title, or vice versa; some only above the title, as in teasers,
    while others are in bylines below it; some only below another byline; and some only far from it.
    """
    keys = dict.fromkeys(mention.key for mention in names)
    stated = {mention.key for mention in names if mention.pieces is None}
    shown = [mention for mention in names if mention.pieces]
    marked = [mention for mention in shown if "line" not in mention.signals]
    near = {mention.key for mention in marked if is_near(mention.source)}
    below = {mention.key for mention in marked if mention.source.endswith(_BELOW)}
    here = stated.union(mention.key for mention in shown if not mention.source.endswith(_AWAY))
    people = any(mention.pieces is None and is_person(mention.signals) for mention in names)
    another = "another stated" if people else "an organisation stated"
    lines = {key: scene.line_of(min(m.pieces for m in marked if m.key == key and m.pieces)[0]) for key in below}
    first = min(lines.values(), default=0)
    above = {mention.key for mention in marked if mention.source.endswith(" above")} - below
    relations: dict[Hashable, list[str]] = {}
    for key in keys:
        signals = relations[key] = []
        if stated and key not in stated:
            signals.append(another)
        if near and key in stated and key not in near:
            signals.append("another near")
        if below and key in above:
            signals.append("another below")
        if lines.get(key, first) > first + _APART:
            signals.append("after another byline")
        if key not in here:
            signals.append("only elsewhere")
    return relations
