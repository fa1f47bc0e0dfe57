"""The signals of a name by itself, and of its place in a list of names: what it looks like, and what it is called."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from broadsheet.reading.facts._east_asian_names import has_chinese_surname, has_korean_surname
from broadsheet.reading.facts._name_letters import LIKENESS, shipped_likeness
from broadsheet.reading.facts._person_names import fold, has_lead, has_shape_of_name, is_organisation

#: A text with this many names lists more than authors.
_MANY = 4
#: Names with fewer characters are abbreviations; names in Chinese, Japanese and Korean have at most this many.
SHORT: Final = 4
_FEW_CHARACTERS = 4
#: In scripts without spaces, what is listed with a word of more characters is hardly a name.
_LONG_WORD = 8
#: The language that has Chinese letters, but other names.
JAPANESE: Final = "ja"
#: Further names in a byline that look like this are the words around it.
UNLIKE: Final = tuple(f"{LIKENESS}{number}" for number in range(3))
#: So do names that are hardly sure to be those of people.
_UNSURE = (*UNLIKE, f"{LIKENESS}3")


def name_signals(name: str, sites: frozenset[str], language: str | None, is_marked: bool) -> Iterator[str]:
    """Yield the signals of a name: its number of words, letters and capitals, and whether it is an organisation's."""
    words = name.split()
    number = len(words)
    if number < 3:
        yield "one word" if number == 1 else "two words"
    if script := _unspaced_script(name):
        yield script
    if number == 1:
        yield from _surname(name, language)
    if len(name) < SHORT:
        yield "short"
    like = shipped_likeness(name)
    yield like
    if any(map(str.isdigit, name)):
        yield "digits"
    if is_organisation(name):
        yield "organisation"
    elif is_organisation(name, sites):
        # Some people have a site of their own.
        is_person = is_marked and number > 1 and has_shape_of_name(name) and like not in _UNSURE
        yield "named like the site" if is_person else "organisation"
    yield from _capitals(words)


def _capitals(words: list[str]) -> Iterator[str]:
    """Yield which words of a name have capitals."""
    first, last = words[0], words[-1]
    if len(words) > 1 and all(map(str.isupper, words)):
        yield "capitals"
    elif first != last and len(last) >= SHORT and last.isalpha() and last.isupper():
        yield "surname in capitals"
    elif len(words) == 1 and len(first) > 1 and first.isupper():
        yield "one word in capitals"
    if first[0].islower():
        yield "lower case"
    elif len(words) == 1 and first[0].isupper():
        # Scripts without upper case write whole names without a space.
        yield "one capitalised word"


def _surname(word: str, language: str | None) -> Iterator[str]:
    """Yield whether a word begins with a surname of the language, if that tells anything."""
    if "\uac00" <= word[0] <= "\ud7af":
        yield "surname" if has_korean_surname(word) else "no surname"
    elif language != JAPANESE and all("\u4e00" <= letter <= "\u9fff" for letter in word):
        yield "surname" if has_chinese_surname(word) else "no surname"


def _unspaced_script(word: str) -> str | None:
    """Return the signal of a word in a script that writes whole names without a space, by its length."""
    if not "\u3040" <= word[0] <= "\ud7af":
        return None
    return "a few characters" if len(word.replace(" ", "")) <= _FEW_CHARACTERS else "many characters"


def in_list(name: str, names: Sequence[str], is_stated: bool) -> Iterator[str]:
    """Yield the signals of a list of names: many, after an organisation, or beside words too long for names."""
    if len(names) >= _MANY:
        yield "of many"
    if name != names[0] and is_organisation(names[0]):
        yield "after an organisation"
    if is_stated and any(len(each) >= _LONG_WORD and " " not in each and _unspaced_script(each) for each in names):
        yield "beside long words"


def place_in_text(text: str, name: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the signals of a name in a visible text: alone, after a word such as "by", or after others."""
    if name != names[0]:
        yield "later"
    elif has_lead(text):
        yield "after a lead"
    elif len(names) == 1 and fold(text) == fold(name):
        yield "alone"


def is_person(signals: Iterable[str]) -> bool:
    """Tell whether a name with these signals may be a whole name of a person."""
    return {"organisation", "stated organisation", "one word"}.isdisjoint(signals)
