"""The signals of names relative to the page and to each other."""

from collections.abc import Hashable, Iterator
from typing import Final

from broadsheet.reading.facts._candidates import Mention
from broadsheet.reading.facts._east_asian_names import title_before
from broadsheet.reading.facts._name_signals import SHORT, is_person
from broadsheet.reading.facts._person_names import fold
from broadsheet.reading.facts._scene import NEAR, Scene
from broadsheet.reading.lines.line_kinds import BYLINE

#: A name that occurs more often than this is not only that of the author.
_OFTEN = 3
#: The places that are far from the title and from the end of the text.
_AWAY = frozenset(("elsewhere", "inside"))
#: Bylines with more lines between them are those of different articles.
_APART = 3
#: Names are looked for in so many bytes: a page may state thousands of them, and each is looked for in all its text.
SEARCHED: Final = 300_000_000
NameMention = Mention[str]


def relations_of(scene: Scene, names: list[NameMention]) -> dict[Hashable, list[str]]:
    """Return the signals of each name relative to the page and to the other names."""
    relations = _rivals(scene, names)
    title = fold(_title_text(scene))
    page_text = scene.document.columns.text
    most = SEARCHED // max(1, len(page_text))
    by_line = scene.line_signals(BYLINE, [(mention.key, mention.pieces[0]) for mention in names if mention.pieces])
    for number, (key, name) in enumerate({mention.key: mention.value for mention in names}.items()):
        signals = relations.setdefault(key, [])
        signals.extend(by_line.get(key, ()))
        if number < most:
            signals.extend(_in_text(name, page_text))
        if len(name) >= SHORT and str(key) in title:
            signals.append("in the title")
    return relations


def _in_text(name: str, page_text: bytes) -> Iterator[str]:
    """Yield the signals of how often a name is shown on a page, and after which title."""
    times = page_text.count(name.encode())
    if times and not name.isascii() and (role := title_before(page_text, name.encode())):
        yield role
    if times == 0:
        yield "not shown"
    elif times > _OFTEN:
        yield "shown often"
    elif times > 1:
        yield "shown twice"


def _title_text(scene: Scene) -> str:
    titles = [value.value for value in scene.document.metadata.titles[:3]]
    if scene.title is not None:
        titles += scene.texts(*scene.line_pieces(scene.line_of(scene.title)))
    return " ".join(titles)


class _Positions:
    """Which names are only stated, and where the others are shown."""

    def __init__(self, scene: Scene, names: list[NameMention]) -> None:
        self.stated: set[Hashable] = set()
        #: Shown near the title or after the text; and near the title by more than a line: at all, below it, above it.
        self.here: set[Hashable] = set()
        self.near: set[Hashable] = set()
        self.below: set[Hashable] = set()
        self.above: set[Hashable] = set()
        #: In a line without any mark.
        self.unmarked: set[Hashable] = set()
        first: dict[Hashable, int] = {}
        for key, _, source, signals, pieces in names:
            if pieces is None:
                self.stated.add(key)
                continue
            place = source.rpartition(" ")[2]
            if place not in _AWAY:
                self.here.add(key)
            if "line" in signals:
                self.unmarked.add(key)
            elif place in NEAR:
                self.near.add(key)
                (self.above if place == "above" else self.below).add(key)
                if place != "above":
                    first[key] = min(pieces[0], first.get(key, pieces[0]))
        #: The line of the first byline of each name below the title, if there are several.
        self.lines = {key: scene.line_of(piece) for key, piece in first.items()} if len(first) > 1 else {}


def _rivals(scene: Scene, names: list[NameMention]) -> dict[Hashable, list[str]]:
    """Return the signals of names that stand elsewhere than others do.

    Some are only stated while others are shown near the title, or vice versa; some only above the title, as in teasers,
    while others are in bylines below it; some only below another byline; and some only far from it.
    """
    at = _Positions(scene, names)
    people = any(mention.pieces is None and is_person(mention.signals) for mention in names)
    another = "another stated" if people else "an organisation stated"
    last = min(at.lines.values(), default=0) + _APART
    relations: dict[Hashable, list[str]] = {}
    for key in dict.fromkeys(mention.key for mention in names):
        holds = (
            (another, bool(at.stated) and key not in at.stated),
            # Below press releases, a name without any mark is mostly that of whom to ask.
            ("line, an organisation stated", not people and bool(at.stated) and key in at.unmarked - at.stated),
            ("another near", bool(at.near) and key in at.stated and key not in at.near),
            ("another below", bool(at.below) and key in at.above and key not in at.below),
            ("after another byline", at.lines.get(key, last) > last),
            ("only elsewhere", key not in at.here and key not in at.stated),
        )
        relations[key] = [signal for signal, is_true in holds if is_true]
    return relations
