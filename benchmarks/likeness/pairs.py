"""Pairs of texts that are labelled: by how they were made, or by hand (`quality/likeness.json`)."""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal

from benchmarks.likeness.edits import EDITS, framed, respelled
from benchmarks.likeness.reports import REPORTS
from benchmarks.likeness.texts import ArticleText

REAL_PAIRS = Path(__file__).parents[2] / "quality" / "likeness.json"
REAL_COPIES = "real copies"

#: Two texts are the same story, different ones, or related: one source, rewritten so much that it counts as neither.
Label = Literal["same", "different", "related"]

#: Articles from which copies are made have so many words, or twice as many characters without spaces between them.
MIN_WORDS = 120


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two texts, whether they come from one site, and whether they are the same story."""

    family: str
    one: str
    other: str
    shares_site: bool
    label: Label


def make_pairs(texts: Sequence[ArticleText], size: int, seed: int) -> Iterator[LabelledPair]:
    """Make all pairs; `size` is the number of articles that copies are made of, and of pairs of each kind of report."""
    long_enough = [text for text in texts if _words(text.body) >= MIN_WORDS and len(text.paragraphs) > 2]
    originals = random.Random(seed).sample(long_enough, min(size, len(long_enough)))
    others = [paragraph for text in texts for paragraph in text.paragraphs if 15 <= _words(paragraph) <= 60]
    labelled = json.loads(REAL_PAIRS.read_text("utf-8"))
    yield from _copies(originals, others, seed)
    yield from _real(texts, labelled)
    yield from _of_one_site(texts, labelled)
    yield from _boilerplate(texts, others, size, seed)
    yield from _quotations(originals, seed)
    yield from _reports(size, seed)


def _copies(originals: Sequence[ArticleText], others: Sequence[str], seed: int) -> Iterator[LabelledPair]:
    for name, edit in EDITS.items():
        for text in originals:
            chance = random.Random(f"{seed} {name} {text.id}")
            edited = "\n\n".join(edit(text.paragraphs, chance, others))
            yield LabelledPair(f"copy elsewhere: {name}", text.body, edited, shares_site=False, label="same")
    for text in originals:
        chance = random.Random(f"{seed} again {text.id}")
        again = framed(respelled(text.paragraphs, chance, others), chance, others)
        yield LabelledPair("second address of one site", text.body, "\n\n".join(again), shares_site=True, label="same")


def _real(texts: Sequence[ArticleText], labelled: Sequence[dict[str, str]]) -> Iterator[LabelledPair]:
    by_id = {text.id: text for text in texts}
    for row in labelled:
        one, other = by_id.get(row["one"]), by_id.get(row["other"])
        if one and other:
            label: Label = "same" if row["label"] == "same" else "related" if row["label"] == "related" else "different"
            family = {"same": REAL_COPIES, "related": "real, rewritten"}.get(label, "real, some phrases shared")
            yield LabelledPair(family, one.body, other.body, one.site == other.site, label)


def _of_one_site(texts: Sequence[ArticleText], labelled: Sequence[dict[str, str]]) -> Iterator[LabelledPair]:
    """Give all pairs of different articles of a site: its authors, series, sign-up lines and frames."""
    judged = {frozenset((row["one"], row["other"])) for row in labelled}
    by_site: dict[str, list[ArticleText]] = defaultdict(list)
    for text in texts:
        by_site[text.site].append(text)
    for site_texts in by_site.values():
        for one, other in combinations(site_texts, 2):
            if frozenset((one.id, other.id)) not in judged:
                yield LabelledPair("real, one site", one.body, other.body, shares_site=True, label="different")


def _boilerplate(texts: Sequence[ArticleText], others: Sequence[str], size: int, seed: int) -> Iterator[LabelledPair]:
    """Give short articles that end in the same boilerplate, on one site and on two of one publisher."""
    chance = random.Random(f"{seed} boilerplate")
    for number in range(size):
        bodies = ["\n\n".join(text.paragraphs[: chance.randint(1, 4)]) for text in chance.sample(texts, 2)]
        if min(map(_words, bodies)) < 40:
            continue
        frame = "\n\n".join(chance.sample(others, 2))
        one, other = (f"{body}\n\n{frame}" for body in bodies)
        shares_site = bool(number % 2)
        family = f"shared boilerplate, {'one site' if shares_site else 'two sites'}"
        yield LabelledPair(family, one, other, shares_site, label="different")


def _quotations(originals: Sequence[ArticleText], seed: int) -> Iterator[LabelledPair]:
    """Give articles that quote two paragraphs of another."""
    chance = random.Random(f"{seed} quotations")
    for one, other in pairwise(originals):
        start = chance.randrange(len(one.paragraphs) - 1)
        quoted = one.paragraphs[start : start + 2]
        if (
            _words("\n\n".join(quoted)) <= _words(other.body) / 3
            and _words("\n\n".join(quoted)) <= _words(one.body) / 3
        ):
            paragraphs = [*other.paragraphs[:1], *quoted, *other.paragraphs[1:]]
            yield LabelledPair("quotations", one.body, "\n\n".join(paragraphs), shares_site=False, label="different")


def _reports(size: int, seed: int) -> Iterator[LabelledPair]:
    for name, make in REPORTS.items():
        for number in range(size):
            one, other = (make(random.Random(f"{seed} {name} {number} {which}")) for which in "ab")
            for shares_site in (True, False):
                family = f"template: {name}, {'one site' if shares_site else 'two sites'}"
                yield LabelledPair(family, one, other, shares_site, label="different")


def _words(text: str) -> int:
    return len(text.split()) + sum(1 for character in text if ord(character) >= 0x2E80) // 2
