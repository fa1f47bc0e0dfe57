"""Who wrote an article: the names that metadata and bylines give, weighed one by one."""

import re
from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from broadsheet.base.domains import registrable_domain
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.reading.facts import marks
from broadsheet.reading.facts.candidates import Candidate, Saying, pool
from broadsheet.reading.facts.person_names import LONGEST_LEAD, fold, has_lead, is_organisation, may_lead, names_in
from broadsheet.reading.facts.scene import NEAR, Scene
from broadsheet.reading.facts.signal_weights import AUTHOR, AUTHOR_BIAS
from broadsheet.reading.facts.sites import site_names

#: So many elements that are marked as an author's are looked at, and none with more bytes of text.
MAX_MARKED, MAX_BYTES = 40, 300
#: A byline without a mark has at most so many characters, and stands at most so many lines from the title.
SHORTEST_LINE, MAX_LINE, MAX_ABOVE, MAX_BELOW = 3, 120, 4, 14
#: A name with at least this score is an author's; the best one with less, but this much, where there is no other.
SURE, LIKELY = 0.0, -2.5
#: The name of an organisation comes before a likely person's where its score is higher by more than this.
AHEAD = 2.0
#: So many bytes of a line tell whether it may be a byline, unless they are all white space.
_BEGINNING = 40
#: From so many names on a text lists more than authors.
_MANY = 4

_SAID = frozenset(("stated", "marked", "byline"))
_PERSON = re.compile(
    rb"/(?:authors?|autor(?:es|en)?|auteurs?|by|profiles?|profil|people|staff|contributors?|reporters?|journalists?"
    rb"|writers?|redaktion|team|columnists?|correspondents|bio)/"
)
#: Apart from the other, for an expression that begins with one character is searched for by that.
_QUERY, _PERSON_IN_QUERY = b"author=", re.compile(rb"[?&]author=")

NameSaying = Saying[str]


class Authors(NamedTuple):
    """The authors of an article: whether they are organisations, what names them, and which pieces show them."""

    names: tuple[str, ...]
    are_organisations: bool
    evidence: str
    pieces: tuple[tuple[int, int], ...]


def find_authors(scene: Scene) -> Authors | None:
    """Return the people whom most signals speak for; an organisation only where nobody is named."""
    chosen = choose(find_names(scene))
    if not chosen:
        return None
    first = chosen[0].sayings[0]
    return Authors(
        tuple(candidate.sayings[0].value for candidate in chosen),
        _is_organisation(chosen[0]),
        first.source,
        tuple(saying.pieces for candidate in chosen for saying in candidate.sayings if saying.pieces),
    )


def find_names(scene: Scene) -> list[Candidate[str]]:
    """Return all names that may be an author's, the likeliest first."""
    found = list(sayings(scene))
    return pool(found, AUTHOR, _relations(found))


def choose(candidates: list[Candidate[str]]) -> list[Candidate[str]]:
    """Choose among candidates, the best of which come first: the sure people, else the likeliest of all.

    An organisation is believed only where it is stated or named in a byline, not where a link leads to it.
    """
    people = [candidate for candidate in candidates if not _is_organisation(candidate)]
    others = [candidate for candidate in candidates if _is_organisation(candidate) and candidate.signals & _SAID]
    sure = [candidate for candidate in people if candidate.score + AUTHOR_BIAS >= SURE]
    if sure:
        return _with_companions(sure, people)
    best, other = people[:1], others[:1]
    if best and other and other[0].score > best[0].score + AHEAD:
        best = []
    likely = [candidate for candidate in best or other if candidate.score + AUTHOR_BIAS >= LIKELY]
    return _with_companions(likely, people)


def _with_companions(chosen: list[Candidate[str]], people: list[Candidate[str]]) -> list[Candidate[str]]:
    """Add those whom a line that begins as a byline names behind somebody chosen, unless it names many."""
    lines = {
        saying.pieces
        for candidate in chosen
        for saying in candidate.sayings
        if "byline" in saying.signals and not {"later", "of many"} & set(saying.signals)
    }
    companions = (
        candidate
        for candidate in people
        if candidate not in chosen
        and "one word" not in candidate.signals
        and any("byline" in saying.signals and saying.pieces in lines for saying in candidate.sayings)
    )
    return [*chosen, *companions]


def sayings(scene: Scene) -> Iterator[NameSaying]:
    """Give the names on a page that may be an author's, in the order in which its places are to be believed.

    What is shown is looked at only where no article in JSON-LD names a person.
    """
    sites = frozenset(filter(None, map(fold, site_names(scene.document))))
    stated = list(_of_places(_stated(scene), sites))
    yield from stated
    if not any("json-ld article" in saying.signals and _is_person(saying.signals) for saying in stated):
        yield from _of_places(chain(_marked(scene), _linked(scene), _bylines(scene)), sites)


def _of_places(places: Iterable["Place"], sites: frozenset[str]) -> Iterator[NameSaying]:
    for text, source, signals, pieces in places:
        names = (text,) if "stated organisation" in signals else names_in(text)
        for name in names:
            of_name = _of_name(name, sites)
            shown = ("later",) if pieces and name != names[0] else ()
            many = ("of many",) if pieces and len(names) >= _MANY else ()
            yield Saying(fold(name), name, source, (*signals, *of_name, *shown, *many), pieces)


def _is_person(signals: Iterable[str]) -> bool:
    return {"organisation", "stated organisation", "one word"}.isdisjoint(signals)


