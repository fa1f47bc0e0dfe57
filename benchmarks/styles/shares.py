"""The irrelevant share of real style sheets, and the time saved by skipping it."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from unittest.mock import patch

import tinycss2

from benchmarks.pages import Page
from broadsheet.base.errors import BroadsheetError
from broadsheet.document.document import Document, parse
from broadsheet.document.styles import (
    _element_markup,
    colours,
    conditions,
    css_lengths,
    declarations,
    families,
    grammar,
    read_styles,
    selector_keys,
    sheets,
)
from broadsheet.document.styles.scanner import cut_sheet


def clear_caches() -> None:
    """Clear all caches, so that a page is styled as if it were the first."""
    for cached in (
        sheets.read_sheet,
        declarations.parse_declarations,
        declarations.parse_value,
        colours.parse_colour,
        colours.parse_legacy_colour,
        css_lengths.parse_length,
        grammar.parse_selector,
        grammar.simple_compound,
        selector_keys.text_key,
        _element_markup.read_features,
        families.parse_families,
        families.generic,
        conditions.media_matches,
        conditions.supports,
    ):
        cached.cache_clear()


def measure(pages: Sequence[Page]) -> dict[str, float]:
    """Return the shares of skipped rules and declarations, and our time relative to processing all of them."""
    rules = kept_rules = total = kept = 0
    filtered = unfiltered = everything = 0.0
    for page in pages:
        try:
            document = parse(page.data, encoding="utf-8")
        except BroadsheetError:
            continue
        texts = [element.text for element in document.elements("style") if element.text]
        if not texts:
            continue
        for block in (block for text in texts for block in _blocks(text)):
            count, relevant = declarations.count_declarations(block)
            rules, total = rules + 1, total + count
            kept_rules, kept = kept_rules + declarations.is_relevant(block), kept + relevant
        filtered += _seconds(partial(read_styles, document))
        with patch.object(sheets, "is_relevant", lambda _: True):
            unfiltered += _seconds(partial(read_styles, document))
        everything += _seconds(partial(_read_everything, document, texts))
    return {
        "rules": rules,
        "rules_dropped": 1 - kept_rules / max(rules, 1),
        "declarations": total,
        "declarations_dropped": 1 - kept / max(total, 1),
        "time_against_no_filter": filtered / unfiltered if unfiltered else 1.0,
        "time_against_parsing_all": filtered / everything if everything else 1.0,
    }


def _blocks(text: str) -> list[str]:
    """Return the blocks of all style rules, including nested ones."""
    blocks, waiting = [], [text]
    while waiting:
        for cut in cut_sheet(waiting.pop()):
            if cut.block is None:
                continue
            if not cut.at:
                blocks.append(cut.block)
            elif cut.at in {"media", "supports", "layer"}:
                waiting.append(cut.block)
    return blocks


def _seconds(work: Callable[[], object]) -> float:
    clear_caches()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _read_everything(document: Document, texts: Sequence[str]) -> None:
    """Compute the styles, and also parse every rule and declaration of the sheets."""
    waiting = [
        rule for text in texts for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    ]
    while waiting:
        rule = waiting.pop()
        if rule.type == "qualified-rule":
            tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in {"media", "supports"}:
            waiting += tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
    read_styles(document)
