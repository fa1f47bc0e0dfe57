"""The authors of an article: names in metadata and bylines, weighed by their signals."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.reading.facts import _marks
from broadsheet.reading.facts._candidates import Candidate, Mention, pool
from broadsheet.reading.facts._name_letters import LIKENESS, shipped_likeness
from broadsheet.reading.facts._person_names import (
    LONGEST_LEAD,
    after_inner_lead,
    begins_like_byline,
    fold,
    has_lead,
    has_preposition,
    has_shape_of_name,
    is_organisation,
    is_signed,
    names_in,
)
from broadsheet.reading.facts._scene import NEAR, Scene
from broadsheet.reading.facts._signal_weights import FactWeights, shipped_weights
from broadsheet.reading.facts._sites import site_names
from broadsheet.reading.paragraphs import without_tags

#: The most elements named after an author that are considered, and the maximum size of their text in bytes.
MAX_MARKED, MAX_BYTES = 40, 300
#: The length of an unmarked byline in characters, and its maximum distance from the title in lines, above and below.
SHORTEST_LINE, MAX_LINE, MAX_ABOVE, MAX_BELOW = 3, 120, 4, 14
#: An organisation is preferred to a merely likely person if its score is higher by more than this.
AHEAD = 2.0
#: The number of bytes at the beginning of a line that show whether it may be a byline.
_BEGINNING = 40
#: The lines below the title and after the text that may be a name without any mark, and those right below the title.
_SIGNED_BELOW, _SIGNED_AFTER, _BESIDE = 8, 3, 3
#: A text with this many names lists more than authors.
_MANY = 4
#: Names with fewer characters are abbreviations; names in Chinese, Japanese and Korean have at most this many.
_SHORT, _FEW_CHARACTERS = 4, 4
#: A name that occurs more often than this is not only that of the author.
_OFTEN = 3

#: Further names in a byline that look like this are the words around it.
_UNLIKE = tuple(f"{LIKENESS}{number}" for number in range(3))
_EXPLICIT = frozenset(("stated", "marked", "byline"))
_PERSON = re.compile(
    rb"/(?:authors?|autor(?:es|en)?|auteurs?|by|profiles?|profil|people|staff|contributors?|reporters?|journalists?"
    rb"|writers?|redaktion|team|columnists?|correspondents|bio)/"
)
#: Separate from `_PERSON`, because expressions that begin with a fixed character are searched faster.
_QUERY, _PERSON_IN_QUERY = b"author=", re.compile(rb"[?&]author=")

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

    An organisation is accepted only if it is stated or named in a byline, not if it is merely linked.
    """
    people = [candidate for candidate in candidates if not _is_organisation(candidate)]
    others = [candidate for candidate in candidates if _is_organisation(candidate) and candidate.signals & _EXPLICIT]
    sure = [candidate for candidate in people if candidate.score + weights.author_bias >= weights.author_sure]
    if sure:
        return _with_companions(_without_parts(sure), people)
    best, other = people[:1], others[:1]
    if best and other and other[0].score > best[0].score + AHEAD:
        best = []
    bar = weights.author_likely if best else weights.author_organisation
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
    """Add the other people in the byline of a chosen author, unless it names many."""
    lines = {
        mention.pieces
        for candidate in chosen
        for mention in candidate.mentions
        if "byline" in mention.signals and not {"later", "of many"} & set(mention.signals)
    }
    # If an author was chosen although the metadata name another, the same does not count against the coauthors.
    is_stated = any("another stated" not in candidate.signals for candidate in chosen)
    barred = ("one word", *_UNLIKE, "another stated") if is_stated else ("one word", *_UNLIKE)
    companions = (
        candidate
        for candidate in people
        if candidate not in chosen
        and candidate.signals.isdisjoint(barred)
        and any("byline" in mention.signals and mention.pieces in lines for mention in candidate.mentions)
    )
    return [*chosen, *companions]


def mentions(scene: Scene) -> Iterator[NameMention]:
    """Yield the names on a page that may be an author's, most reliable sources first.

    Visible text is searched only if no article in JSON-LD names a person, and lines without any mark only if the others
    name none near the title.
    """
    sites = frozenset(filter(None, map(fold, site_names(scene.document))))
    stated = list(_mentions_in(_stated(scene), sites))
    yield from stated
    if not any("json-ld article" in mention.signals and _is_person(mention.signals) for mention in stated):
        shown = list(_mentions_in(chain(_marked(scene), _linked(scene), _bylines(scene)), sites))
        yield from shown
        if not any(_is_near(mention) and _is_person(mention.signals) for mention in shown):
            yield from _mentions_in(_signatures(scene), sites)


def stated_people(document: Document) -> frozenset[str]:
    """Return the names of people that are stated as authors in JSON-LD."""
    sites = frozenset(filter(None, map(fold, site_names(document))))
    values = (
        value for value in document.metadata.authors if value.source.startswith("json-ld ") and "/" not in value.source
    )
    names = (name for value in values for name in names_in(without_tags(value.value)))
    return frozenset(name for name in names if not is_organisation(name, sites))


def leads_to_person(document: Document, link: int) -> bool:
    """Tell whether the URL of a link looks like that of a person's page."""
    hrefs = document.hrefs
    href = document.columns.href_text[hrefs.start[link] : hrefs.end[link]]
    return _QUERY in href or _PERSON.search(href) is not None


def _mentions_in(places: Iterable["Place"], sites: frozenset[str]) -> Iterator[NameMention]:
    for text, source, signals, pieces in places:
        names = (text,) if "stated organisation" in signals else names_in(text)
        for name in names:
            if pieces and name[0].islower() and "marked" not in signals:
                # Names in lower case are found by the names of elements, or they are the words of a sentence.
                continue
            name_signals = _name_signals(name, sites)
            shown = _place_in_text(text, name, names) if pieces else ()
            yield Mention(fold(name), name, source, (*signals, *name_signals, *shown), pieces)


