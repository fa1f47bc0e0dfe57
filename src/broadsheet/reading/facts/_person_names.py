"""Names of people in bylines: split, and stripped of the words around them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from broadsheet.reading.facts import _name_words as words_of
from broadsheet.reading.facts._east_asian_names import ends_like_organisation, names_reporter, without_dateline
from broadsheet.reading.facts._months import month_of

#: The maximum length of a byline in characters, and of a name in words and characters; anything longer is text.
MAX_BYLINE, MAX_WORDS, MAX_NAME = 300, 6, 60
#: The most names taken from one byline.
MAX_NAMES = 30
#: All-lowercase names have fewer words than this.
MAX_LOWER = 3
#: A label before a name has no more words than this.
MAX_LABEL = 3
#: Shorter names of sites, in characters, may be part of anybody's name.
MIN_SITE = 5


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_LEAD = re.compile(rf"\s*(?:{_any_of(words_of.LEADS)})(?:\s*[:：｜|/／●]\s*|\s+)", re.IGNORECASE)
#: Fact-checkers, illustrators, photographers and the like, up to the next separator; after a colon, a whole list.
_OTHER = re.compile(
    rf"(?<!\w)(?:{_any_of(words_of.OTHERS)})(?:\s*[:：]\s*(?:(?!(?<!\w)\w+\s?[:：])[^|;])*|(?:\s*\|\s*|\s+)[^|,;]*)",
    re.IGNORECASE,
)
_FIRST_LETTERS = frozenset(lead[0] for lead in words_of.LEADS)
_FIRST_WORDS = frozenset(lead.split()[0] for lead in words_of.LEADS)
#: The last words of leads of several words; a text that ends in one has its name in another element.
_LAST_LEADS = frozenset(lead.split()[-1] for lead in words_of.LEADS if " " in lead)
#: The length of the longest word that introduces a byline.
LONGEST_LEAD = max(map(len, _FIRST_WORDS))
#: ASCII words that introduce a byline, by first letter: a cheap check that most texts fail.
_ASCII_LEADS = {
    letter: tuple(word for word in _FIRST_WORDS if word[0] == letter and word.isascii()) for letter in _FIRST_LETTERS
}
_ASCII_OTHERS = tuple(other for other in words_of.OTHERS if other.isascii())
# White space is collapsed before any of these is used.
_SEPARATOR = re.compile(
    rf"\s?[,;|/／•·、，；]\s?|(?<=[^\W\d_]{{5}})\.\s|\s(?:{_any_of(words_of.ANDS)})\s|\s?&\s"
    r"|(?<=[\u4e00-\u9fff])[&＆](?=[\u4e00-\u9fff])"
)
#: What ends a name: numbers, e-mail addresses and URLs, remarks; a remark within a name, "Ada (Lind) Moor", does not.
_TAIL = re.compile(
    r"\s?(?:(?!(?<=\s)\([^\W\d_][\w. ]{1,20}\)\s[^\W\d_]+(?:\s|\Z))[(\[（【<{].*"
    r"|(?<!\S)\S*@.*|https?:.*|www\..*|(?<![^\W_])\d.*|\d{1,4}[./年-]\d.*|＝.*|\s[-–—]\s.*|[:：].*)",
    re.DOTALL,
)
_SUFFIX = re.compile(rf"\s?(?:{_any_of(words_of.SUFFIXES)})(?:\s?외)?$")
#: A word that introduces an author, after a date or a separator within a line.
_INNER_LEAD = re.compile(
    r"(?:\d|[|•·/-])[\s|,.:]{1,8}(?:(?:posted|written|published|verfasst|publié|escrito) )?"
    r"(?:by|von|par|por|door|autor(?:in)?:|auteur:|author:?)(?=[\s|])\W{0,8}",
    re.IGNORECASE,
)
#: A word that introduces an author anywhere in a short line: "A column by Nora Pell".
_LEAD_WITHIN = re.compile(r"(?<=\s)(?:by|von|par|por|door)\s(?=[^\W\d_])", re.IGNORECASE)
#: What a line has that a byline is within: such a word, or the title of a reporter.
_HINTS = ("by", "von", "par", "por", "door", "aut")
#: What stands between the name of an interviewer and that of who was interviewed.
_INTERVIEW = re.compile(r"\b(?:interview|gespräch|entretien|entrevista|intervista)\b", re.IGNORECASE)
_WITH = re.compile(r"\s(?:with|mit|avec|con)\s", re.IGNORECASE)
#: The name of a reporter after that of the agency: "Kyiv, 4 January (New Region, Nora Pell) - The bridge …".
_DATELINE = re.compile(r"[^()]{3,60}\((?:[^(),]{2,30}),\s([^(),\d]{4,40})\)\s?[–—-]\s")
_LABELS = re.compile(r"(?<!\w)(\w+):\s")
#: What stands between a date and a name in a line.
_BESIDE_DATE = re.compile(r"\s?[|•·∙∕⁄/»,–—@-]\s|\s[|•·∙⁄/–—-]\s?|(?<=\d)\s(?=[^\W\d_])|(?<=[^\W\d_])\s(?=\d)")
#: Two to four words of letters.
_SHAPE = re.compile(r"[^\W\d_]['’.\w-]*(?:\s[^\W\d_]['’.\w-]*){1,3}")
_SOFT_HYPHEN = "\u00ad"
_URL = re.compile(r"https?://\S+")
#: Academic degrees and generational suffixes.
_DEGREE = re.compile(
    r"(?:[A-Z]\.?){2,6}|Ph\.?D\.?|M\.?D\.?|M\.?Sc\.?|B\.?Sc\.?|Ed\.?D\.?|Psy\.?D\.?|Esq\.?|Jr\.?|Sr\.?|I{2,3}"
)
#: A reporter's title directly before a Chinese name.
_REPORTER = re.compile(r"\A.{0,20}?(?:记者|記者)\s?(?=[\u4e00-\u9fff]{2,4}\Z)")
_SIGNED = re.compile(r"[\uac00-\ud7af]{2,4}\s?(?:기자|특파원)(?![\uac00-\ud7af])")
_COMPANY = re.compile(rf"\b(?:{_any_of(words_of.COMPANIES)})\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+\.(?:com|net|org|info|[a-z]{2})\Z")
_LETTERS = re.compile(r"[^\W\d_].*[^\W\d_]", re.DOTALL)
_NOT_IN_NAMES = re.compile(r"[\"“”«»!?#*=+%$€£…\\^~]|\.{2}")
#: A name in the possessive is not that of an author: "by Nora Pell's team".
_POSSESSIVES = ("'s", "’s")
_AROUND = " .-–—'’*_•●,()[]©"


def has_lead(text: str) -> bool:
    """Tell whether a text begins like a byline."""
    return may_lead(text) and _LEAD.match(text) is not None


def begins_like_byline(text: str) -> bool:
    """Tell cheaply whether a line may be a byline, by its beginning."""
    # Most lines are ASCII, which is not worth a call.
    return may_lead(text) or (not text.isascii() and is_signed(text))


def is_signed(text: str) -> bool:
    """Tell whether a text begins with a Korean name and the title of a reporter."""
    return _SIGNED.match(text) is not None


def has_preposition(text: str) -> bool:
    """Tell whether a text begins with a word that introduces authors, but more often something else: "from", "de"."""
    return text.split(maxsplit=1)[0].casefold() in words_of.PREPOSITIONS


def after_inner_lead(text: str) -> str | None:
    """Return what follows a word that introduces an author within a line: "3 March 2026 by Nora Pell"."""
    match = _INNER_LEAD.search(text)
    return text[match.end() :] if match else None


def may_hold_byline(text: str) -> bool:
    """Tell cheaply whether a byline may be within a line."""
    return any(map(text.lower().__contains__, _HINTS)) or (not text.isascii() and names_reporter(text) is not None)


def within_line(text: str) -> str | None:
    """Return the byline that follows an introducing word anywhere in a line, if it could be a name."""
    text = _without_others(text)
    match = _LEAD_WITHIN.search(text)
    rest = text[match.end() :] if match else ""
    parts = names_in(rest) if rest else ()
    return rest if parts and has_shape_of_name(parts[0]) else None


def in_dateline(text: str) -> str | None:
    """Return the name of the reporter that a paragraph begins with, after place, day and agency."""
    match = _DATELINE.match(text)
    return match[1] if match and has_shape_of_name(match[1]) else None


def beside_date(text: str) -> str | None:
    """Return the part of a line with a date that could be a name: "11.12.2019 - Nora Pell"."""
    parts = (part.strip(" .,:") for part in _BESIDE_DATE.split(text))
    names = filter(has_shape_of_name, parts)
    return next((name for name in names if not has_role(name) and not any(map(month_of, name.split()))), None)


def lists_names(text: str) -> bool:
    """Tell whether a line is nothing but names, separated by commas or the like."""
    parts = [part for part in _SEPARATOR.split(text) if part]
    return len(parts) > 1 and all(map(has_shape_of_name, parts))


def has_shape_of_name(text: str) -> bool:
    """Tell whether a text could be a name and nothing else: two to four capitalised words.

    In scripts without capital letters any few words could be a name, so none is.
    """
    if len(text) > MAX_NAME or _SHAPE.fullmatch(text) is None or any(map(str.isdigit, text)):
        return False
    first, *others, last = text.split()
    return (
        first[0].isupper()
        and last[0].isupper()
        and all(word[0].isupper() or word in words_of.PARTICLES for word in others)
    )


def may_lead(text: str) -> bool:
    """Tell cheaply whether a text may begin like a byline, by its first word or, unless ASCII, its first letter."""
    beginning = text[:LONGEST_LEAD]
    if not beginning.isascii():
        return beginning[0].casefold() in _FIRST_LETTERS
    lower = beginning.lower()
    return lower.startswith(_ASCII_LEADS.get(lower[:1], ()))


@lru_cache(maxsize=4096)
def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a byline, in order; roles count as names only if there is no other."""
    if len(text) > MAX_BYLINE:
        return ()
    byline = _without_interviewed(_without_others(_URL.sub("|", " ".join(text.replace(_SOFT_HYPHEN, "").split()))))
    parts = [name for part in _SEPARATOR.split(_without_lead(byline)) if (name := _strip(part))]
    people = [name for name in parts if not has_role(name) and not _DEGREE.fullmatch(name)]
    return tuple(dict.fromkeys(people or parts))[:MAX_NAMES]


