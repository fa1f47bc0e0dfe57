"""The authors of an article: names in metadata and bylines, weighed by their signals."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.reading.facts import _author_places
from broadsheet.reading.facts._author_places import BESIDE, Place
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._name_letters import LIKENESS, shipped_likeness
from broadsheet.reading.facts._person_names import (
    fold,
    has_lead,
    is_organisation,
    names_in,
    split_chinese,
)
from broadsheet.reading.facts._scene import NEAR, Scene
from broadsheet.reading.facts._signal_weights import FactWeights, shipped_weights
from broadsheet.reading.facts._sites import site_names
from broadsheet.reading.paragraphs import without_tags

#: An organisation is preferred to a merely likely person if its score is higher by more than this.
AHEAD = 3.0
#: A text with this many names lists more than authors.
_MANY = 4
#: Names with fewer characters are abbreviations; names in Chinese, Japanese and Korean have at most this many.
_SHORT, _FEW_CHARACTERS = 4, 4
#: A name that occurs more often than this is not only that of the author.
_OFTEN = 3

#: Further names in a byline that look like this are the words around it.
_UNLIKE = tuple(f"{LIKENESS}{number}" for number in range(3))
_EXPLICIT = frozenset(("stated", "marked", "byline"))
NameMention = Mention[str]


class Authors(NamedTuple):
    """The authors of an article, whether they are organisations, the evidence, and the pieces that show them."""

    names: tuple[str, ...]
    are_organisations: bool
    evidence: str
    pieces: tuple[tuple[int, int], ...]


def find_authors(scene: Scene) -> Authors | None:
    """Return the most likely authors; an organisation only if no person is named."""
    chosen = choose(find_names(scene), shipped_weights())
    if not chosen:
        return None
    first = chosen[0].mentions[0]
    return Authors(
        tuple(candidate.mentions[0].value for candidate in chosen),
        _is_organisation(chosen[0]),
        first.source,
        tuple(mention.pieces for candidate in chosen for mention in candidate.mentions if mention.pieces),
    )


def find_names(scene: Scene) -> list[Candidate[str]]:
    """Return all names that may be an author's, likeliest first."""
    names = list(mentions(scene))
    return pool(names, shipped_weights().author, _relations(scene, names))


def choose(candidates: list[Candidate[str]], weights: FactWeights) -> list[Candidate[str]]:
    """Choose among candidates, given best first: all sure people, or else the likeliest candidate.

    An organisation that is neither stated nor named in a byline has to be as likely as a person.
    """
    people = [candidate for candidate in candidates if not _is_organisation(candidate)]
    others = [
        candidate
        for candidate in candidates
        if _is_organisation(candidate)
        and (candidate.signals & _EXPLICIT or candidate.score + weights.author_bias >= weights.author_likely)
    ]
    sure = [candidate for candidate in people if candidate.score + weights.author_bias >= weights.author_sure]
    if sure:
        return _with_companions(_without_parts(sure), people)
    best, other = people[:1], others[:1]
    if best and other and other[0].score > best[0].score + AHEAD:
        best = []
    in_line = best and all("line" in mention.signals for mention in best[0].mentions)
    bar = weights.author_line if in_line else weights.author_likely if best else weights.author_organisation
    likely = [candidate for candidate in best or other if candidate.score + weights.author_bias >= bar]
    if best and other and not likely:
        likely = [
            candidate for candidate in other if candidate.score + weights.author_bias >= weights.author_organisation
        ]
    return _with_companions(likely, people)


def _without_parts(chosen: list[Candidate[str]]) -> list[Candidate[str]]:
    """Leave out what is only a part of another name that was chosen: "Nora" beside "Nora Pell"."""
    words = [frozenset(candidate.mentions[0].value.casefold().split()) for candidate in chosen]
    return [candidate for candidate, own in zip(chosen, words, strict=True) if not any(own < other for other in words)]


def _with_companions(chosen: list[Candidate[str]], people: list[Candidate[str]]) -> list[Candidate[str]]:
    """Add the other people in the byline of a chosen author, unless it names many, and those next to an author."""
    lines = {
        mention.pieces
        for candidate in chosen
        for mention in candidate.mentions
        if "byline" in mention.signals and not {"later", "of many"} & set(mention.signals)
    }
    rows = {mention.source for candidate in chosen for mention in candidate.mentions if BESIDE in mention.signals}
    # If an author was chosen although the metadata name another, the same does not count against the coauthors.
    is_stated = any("another stated" not in candidate.signals for candidate in chosen)
    barred = ("one word", *_UNLIKE, "another stated") if is_stated else ("one word", *_UNLIKE)
    companions = (
        candidate
        for candidate in people
        if candidate not in chosen
        and candidate.signals.isdisjoint(barred)
        and any(
            ("byline" in mention.signals and mention.pieces in lines)
            or (BESIDE in mention.signals and mention.source in rows and _is_near(mention))
            for mention in candidate.mentions
        )
    )
    return [*chosen, *companions]


