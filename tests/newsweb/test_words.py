from datetime import UTC, datetime
from random import Random

import pytest

from broadsheet.newsweb.english import ENGLISH
from broadsheet.newsweb.greek import GREEK
from broadsheet.newsweb.japanese import JAPANESE
from broadsheet.newsweb.words import Lexicon

LEXICONS = pytest.mark.parametrize("lexicon", [ENGLISH, GREEK, JAPANESE], ids=lambda lexicon: lexicon.language)


@LEXICONS
def test_every_template_can_be_filled(lexicon: Lexicon) -> None:
    facts = lexicon.facts(Random(1))

    for template in lexicon.headlines + lexicon.standfirsts + lexicon.sentences:
        text = lexicon.fill(template, facts)

        assert not set(text) & set("{}()")
        assert text[0] == text[0].upper()


@LEXICONS
def test_a_body_has_every_sentence_once_and_begins_with_the_lead(lexicon: Lexicon) -> None:
    facts = lexicon.facts(Random(1))

    paragraphs = lexicon.paragraphs(Random(1), facts)

    body = "\n".join(paragraphs)
    assert paragraphs[0] == lexicon.fill(lexicon.sentences[0], facts)
    assert all(body.count(lexicon.fill(sentence, facts)) == 1 for sentence in lexicon.sentences)


@LEXICONS
def test_a_year_has_twelve_months(lexicon: Lexicon) -> None:
    assert len(set(lexicon.months)) == 12


def test_dates_are_written_in_the_language() -> None:
    moment = datetime(2026, 3, 2, 9, 5, tzinfo=UTC)

    assert [lexicon.day(moment) for lexicon in (ENGLISH, GREEK, JAPANESE)] == [
        "2 March 2026, 09:05",
        "2 Μαρτίου 2026, 09:05",
        "2026年3月2日 09:05",
    ]
