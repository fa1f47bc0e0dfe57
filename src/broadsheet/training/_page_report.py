"""The report on a page model: accuracy on held-out sites, calibration, and the worst mistakes."""

from collections.abc import Iterator, Sequence

import numpy as np

from broadsheet.base.records import KINDS
from broadsheet.learning.calibration import calibration_error, class_calibration_errors, fit_temperature, reliability
from broadsheet.models.trees import Doubles, apply_link
from broadsheet.training._page_evaluation import OLD, UNLIKE, BothWays, JudgedPages, og_type_rule

#: How many of the worst pages are named.
WORST = 10
#: How many reasons are given for each.
REASONS = 3
#: The weight of a page of a corpus left out whole when the temperature is chosen. With more, the model is too cautious
#: on sites like those it knows; with less, too sure on others.
UNLIKE_WEIGHT = 0.3
#: The length of a full bar of the reliability plot, in characters.
_BAR = 40


def temperature_of(folds: BothWays, unlike: BothWays) -> float:
    """Fit the temperature on pages of train sites that were each scored by a model that had not seen its site.

    Pages `unlike` those of the model's corpora count, too, because the model should not be too sure of such pages.
    Those of dev sites do not, so that calibration can be measured there.
    """
    groups = [(folds.judged.of_split("train"), 1.0), (unlike.judged.of_split("train"), UNLIKE_WEIGHT)]
    scores = np.concatenate([pages.scores for pages, _ in groups])
    truth = np.concatenate([pages.examples.truth for pages, _ in groups])
    weights = np.concatenate([np.full(len(pages), weight) for pages, weight in groups])
    return fit_temperature(scores, truth, weights)


def report(folds: BothWays, unlike: BothWays, *, every_error: bool = False) -> Iterator[str]:
    """Yield the report line by line, from the pages judged in folds by site, and those of corpora left out whole."""
    judged, bare = folds
    yield f"og:type alone: article balanced accuracy {og_type_rule(judged.of_corpora().examples):.3f}"
    for name, pages in (("with the URL", judged), ("the page alone", bare)):
        corpora = pages.of_corpora()
        yield from _figures(f"{name}, news sites", corpora.of_news())
        yield from _figures(f"{name}, news sites, pages from 2013 on", corpora.of_news().without(OLD))
        yield from _figures(f"{name}, all sites", corpora)
        for more, group in (("sites that carried news", pages.of_carried()), ("followed sites", pages.of_followed())):
            if len(group):
                yield from _figures(f"{name}, {more}", group)
                yield f"home pages taken for sections: {group.homes_as_sections():.3f}"
    for name, pages in zip(("with the URL", "the page alone"), unlike, strict=True):
        for corpus in UNLIKE:
            if len(group := pages.of_corpus(corpus)):
                yield from _figures(f"{name}, the corpus {corpus} left out", group)
    temperature = temperature_of(folds, unlike)
    yield from _calibration(folds, unlike, temperature)
    yield from _worst(judged.of_corpora().of_news(), temperature, every_error)


def _figures(title: str, judged: JudgedPages) -> Iterator[str]:
    sites = len({page.site for page in judged.examples.labels})
    yield f"## {title}: {len(judged.examples)} pages of {sites} sites, 5 folds by site"
    forced = judged.forced_balanced_accuracy()
    sections = judged.section_balanced_accuracy()
    yield f"article against section: balanced accuracy {sections:.3f}, forced choice {forced:.3f}"
    yield f"three kinds: balanced accuracy {judged.balanced_accuracy():.3f}, macro F {judged.macro_f():.3f}"
    yield f"article against the rest: balanced accuracy {judged.article_balanced_accuracy():.3f}"
    yield f"confusion ({', '.join(KINDS)}): {judged.confusion.tolist()}"


def _calibration(folds: BothWays, unlike: BothWays, temperature: float) -> Iterator[str]:
    """Measure calibration on dev with a temperature fitted on train, so that neither saw a site of dev."""
    yield f"## calibration on dev, temperature {temperature} chosen on train"
    yield f"error overall, and by kind ({', '.join(KINDS)})"
    for name, pages, left_out in zip(("with the URL", "the page alone"), folds, unlike, strict=True):
        dev = pages.of_split("dev")
        corpora = dev.of_corpora()
        groups = {
            "all sites": corpora,
            "news sites": corpora.of_news(),
            "other sites": corpora.of_other_sites(),
            "sites that carried news": dev.of_carried(),
            **{f"the corpus {corpus} left out": left_out.of_split("dev").of_corpus(corpus) for corpus in UNLIKE},
        }
        for group, some in groups.items():
            if len(some):
                yield _calibration_line(f"{name}, {group}", some, temperature)
    yield "   pages  stated   right"
    dev = folds[0].of_split("dev")
    for tenth in reliability(_probabilities(dev, temperature), dev.examples.truth):
        bar = "#" * round(_BAR * tenth.accuracy)
        yield f"{tenth.size:8} {tenth.confidence:7.3f} {tenth.accuracy:7.3f}  {bar}"


def _calibration_line(title: str, judged: JudgedPages, temperature: float) -> str:
    probabilities, truth = _probabilities(judged, temperature), judged.examples.truth
    error = calibration_error(probabilities, truth, _equal_weights(judged))
    kinds = ", ".join(f"{each:.3f}" for each in class_calibration_errors(probabilities, truth))
    return f"{title}: {len(truth)} pages, calibration error {error:.3f} ({kinds})"


def _worst(judged: JudgedPages, temperature: float, every: bool) -> Iterator[str]:
    """Name the misidentified pages, the most confident first."""
    probabilities = _probabilities(judged, temperature)
    wrong = np.flatnonzero(judged.predicted != judged.examples.truth)
    order: Sequence[int] = wrong[np.argsort(-probabilities.max(axis=1)[wrong], kind="stable")].tolist()
    yield "## misidentified pages of news sites, the most confident first"
    for row in order if every else order[:WORST]:
        page, predicted = judged.examples.labels[row], int(judged.predicted[row])
        yield f"{page.kind} taken for {KINDS[predicted]} ({probabilities[row, predicted]:.2f}): {page.id} {page.url}"
        yield f"    {'; '.join(judged.why(row)[:REASONS])}"


def _probabilities(judged: JudgedPages, temperature: float) -> Doubles:
    return apply_link(judged.scores / temperature, "softmax")


def _equal_weights(judged: JudgedPages) -> Doubles:
    return np.ones(len(judged.examples))