def mentions(scene: Scene) -> Iterator[NameMention]:
    """Yield the names on a page that may be an author's, most reliable sources first.

    Visible text is searched only if no article in JSON-LD names a person, and lines without any mark only if the others
    name none near the title.
    """
    sites = frozenset(filter(None, map(fold, site_names(scene.document))))
    stated = list(_mentions_in(scene, _author_places.stated(scene), sites))
    yield from stated
    bylines = list(_mentions_in(scene, _author_places.bylines(scene), sites))
    yield from bylines
    if not any("json-ld article" in mention.signals and _is_person(mention.signals) for mention in stated):
        places = (_author_places.marked(scene), _author_places.linked(scene))
        neighbours = (_author_places.with_neighbours(scene, found) for found in places)
        shown = list(_mentions_in(scene, chain.from_iterable(neighbours), sites))
        yield from shown
        if not any(_is_near(mention) and _is_person(mention.signals) for mention in chain(bylines, shown)):
            yield from _mentions_in(scene, _author_places.signatures(scene), sites)


def stated_people(document: Document) -> frozenset[str]:
    """Return the names of people that are stated as authors in JSON-LD."""
    sites = frozenset(filter(None, map(fold, site_names(document))))
    values = (
        value for value in document.metadata.authors if value.source.startswith("json-ld ") and "/" not in value.source
    )
    names = (name for value in values for name in names_in(without_tags(value.value)))
    return frozenset(name for name in names if not is_organisation(name, sites))


def _mentions_in(scene: Scene, places: Iterable[Place], sites: frozenset[str]) -> Iterator[NameMention]:
    for text, source, signals, pieces in places:
        names = (text,) if "stated organisation" in signals else names_in(text)
        if scene.language == "zh":
            names = tuple(chain.from_iterable(map(split_chinese, names)))
        for name in names:
            if pieces and name[0].islower() and "marked" not in signals:
                # Names in lower case are found by the names of elements, or they are the words of a sentence.
                continue
            name_signals = _name_signals(name, sites)
            shown = _place_in_text(text, name, names) if pieces else ()
            many = ("of many",) if len(names) >= _MANY else ()
            yield Mention(fold(name), name, source, (*signals, *name_signals, *shown, *many), pieces)


def _place_in_text(text: str, name: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the signals of a name in a visible text: alone, after a word such as "by", or after others."""
    if name != names[0]:
        yield "later"
    elif has_lead(text):
        yield "after a lead"
    elif len(names) == 1 and fold(text) == fold(name):
        yield "alone"


def _is_near(mention: NameMention) -> bool:
    return mention.source.rpartition(" ")[2] in NEAR


def _is_person(signals: Iterable[str]) -> bool:
    return {"organisation", "stated organisation", "one word"}.isdisjoint(signals)


def _is_organisation(candidate: Candidate[str]) -> bool:
    return not candidate.signals.isdisjoint(("organisation", "stated organisation"))


def _name_signals(name: str, sites: frozenset[str]) -> Iterator[str]:
    words = name.split()
    number = len(words)
    if number < 3:
        yield "one word" if number == 1 else "two words"
    if number == 1 and (script := _unspaced_script(name)):
        yield script
    if len(name) < _SHORT:
        yield "short"
    yield shipped_likeness(name)
    if any(map(str.isdigit, name)):
        yield "digits"
    if number > 1 and name.isupper():
        yield "capitals"
    if is_organisation(name, sites):
        yield "organisation"
    if name[0].islower():
        yield "lower case"
    elif number == 1 and name[0].isupper():
        # Scripts without upper case write whole names without a space.
        yield "one capitalised word"


def _unspaced_script(word: str) -> str | None:
    """Return the signal of a word in a script that writes whole names without a space, by its length."""
    if not "\u3040" <= word[0] <= "\ud7af":
        return None
    return "a few characters" if len(word) <= _FEW_CHARACTERS else "many characters"


def _relations(scene: Scene, names: list[NameMention]) -> dict[Hashable, list[str]]:
    """Return the signals of each name relative to the page and to the other names."""
    relations = _rivals(names)
    title = fold(_title_text(scene))
    page_text = scene.document.columns.text
    for key, name in {mention.key: mention.value for mention in names}.items():
        signals = relations.setdefault(key, [])
        times = page_text.count(name.encode())
        if times == 0:
            signals.append("not shown")
        elif times > _OFTEN:
            signals.append("shown often")
        elif times > 1:
            signals.append("shown twice")
        if len(name) >= _SHORT and str(key) in title:
            signals.append("in the title")
    return relations


def _title_text(scene: Scene) -> str:
    titles = [value.value for value in scene.document.metadata.titles[:3]]
    if scene.title is not None:
        titles += scene.texts(*scene.line_pieces(scene.line_of(scene.title)))
    return " ".join(titles)


def _rivals(names: list[NameMention]) -> dict[Hashable, list[str]]:
    """Return the names that are only stated while others are shown near the title, and vice versa."""
    stated = {mention.key for mention in names if mention.pieces is None}
    near = {mention.key for mention in names if mention.pieces and _is_near(mention) and "line" not in mention.signals}
    relations: dict[Hashable, list[str]] = {}
    if near:
        relations |= {key: ["another near"] for key in stated - near}
    if stated:
        people = any(mention.pieces is None and _is_person(mention.signals) for mention in names)
        another = "another stated" if people else "an organisation stated"
        relations |= {mention.key: [another] for mention in names if mention.key not in stated}
    return relations
