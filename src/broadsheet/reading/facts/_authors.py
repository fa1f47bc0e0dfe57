"""The authors of an article: names in metadata and bylines, weighed by their signals."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.reading.facts import _author_lines, _author_places
from broadsheet.reading.facts._author_places import BESIDE, Place, leads_to_topic
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._east_asian_names import EDITOR, split_chinese
from broadsheet.reading.facts._name_letters import shipped_likeness
from broadsheet.reading.facts._name_relations import NameMention, relations_of
from broadsheet.reading.facts._name_signals import JAPANESE, UNLIKE, in_list, is_person, name_signals, place_in_text
from broadsheet.reading.facts._person_names import fold, is_organisation, names_in
from broadsheet.reading.facts._scene import Scene, is_near
from broadsheet.reading.facts._signal_weights import FactWeights, shipped_weights
from broadsheet.reading.facts._sites import site_names
from broadsheet.reading.paragraphs import without_tags

#: An organisation is preferred to a merely likely person if its score is higher by more than this.
AHEAD = 3.0
#: Signals that count only if they hold wherever a name is mentioned.
_IN_ALL = frozenset(("later", "of many", "beside long words"))
_EXPLICIT = frozenset(("stated", "marked", "byline"))


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
    return pool(names, shipped_weights().author, relations_of(scene, names), _IN_ALL)


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
        writers = [candidate for candidate in sure if EDITOR not in candidate.signals]
        return _with_companions(_without_parts(writers or sure), people)
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
    if len(chosen) < 2:
        return chosen
    words = [frozenset(candidate.mentions[0].value.casefold().split()) for candidate in chosen]
    # Names have few words, and a page may state thousands of names: their parts are fewer than their pairs.
    parts = {frozenset(part) for own in words for size in range(len(own)) for part in combinations(own, size)}
    return [candidate for candidate, own in zip(chosen, words, strict=True) if own not in parts]


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
    barred = frozenset((*UNLIKE, "another stated") if is_stated else UNLIKE)
    keys = {candidate.mentions[0].key for candidate in chosen}
    companions = (
        candidate
        for candidate in people
        if candidate.mentions[0].key not in keys
        and candidate.signals.isdisjoint(barred)
        and not _is_single_word(candidate.signals)
        and any(
            ("byline" in mention.signals and mention.pieces in lines)
            or (BESIDE in mention.signals and mention.source in rows and is_near(mention.source))
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
    bylines = list(_mentions_in(scene, _author_lines.bylines(scene), sites))
    yield from bylines
    if not any("json-ld article" in mention.signals and is_person(mention.signals) for mention in stated):
        places = (_author_places.marked(scene), _author_places.linked(scene))
        neighbours = (_author_places.with_neighbours(scene, found) for found in places)
        shown = list(_mentions_in(scene, chain.from_iterable(neighbours), sites))
        yield from shown
        if not any(is_near(mention.source) and is_person(mention.signals) for mention in chain(bylines, shown)):
            yield from _mentions_in(scene, _author_lines.signatures(scene), sites)


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
        if scene.language != JAPANESE:
            names = tuple(chain.from_iterable(map(split_chinese, names)))
        topic = ("leads to a topic",) if names and pieces and leads_to_topic(scene.document, pieces) else ()
        for name in names:
            if pieces and name[0].islower() and ("marked" not in signals or _is_phrase(name)):
                # Names in lower case are found by the names of elements, or they are the words of a sentence.
                continue
            own = name_signals(name, sites, scene.language, "line" not in signals)
            shown = (*place_in_text(text, name, names), *topic) if pieces else ()
            listed = in_list(name, names, pieces is None)
            yield Mention(fold(name), name, source, (*signals, *own, *shown, *listed), pieces)


def _is_phrase(name: str) -> bool:
    """Tell whether some words in lower case look unlike a name: "public domain"."""
    return " " in name and shipped_likeness(name) in UNLIKE


def _is_single_word(signals: frozenset[str]) -> bool:
    """Tell whether a name is but one word where names have two."""
    return "one word" in signals and "surname" not in signals


def _is_organisation(candidate: Candidate[str]) -> bool:
    return not candidate.signals.isdisjoint(("organisation", "stated organisation"))
