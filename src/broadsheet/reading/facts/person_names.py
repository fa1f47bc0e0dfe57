"""Names of people as bylines write them: taken apart, and freed of what stands around them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from broadsheet.reading.facts import name_words as words_of
from broadsheet.reading.facts.months import month_of

#: A byline with more characters is text, and so is a name with more words or characters.
MAX_BYLINE, MAX_WORDS, MAX_NAME = 300, 6, 60
#: So many names of one byline are taken.
MAX_NAMES = 30
#: Names in lower case alone have fewer words.
MAX_LOWER = 3
#: A shorter name of a site may be a part of anybody's.
LEAST_SITE = 5


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_LEAD = re.compile(rf"\s*(?:{_any_of(words_of.LEADS)})(?:\s*[:：｜|/／]\s*|\s+)", re.IGNORECASE)
#: Whoever checked, drew or took pictures, up to the next mark.
_OTHER = re.compile(rf"(?<!\w)(?:{_any_of(words_of.OTHERS)})(?:\s*[:：|]\s*|\s+)[^|,;]*", re.IGNORECASE)
_FIRST_LETTERS = frozenset(lead[0] for lead in words_of.LEADS)
_FIRST_WORDS = frozenset(lead.split()[0] for lead in words_of.LEADS)
#: The characters of the longest word that a byline may begin with.
LONGEST_LEAD = max(map(len, _FIRST_WORDS))
#: The first words of leads in ASCII, by their first letter: most texts begin with none of these, and are not matched.
_ASCII_LEADS = {
    letter: tuple(word for word in _FIRST_WORDS if word[0] == letter and word.isascii()) for letter in _FIRST_LETTERS
}
_ASCII_OTHERS = tuple(other for other in words_of.OTHERS if other.isascii())
# White space is collapsed before any of these is used.
_JOINED = re.compile(rf"\s?[,;|/•·、，；]\s?|\s(?:{_any_of(words_of.ANDS)})\s|\s?&\s")
#: Where a name ends: at numbers, addresses, remarks.
_TAIL = re.compile(r"\s?(?:[(\[（【<{].*|(?<!\S)\S*@.*|https?:.*|www\..*|\d.*|\s[-–—]\s.*|[:：].*)", re.DOTALL)
_SUFFIX = re.compile(rf"\s?(?:{_any_of(words_of.SUFFIXES)})(?:\s?외)?$")
#: Degrees and orders that follow a name.
_DEGREE = re.compile(
    r"(?:[A-Z]\.?){2,6}|Ph\.?D\.?|M\.?D\.?|M\.?Sc\.?|B\.?Sc\.?|Ed\.?D\.?|Psy\.?D\.?|Esq\.?|Jr\.?|Sr\.?|I{2,3}"
)
_COMPANY = re.compile(rf"\b(?:{_any_of(words_of.COMPANIES)})\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+\.(?:com|net|org|info|[a-z]{2})\Z")
_LETTERS = re.compile(r"[^\W\d_].*[^\W\d_]", re.DOTALL)
_NO_NAME = re.compile(r"[\"“”«»!?#*=+%$€£…\\^~]|\.{2}")
_AROUND = " .-–—'’*_•●,()[]"


def has_lead(text: str) -> bool:
    """Tell whether a text begins as bylines do."""
    return may_lead(text) and _LEAD.match(text) is not None


def may_lead(text: str) -> bool:
    """Tell whether a text begins with a letter, and where it is ASCII with letters, that bylines begin with."""
    beginning = text[:LONGEST_LEAD]
    if not beginning.isascii():
        return beginning[0].casefold() in _FIRST_LETTERS
    lower = beginning.lower()
    return lower.startswith(_ASCII_LEADS.get(lower[:1], ()))


@lru_cache(maxsize=4096)
def names_in(text: str) -> tuple[str, ...]:
    """Return the names that a byline holds, in its order; a role counts for one only where nobody has a name."""
    if len(text) > MAX_BYLINE:
        return ()
    written = _without_others(" ".join(text.split()))
    parts = [name for part in _JOINED.split(_without_lead(written)) if (name := _bare(part))]
    people = [name for name in parts if not has_role(name) and not _DEGREE.fullmatch(name)]
    return tuple(dict.fromkeys(people or parts))[:MAX_NAMES]


def has_role(name: str) -> bool:
    """Tell whether a name says what somebody is, and not who."""
    return any(word.casefold().strip(".") in words_of.ROLES for word in name.split())


def is_organisation(name: str, sites: frozenset[str] = frozenset()) -> bool:
    """Tell whether a name is a role's, an agency's, a company's or nobody's own; `sites` are folded names of sites."""
    if _is_nobodys(name):
        return True
    folded = fold(name)
    return folded in sites or any(
        len(site) >= LEAST_SITE and (folded.startswith(site) or folded.endswith(site)) for site in sites
    )


@lru_cache(maxsize=4096)
def _is_nobodys(name: str) -> bool:
    is_agency = "-".join(name.casefold().split()) in words_of.AGENCIES
    return is_agency or has_role(name) or bool(_ADDRESS.fullmatch(name) or _COMPANY.search(name))


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """Return a name without case, spaces and punctuation."""
    return "".join(filter(str.isalnum, name.casefold()))


def _bare(part: str) -> str:
    """Return what of a part of a byline may be a name; nothing where none of it may."""
    written = _without_lead(part.strip())
    if "?" in written or "!" in written:
        return ""
    text = _TAIL.sub("", written)
    was_cut = len(text) < len(written)
    words = (text if text.isascii() else _SUFFIX.sub("", text)).split()
    while words and (words[-1].casefold() in words_of.ENDS or (was_cut and month_of(words[-1]) is not None)):
        words.pop()
    if len(words) > 1:
        words = _up_to_a_sentence(words)
    name = " ".join(words).strip(_AROUND)
    return name if _may_be_name(name) else ""


def _up_to_a_sentence(words: list[str]) -> list[str]:
    """Return the words before the first in lower case that is no part of a name: "Ann Lee is a writer"."""
    if words[0][0].islower() and words[0] not in words_of.PARTICLES:
        return words if len(words) < MAX_LOWER and all(map(str.islower, words)) else []
    ends = (at for at, word in enumerate(words) if word[0].islower() and word.casefold() not in words_of.PARTICLES)
    return words[: next(ends, len(words))]


def _without_others(text: str) -> str:
    """Return a byline without those who did something else than write; few name any."""
    if text.isascii():
        lower = text.lower()
        if not any(map(lower.__contains__, _ASCII_OTHERS)):
            return text
    return _OTHER.sub("|", text)


def _without_lead(text: str) -> str:
    for _ in range(2):
        match = _LEAD.match(f"{text} ")
        if match is None:
            break
        text = text[match.end() :]
    return text


def _may_be_name(text: str) -> bool:
    return (
        text.casefold() not in words_of.PARTICLES
        and len(text) <= MAX_NAME
        and len(text.split()) <= MAX_WORDS
        and _LETTERS.search(text) is not None
        and not _NO_NAME.search(text)
    )