def credits_makers(text: str) -> bool:
    """Tell whether a text names who made the site, each with a label: "Design: Nora Pell. Programming: Ian Moor"."""
    labels = _LABELS.findall(text)
    return len(labels) > 1 and not any(label.casefold() in words_of.LEADS for label in labels)


def has_role(name: str) -> bool:
    """Tell whether a name contains a role, such as "editor"."""
    return any(word.casefold().strip(".0123456789") in words_of.ROLES for word in name.split())


def is_organisation(name: str, sites: frozenset[str] = frozenset()) -> bool:
    """Tell whether a name is not a person's but that of a role, agency, company or site; `sites` are folded names."""
    if _is_impersonal(name):
        return True
    folded = fold(name)
    return folded in sites or any(
        len(site) >= MIN_SITE and (folded.startswith(site) or folded.endswith(site)) for site in sites
    )


@lru_cache(maxsize=4096)
def _is_impersonal(name: str) -> bool:
    is_agency = "-".join(name.casefold().split()) in words_of.AGENCIES or ends_like_organisation(name)
    return is_agency or has_role(name) or bool(_ADDRESS.fullmatch(name) or _COMPANY.search(name))


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """Return a name without case, spaces and punctuation."""
    return "".join(filter(str.isalnum, name.casefold()))