Place = tuple[str, str, tuple[str, ...], tuple[int, int] | None]


def _is_organisation(candidate: Candidate[str]) -> bool:
    return not candidate.signals.isdisjoint(("organisation", "stated organisation"))


def _of_name(name: str, sites: frozenset[str]) -> Iterator[str]:
    number = len(name.split())
    if number < 3:
        yield "one word" if number == 1 else "two words"
    if is_organisation(name, sites):
        yield "organisation"


def _relations(found: list[NameSaying]) -> dict[Hashable, list[str]]:
    """Tell which names are only stated while others are shown near the title, and which only shown while others are."""
    stated = {saying.key for saying in found if saying.pieces is None}
    near = {saying.key for saying in found if saying.pieces and saying.source.rpartition(" ")[2] in NEAR}
    relations: dict[Hashable, list[str]] = {}
    if near:
        relations |= {key: ["another near"] for key in stated - near}
    if stated:
        relations |= {saying.key: ["another stated"] for saying in found if saying.key not in stated}
    return relations


def _stated(scene: Scene) -> Iterator[Place]:
    for value in scene.document.metadata.authors:
        text = value.value
        if value.source.endswith("citation_author") and text.count(",") == 1:
            text = " ".join(part.strip() for part in reversed(text.split(",")))
        markup, _, name = value.source.partition(" ")
        path, _, kind = name.partition("/")
        if markup == "json-ld":
            markup = "json-ld article" if path.rpartition(".")[0] in ARTICLES else "json-ld other"
        elif value.source == "meta author":
            markup = value.source
        yield text, value.source, ("stated", markup, *(("stated organisation",) if kind else ())), None


def _marked(scene: Scene) -> Iterator[Place]:
    """Give the texts of small elements that are named for an author."""
    nodes = scene.document.nodes
    rows = marks.marked_rows(scene.document, scene.names, marks.AUTHOR)
    first, end = nodes.piece_start[rows], nodes.piece_end[rows]
    fits = (first < end) & (nodes.text_end[rows] - nodes.text_start[rows] <= MAX_BYTES)
    is_first = True
    for number in fits.nonzero()[0][:MAX_MARKED].tolist() if rows else ():
        pieces = int(first[number]), int(end[number])
        place = scene.place(scene.line_of(pieces[0]))
        if not scene.in_comments(pieces[0], place):
            signals = ("marked", f"marked {place}", *(("first marked",) if is_first else ()))
            is_first = False
            yield _joined(scene, pieces), f"marked {place}", signals, pieces


def _linked(scene: Scene) -> Iterator[Place]:
    """Give the texts of links near the title and behind the text that lead to a person's page on the same site."""
    document, nodes, hrefs = scene.document, scene.document.nodes, scene.document.hrefs
    text = document.columns.href_text
    own = registrable_domain(document.url).encode() if document.url else b""
    for row in _people(scene):
        href = text[hrefs.start[row] : hrefs.end[row]]
        if own and own not in href and b"//" in href[:8]:
            continue
        node = int(hrefs.node[row])
        pieces = int(nodes.piece_start[node]), int(nodes.piece_end[node])
        is_short = nodes.text_end[node] - nodes.text_start[node] <= MAX_BYTES
        place = scene.place(scene.line_of(pieces[0]))
        if pieces[0] < pieces[1] and is_short and not scene.in_comments(pieces[0], place):
            yield _joined(scene, pieces), f"profile {place}", (f"profile {place}",), pieces


def _people(scene: Scene) -> list[int]:
    """Return the links near the title and behind the text whose addresses are those of people's pages."""
    hrefs, text = scene.document.hrefs, scene.document.columns.href_text
    found: dict[int, None] = {}
    for first, end in scene.links_near:
        if first < end:
            begin, stop = int(hrefs.start[first]), int(hrefs.end[end - 1])
            places = [match.start() for match in _PERSON.finditer(text, begin, stop)]
            if text.find(_QUERY, begin, stop) >= 0:
                places += (match.start() for match in _PERSON_IN_QUERY.finditer(text, begin, stop))
            if places:
                found |= dict.fromkeys((hrefs.start.searchsorted(sorted(places), "right") - 1).tolist())
    return list(found)


def _bylines(scene: Scene) -> Iterator[Place]:
    """Give the lines near the title that begin as bylines do."""
    begin, end = max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + MAX_BELOW + 1)
    written = scene.document.columns.text
    starts = scene.document.pieces.start.take(scene.edges[begin:end]).tolist()
    for line, (start, characters) in enumerate(zip(starts, scene.characters[begin:end].tolist(), strict=True), begin):
        # Most lines do not begin as a byline, and need not be read to their end.
        if SHORTEST_LINE <= characters <= MAX_LINE and may_lead(_beginning(written, start)):
            pieces = scene.line_pieces(line)
            text = _joined(scene, pieces)
            if has_lead(text):
                yield text, f"byline {scene.place(line)}", ("byline",), pieces


def _beginning(written: bytes, start: int) -> str:
    beginning = written[start : start + _BEGINNING].decode(errors="ignore").lstrip()
    if 0 < len(beginning) < LONGEST_LEAD:
        beginning = written[start : start + 2 * _BEGINNING].decode(errors="ignore").lstrip()
    return beginning


def _joined(scene: Scene, pieces: tuple[int, int]) -> str:
    """Return the text of some pieces with a mark between them: what a page sets apart is not one name."""
    return " | ".join(scene.texts(*pieces))
