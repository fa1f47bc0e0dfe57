from datetime import UTC, datetime
from random import Random

import pytest

from broadsheet.newsweb._english import ENGLISH
from broadsheet.newsweb._greek import GREEK
from broadsheet.newsweb._japanese import JAPANESE
from broadsheet.newsweb._lexicon import MIN_SENTENCES, Lexicon

LEXICONS = pytest.mark.parametrize("lexicon", [ENGLISH, GREEK, JAPANESE], ids=lambda lexicon: lexicon.language)


@LEXICONS
def test_every_template_can_be_filled(lexicon: Lexicon) -> None:
    facts = lexicon.facts(Random(1))

    for template in lexicon.headlines + lexicon.standfirsts + lexicon.sentences:
        text = lexicon.fill(template, facts)

        assert not set(text) & set("{}()")
        assert text[0] == text[0].upper()


@LEXICONS
def test_a_body_starts_with_the_lead_and_repeats_nothing(lexicon: Lexicon) -> None:
    facts = lexicon.facts(Random(1))
    written = [lexicon.fill(sentence, facts) for sentence in lexicon.sentences]

    for seed in range(30):
        paragraphs = lexicon.paragraphs(Random(seed), facts)

        counts = ["\n".join(paragraphs).count(sentence) for sentence in written]
        assert paragraphs[0] == written[0]
        assert max(counts) == 1
        assert sum(counts) >= MIN_SENTENCES


@LEXICONS
def test_bodies_differ_in_length(lexicon: Lexicon) -> None:
    facts = lexicon.facts(Random(1))

    assert len({len("".join(lexicon.paragraphs(Random(seed), facts))) for seed in range(10)}) > 5


@LEXICONS
def test_the_legacy_encoding_covers_the_language(lexicon: Lexicon) -> None:
    text = "".join((*lexicon.headlines, *lexicon.sentences, *lexicon.clauses, *lexicon.authors, lexicon.correction))

    assert text.encode(lexicon.charset).decode(lexicon.charset) == text


@LEXICONS
def test_a_year_has_twelve_months(lexicon: Lexicon) -> None:
    assert len(set(lexicon.months)) == 12


def test_dates_are_written_in_the_language() -> None:
    moment = datetime(2026, 3, 2, 9, 5, tzinfo=UTC)

    assert [lexicon.format_date(moment) for lexicon in (ENGLISH, GREEK, JAPANESE)] == [
        "2 March 2026, 09:05",
        "2 Μαρτίου 2026, 09:05",
        "2026年3月2日 09:05",
    ]