def _strip(part: str) -> str:
    """Return the name in a part of a byline, or an empty string."""
    byline = _after_label(_without_lead(part.strip()))
    if not byline.isascii():
        byline = _REPORTER.sub("", without_dateline(byline))
    if "?" in byline or "!" in byline:
        return ""
    text = _TAIL.sub("", byline)
    was_cut = len(text) < len(byline)
    words = (text if text.isascii() else _SUFFIX.sub("", text)).split()
    if len(words) > 1 and words[-1].casefold() in _LAST_LEADS:
        return ""
    while words and (words[-1].casefold() in words_of.ENDS or (was_cut and month_of(words[-1]) is not None)):
        words.pop()
    if len(words) > 1 and not _COMPANY.search(text):
        words = _cut_at_sentence(words)
    name = " ".join(words).strip(_AROUND)
    return name if _may_be_name(name) else ""


def _after_label(text: str) -> str:
    """Return what follows the label of a name, "質問者: …"; a label alone is not a name."""
    label, colon, rest = text.replace("：", ":").partition(":")
    if not colon or "//" in rest[:2] or len(label.split()) > MAX_LABEL:
        return text
    return "" if not rest.strip() else rest.strip() if _LETTERS.match(rest.strip()) else label


def _cut_at_sentence(words: list[str]) -> list[str]:
    """Return the words before the first lower-case one that is not part of a name: "Ann Lee is a writer"."""
    if words[0][0].islower() and words[0] not in words_of.PARTICLES:
        return words if len(words) < MAX_LOWER and all(map(str.islower, words)) else []
    ends = (at for at, word in enumerate(words) if word[0].islower() and word.casefold() not in words_of.PARTICLES)
    end = next(ends, len(words))
    is_cut = end < len(words)
    # What is left of a sentence that ends in "of" or after one word is not a name.
    return [] if is_cut and (end == 1 or words[end - 1].casefold() in words_of.PARTICLES) else words[:end]


def _without_others(text: str) -> str:
    """Remove contributors other than authors from a byline; few bylines have any."""
    if text.isascii():
        lower = text.lower()
        if not any(map(lower.__contains__, _ASCII_OTHERS)):
            return text
    return _OTHER.sub("|", text)


def _without_interviewed(text: str) -> str:
    """Remove who was interviewed from a byline."""
    interview = _INTERVIEW.search(text)
    following = _WITH.search(text, interview.end()) if interview else None
    return text[: following.start()] if following else text


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
        and text.casefold() not in words_of.FORM_FIELDS
        and len(text) <= MAX_NAME
        and len(text.split()) <= MAX_WORDS
        and _LETTERS.search(text) is not None
        and not _NOT_IN_NAMES.search(text)
        and not text.endswith(_POSSESSIVES)
    )
