"""Text from a word model: invented words of a language's syllables among its real small words, as often as in news."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from random import Random

from broadsheet.newsweb._lexicon import Forms, Lexicon

#: How many content words a language has; their frequencies fall as their rank grows.
CONTENT_WORDS = 1500
#: In how many steps the frequencies of words are told apart; drawing from a table is faster than searching one.
DRAWN_WORDS = 16_384
#: The share of small words in a text.
SMALL_SHARE = 0.45
#: Numbers are one word in forty.
NUMBER_SHARE = 0.025
#: The shares of sentences that are quotations and questions.
QUOTED, QUESTIONS = 0.12, 0.04
#: The shares of headlines that quote words and that are questions.
QUOTED_HEADLINES, ASKING_HEADLINES = 0.12, 0.06


# Its vocabulary is looked up all the time: by identity, because hashing all syllables would take longer than drawing.
@dataclass(frozen=True, slots=True, eq=False)
class WordModel:
    """What the words and sentences of a language are made of.

    `lengths` are the relative frequencies of words of one, two, three and more syllables; `words` is the mean number of
    words in a sentence. `marks` are the comma, the full stop, and the opening and closing quotation mark.
    """

    syllables: tuple[str, ...]
    lengths: tuple[float, ...]
    small: tuple[str, ...]
    words: float
    marks: tuple[str, str, str, str]
    space: str = " "
    #: The share of content words that begin with a capital letter, and what ends a question.
    names: float = 0.15
    question: str = "?"


@dataclass(frozen=True, slots=True)
class NewsWords:
    """The words of a language: those in `drawn` stand there as often as they occur in texts."""

    drawn: tuple[str, ...]
    content: tuple[str, ...]

    def draw(self, rng: Random, number: int) -> list[str]:
        """Draw words by frequency."""
        drawn, random = self.drawn, rng.random
        return [drawn[int(random() * DRAWN_WORDS)] for _ in range(number)]


@lru_cache(maxsize=16)
def vocabulary(model: WordModel) -> NewsWords:
    """Return the vocabulary of a model, always the same."""
    rng = Random("".join(model.syllables))
    sizes = range(1, len(model.lengths) + 1)
    content: dict[str, None] = {}
    while len(content) < CONTENT_WORDS:
        (size,) = rng.choices(sizes, model.lengths)
        word = "".join(rng.choices(model.syllables, k=size))
        content[_capitalised(word) if rng.random() < model.names else word] = None
    small = [1 / (rank + 2) for rank in range(len(model.small))]
    large = [1 / (rank + 12) for rank in range(len(content))]
    weights = [
        *(SMALL_SHARE * weight / sum(small) for weight in small),
        *((1 - SMALL_SHARE) * weight / sum(large) for weight in large),
    ]
    words = (*model.small, *content)
    ends = list(accumulate(weights))
    places = (bisect_right(ends, ends[-1] * (place + 0.5) / DRAWN_WORDS) for place in range(DRAWN_WORDS))
    return NewsWords(tuple(words[place] for place in places), tuple(content))


@dataclass(frozen=True, slots=True)
class WordLexicon(Lexicon):
    """A lexicon whose texts come from a word model and differ in length; `pace` is the mean number of sentences."""

    model: WordModel = WordModel((), (), (), 0, ("", "", "", ""))
    pace: float = 64.0

    def facts(self, rng: Random) -> dict[str, str | Forms]:
        """Choose what a story is about: a few words that occur in its headline and in its text."""
        return {"topic": tuple(rng.choices(vocabulary(self.model).content, k=3))}

    def headline(self, rng: Random, facts: Mapping[str, str | Forms]) -> str:
        """Write a headline of 4 to 13 words about the topic."""
        _, _, opening, closing = self.model.marks
        words = vocabulary(self.model).draw(rng, max(2, round(rng.gauss(8.5, 3))))
        kind = rng.random()
        if kind < QUOTED_HEADLINES:
            words[-2:] = [opening + words[-2], words[-1] + closing]
        end = self.model.question if kind > 1 - ASKING_HEADLINES else ""
        return _capitalised(self.model.space.join((*facts["topic"][:2], *words))) + end

    def standfirst(self, rng: Random, facts: Mapping[str, str | Forms]) -> str:
        """Write a sentence."""
        return self._sentence(rng, facts)

    def crosshead(self, rng: Random) -> str:
        """Write a short heading."""
        return _capitalised(self.model.space.join(vocabulary(self.model).draw(rng, rng.randint(2, 6))))

    def entry(self, rng: Random) -> str:
        """Write two sentences."""
        return self.model.space.join(self._sentence(rng, {}) for _ in range(2))

    def paragraphs(self, rng: Random, facts: Mapping[str, str | Forms]) -> tuple[str, ...]:
        """Write a body, short or long, in paragraphs of one to four sentences."""
        left = max(4, round(self.pace * rng.lognormvariate(0, 0.5)))
        paragraphs = []
        while left > 0:
            size = min(left, rng.choice((1, 2, 2, 3, 3, 4)))
            left -= size
            paragraphs.append(self.model.space.join(self._sentence(rng, facts) for _ in range(size)))
        return tuple(paragraphs) if len(paragraphs) > 1 else (*paragraphs, self._sentence(rng, facts))

    def label(self, rng: Random) -> str:
        """Write the label of a link to a service or a subsection: one to three words."""
        return _capitalised(
            self.model.space.join(rng.choices(vocabulary(self.model).content, k=rng.choice((1, 1, 2, 3))))
        )

    def _sentence(self, rng: Random, facts: Mapping[str, str | Forms]) -> str:
        comma, stop, opening, closing = self.model.marks
        words = vocabulary(self.model).draw(rng, max(4, round(rng.gauss(self.model.words, self.model.words / 2.6))))
        if facts and rng.random() < 0.4:
            words[rng.randrange(len(words))] = rng.choice(facts["topic"])
        for place in range(6, len(words) - 2, 8):
            words[place] += comma
        if rng.random() < NUMBER_SHARE * len(words):
            words[rng.randrange(1, len(words))] = str(rng.randint(2, 990))
        text = _capitalised(self.model.space.join(words))
        kind = rng.random()
        if kind < QUOTED:
            return f"{opening}{text}{closing}{stop}"
        return text + (self.model.question if kind > 1 - QUESTIONS else stop)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