def _place_in_text(text: str, name: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the signals of a name in a visible text: alone, after a word such as "by", or after others."""
    if name != names[0]:
        yield "later"
    elif has_lead(text):
        yield "after a lead"
    elif len(names) == 1 and fold(text) == fold(name):
        yield "alone"
    if len(names) >= _MANY:
        yield "of many"


def _is_near(mention: NameMention) -> bool:
    return mention.source.rpartition(" ")[2] in NEAR


def _is_person(signals: Iterable[str]) -> bool:
    return {"organisation", "stated organisation", "one word"}.isdisjoint(signals)


Place = tuple[str, str, tuple[str, ...], tuple[int, int] | None]


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
        relations |= {mention.key: ["another stated"] for mention in names if mention.key not in stated}
    return relations


def _stated(scene: Scene) -> Iterator[Place]:
    for value in scene.document.metadata.authors:
        text = without_tags(value.value)
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
    """Yield the texts of small elements named after an author."""
    nodes = scene.document.nodes
    rows = _marks.marked_rows(scene.document, scene.names, _marks.AUTHOR)
    first, end = nodes.piece_start[rows], nodes.piece_end[rows]
    fits = (first < end) & (nodes.text_end[rows] - nodes.text_start[rows] <= MAX_BYTES)
    is_first = True
    for number in fits.nonzero()[0][:MAX_MARKED].tolist() if rows else ():
        pieces = int(first[number]), int(end[number])
        place = scene.place(scene.line_of(pieces[0]))
        if not scene.in_comments(pieces[0], place):
            signals = ("marked", f"marked {place}", *(("first marked",) if is_first and place != "elsewhere" else ()))
            is_first = is_first and place == "elsewhere"
            yield _join_pieces(scene, pieces), f"marked {place}", signals, pieces


def _linked(scene: Scene) -> Iterator[Place]:
    """Yield the texts of links near the title and after the text that lead to a person's page on the same site."""
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
            yield _join_pieces(scene, pieces), f"profile {place}", (f"profile {place}",), pieces


def _people(scene: Scene) -> list[int]:
    """Return the links near the title and after the text whose URLs look like people's pages."""
    hrefs, text = scene.document.hrefs, scene.document.columns.href_text
    rows: dict[int, None] = {}
    for first, end in scene.links_near:
        if first < end:
            begin, stop = int(hrefs.start[first]), int(hrefs.end[end - 1])
            offsets = [match.start() for match in _PERSON.finditer(text, begin, stop)]
            if text.find(_QUERY, begin, stop) >= 0:
                offsets += (match.start() for match in _PERSON_IN_QUERY.finditer(text, begin, stop))
            if offsets:
                rows |= dict.fromkeys((hrefs.start.searchsorted(sorted(offsets), "right") - 1).tolist())
    return list(rows)


def _bylines(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title that begin like a byline, or whose part after a date or a separator does."""
    begin, end = max(0, scene.start - MAX_ABOVE), min(len(scene.edges) - 1, scene.start + MAX_BELOW + 1)
    page_text = scene.document.columns.text
    starts = scene.document.pieces.start.take(scene.edges[begin:end]).tolist()
    counts = zip(starts, scene.characters[begin:end].tolist(), scene.digits[begin:end].tolist(), strict=True)
    for line, (start, characters, digits) in enumerate(counts, begin):
        # Most lines do not begin like a byline and need not be decoded completely.
        if not SHORTEST_LINE <= characters <= MAX_LINE:
            continue
        if not digits and not begins_like_byline(_beginning(page_text, start)):
            continue
        pieces = scene.line_pieces(line)
        text = _join_pieces(scene, pieces)
        if has_lead(text) or is_signed(text):
            signals = ("byline", "byline with a preposition") if has_preposition(text) else ("byline",)
            yield text, f"byline {scene.place(line)}", signals, pieces
        elif digits and (rest := after_inner_lead(text)):
            yield rest, f"byline {scene.place(line)}", ("byline", "byline after a date"), pieces


def _signatures(scene: Scene) -> Iterator[Place]:
    """Yield the lines near the title and after the text that begin with something of the shape of a name."""
    last = scene.text_lines[1]
    numbers = len(scene.edges) - 1
    near = range(max(0, scene.start - MAX_ABOVE), min(numbers, scene.start + _SIGNED_BELOW + 1))
    after = range(max(near.stop, last), min(numbers, last + _SIGNED_AFTER + 1))
    for line in chain(near, after):
        pieces, place = scene.line_pieces(line), scene.place(line)
        if line == scene.start or not SHORTEST_LINE <= scene.characters[line] <= MAX_LINE:
            continue
        texts = list(filter(None, scene.texts(*pieces)))
        if texts and has_shape_of_name(texts[0]) and not scene.in_comments(pieces[0], place):
            distance = line - scene.start
            beside = (f"{distance} lines below",) if 0 < distance <= _BESIDE else ()
            whole = ("whole line",) if len(texts) == 1 else ()
            yield texts[0], f"line {place}", ("line", f"line {place}", *beside, *whole), pieces


def _beginning(text: bytes, start: int) -> str:
    beginning = text[start : start + _BEGINNING].decode(errors="ignore").lstrip()
    if 0 < len(beginning) < LONGEST_LEAD:
        beginning = text[start : start + 2 * _BEGINNING].decode(errors="ignore").lstrip()
    return beginning


def _join_pieces(scene: Scene, pieces: tuple[int, int]) -> str:
    """Join the texts of pieces with a separator, because separate elements are separate names."""
    return " | ".join(scene.texts(*pieces))
