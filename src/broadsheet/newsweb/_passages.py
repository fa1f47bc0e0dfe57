"""Writes the running text of pages that are not articles: imprints, terms of use, texts about the site, contacts.

How much there is of each was measured on 54 real pages of ten news sites (imprints, privacy statements), on 19 real
pages that present or explain something, on 99 real contact pages and 96 real forms.
"""

from collections.abc import Iterable
from random import Random

from broadsheet.newsweb._page_content import Passage
from broadsheet.newsweb.site import Site


class PassageWriter:
    """Writes the passages of one page."""

    def __init__(self, site: Site, rng: Random) -> None:
        """Take the site that the page is on, and what decides its text."""
        self._site = site
        self._lexicon = site.lexicon
        self._rng = rng

    def imprint(self) -> tuple[Passage, ...]:
        """Write who is responsible for a site: mostly addresses, under headings."""
        rng = self._rng
        return tuple(
            Passage(
                self.heading(),
                (*self.addresses(rng.choice((0, 1, 1, 2)), mail=True), *self.paragraphs(rng.choice((0, 0, 1, 2)))),
            )
            for _ in range(rng.randint(4, 14))
        )

    def terms(self) -> tuple[Passage, ...]:
        """Write what users of a site agree to: many headings, long paragraphs, lists, and whom to ask."""
        rng = self._rng
        number = _drawn(rng, 14, 0.5, 5, 40)
        body = (
            Passage(self.heading(), self.paragraphs(rng.randint(1, 6)), self.items(0.35, 3, 8)) for _ in range(number)
        )
        return (*body, Passage(self.heading(), self.addresses(rng.randint(1, 2), mail=True)))

    def about(self) -> tuple[Passage, ...]:
        """Write a text that presents or explains something: a few headings, short paragraphs, lists."""
        rng = self._rng
        body = [
            Passage(self.heading(), self.paragraphs(rng.randint(1, 2), 3), self.items(0.3, 3, 8))
            for _ in range(_drawn(rng, 4, 0.8, 1, 24))
        ]
        if rng.random() < 0.6:
            body.append(Passage(self.heading(), self.addresses(rng.randint(1, 3), mail=rng.random() < 0.4)))
        return tuple(body)

    def contact(self, *, mail: bool) -> tuple[Passage, ...]:
        """Write whom to reach, and how."""
        rng = self._rng
        opening = Passage(paragraphs=self.paragraphs(rng.choice((0, 0, 1, 2)), 2))
        return (
            opening,
            *(
                Passage(self.heading() if rng.random() < 0.7 else "", self.addresses(rng.randint(1, 2), mail=mail))
                for _ in range(rng.randint(1, 5))
            ),
        )

    def invitation(self) -> tuple[Passage, ...]:
        """Write why to fill in a form: a sentence or two, now and then a heading with a list."""
        rng = self._rng
        opening = Passage(paragraphs=self.paragraphs(rng.choice((0, 1, 1, 2)), 1))
        more = (Passage(self.heading(), self.paragraphs(rng.choice((0, 1)), 1), self.items(0.3, 2, 5)) for _ in "12")
        return (opening, *(passage for passage in more if rng.random() < 0.6))

    def questions(self) -> tuple[Passage, ...]:
        """Write short questions with four answers each."""
        mark = "?" if self._lexicon.space else "？"
        return tuple(
            Passage(paragraphs=(self.heading() + mark,), items=tuple(self.label() for _ in range(4)))
            for _ in range(self._rng.randint(4, 10))
        )

    def heading(self) -> str:
        """Write a few words."""
        return self._lexicon.crosshead(self._rng)

    def label(self) -> str:
        """Write a word or two."""
        space = self._lexicon.space
        words = self.heading().split(space) if space else [self.heading()]
        return space.join(words[: self._rng.choice((1, 1, 2))])

    def paragraphs(self, number: int, most: int = 4) -> tuple[str, ...]:
        """Write paragraphs of one to so many sentences."""
        return tuple(self._joined(self._rng.randint(1, most)) for _ in range(number))

    def items(self, share: float, least: int, most: int) -> tuple[str, ...]:
        """Write the items of a list, or none."""
        if self._rng.random() >= share:
            return ()
        return tuple(
            self.heading() if self._rng.random() < 0.6 else self._joined(1)
            for _ in range(self._rng.randint(least, most))
        )

    def addresses(self, number: int, *, mail: bool) -> tuple[str, ...]:
        """Write addresses in lines: a name, a street, a town, a telephone number, and an address of mail if wanted."""
        return tuple("\n".join(self._address_lines(mail)) for _ in range(number))

    def _address_lines(self, mail: bool) -> Iterable[str]:
        rng = self._rng
        yield rng.choice((self._site.name, *self._lexicon.authors))
        yield f"{self.label().title()} {rng.randint(1, 240)}"
        if rng.random() < 0.7:
            yield f"{rng.randint(10_000, 99_999)} {self.label().title()}"
        if rng.random() < 0.8:
            yield f"Tel.: +{rng.randint(1, 99)} {rng.randint(20, 999)} {rng.randint(10_000, 9_999_999)}"
        if mail:
            yield f"desk{rng.randint(1, 99)}@{self._site.host}"

    def _joined(self, sentences: int) -> str:
        return self._lexicon.space.join(self._lexicon.standfirst(self._rng, {}) for _ in range(sentences))


def _drawn(rng: Random, median: float, sigma: float, least: int, most: int) -> int:
    return max(least, min(most, round(median * rng.lognormvariate(0, sigma))))
