"""The command: `python -m benchmarks.likeness PAGES [options]`."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.likeness import lookups
from benchmarks.likeness.methods import METHODS, Method
from benchmarks.likeness.pairs import LabelledPair, make_pairs
from benchmarks.likeness.texts import ArticleText, load, read_texts, save
from benchmarks.table import lay_out
from broadsheet.reading import likeness

DESCRIPTION = """\
Measure how well near-duplicates are found, on pairs that are made of the articles in PAGES or labelled by hand, and
what that costs: the sketch of an article, and a new article in archives of 10,000 articles and more.

Precision is the share of the pairs linked that are one story; recall is the share of the pairs of one story that are
linked. Rewritten articles of one source count as neither.
"""
#: The method of the archive, whose families are listed.
OURS = "sketch of 128, looked up"
BAR = 0.99


class Quality(NamedTuple):
    """How many pairs of each label there are, and how many of them a method links."""

    pairs: Counter[str]
    linked: Counter[str]

    @property
    def precision(self) -> float:
        """The share of right ones among the pairs linked."""
        return self.linked["same"] / max(1, self.linked["same"] + self.linked["different"])

    @property
    def recall(self) -> float:
        """The share of pairs of one story that are linked."""
        return self.linked["same"] / max(1, self.pairs["same"])


def evaluate(method: Method, pairs: Sequence[LabelledPair]) -> dict[str, Quality]:
    """Return how a method does on each family of pairs, and on all."""
    kept: dict[str, object] = {}
    found: dict[str, Quality] = {"all": Quality(Counter(), Counter())}
    for pair in pairs:
        for text in (pair.one, pair.other):
            if text not in kept:
                kept[text] = method.keep(text)
        links = method.links(kept[pair.one], kept[pair.other], pair.shares_site)
        for quality in (found["all"], found.setdefault(pair.family, Quality(Counter(), Counter()))):
            quality.pairs[pair.label] += 1
            quality.linked[pair.label] += links
    return found


def sketch_cost(texts: Sequence[ArticleText]) -> float:
    """Return the CPU milliseconds that the sketch of an article takes, in the cheapest of three runs."""
    runs = []
    for _ in range(3):
        begin = time.process_time()
        for text in texts:
            likeness.sketch(text.body)
        runs.append(time.process_time() - begin)
    return min(runs) / len(texts) * 1000


def report_quality(pairs: Sequence[LabelledPair]) -> float:
    """Print the tables of methods and families, and return our precision."""
    rows, ours = [], None
    for name, method in METHODS.items():
        found = evaluate(method, pairs)
        ours = found if name == OURS else ours
        everything = found["all"]
        wrong = everything.linked["different"]
        rows.append([name, f"{everything.precision:.4f}", f"{everything.recall:.3f}", str(wrong)])
    print(lay_out(["method", "precision", "recall", "linked wrongly"], rows, left=1))
    assert ours is not None  # noqa: S101 - it is one of the methods
    families = [
        [family, label, str(quality.pairs[label]), str(quality.linked[label])]
        for family, quality in ours.items()
        for label in quality.pairs
        if family != "all"
    ]
    print("\n" + lay_out(["pairs", "label", "number", "linked"], families, left=2))
    return ours["all"].precision


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.likeness",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pages", type=Path, help="a folder of corpora, such as the shared data's pages/")
    parser.add_argument("--size", type=int, default=300, help="articles that copies are made of (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=Path, help="keep the texts read in this file, or read them from it")
    parser.add_argument("--index", type=int, default=100_000, help="the largest archive (default: 100000; 0: none)")
    chosen = parser.parse_args(arguments)
    if chosen.texts and chosen.texts.exists():
        texts = load(chosen.texts)
    else:
        texts = list(read_texts(chosen.pages))
        if chosen.texts:
            save(texts, chosen.texts)
    precision = report_quality(list(make_pairs(texts, chosen.size, chosen.seed)))
    print(f"\nsketch: {sketch_cost(texts):.3f} ms of CPU time per article, over {len(texts):,} articles")
    sizes = [size for size in (10_000, 100_000, 1_000_000) if size <= chosen.index]
    if sizes:
        with tempfile.TemporaryDirectory() as folder:
            costs = [
                [f"{cost.articles:,}", f"{cost.best:.3f}", f"{cost.median:.3f}", f"{cost.size:,.0f}"]
                for cost in lookups.measure(Path(folder) / "archive", sizes)
            ]
        print("\n" + lay_out(["articles", "best ms", "median ms", "bytes per article"], costs, left=1))
    return int(precision < BAR)


if __name__ == "__main__":
    sys.exit(main())
