from datetime import date

import numpy as np
import pytest

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document, parse
from broadsheet.reading import names, read, to_article
from broadsheet.reading.profiles import SiteProfile, induce
from tests.reading.profiles.site import FOLLOW, SENTENCES, page

DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def profile() -> SiteProfile:
    return induce([page(number) for number in range(4)], day=DAY)


def body(document: Document, reading: Reading) -> str:
    return to_article(document, reading).body


def everything(document: Document, score: float = 0.0) -> Reading:
    """Read all text as body, like a reader that cannot recognize templates."""
    labels = np.full(len(document.pieces), Label.BODY, np.int8)
    return Reading(labels, np.full(len(labels), score), "everything")


def test_template_lines_are_dropped(profile: SiteProfile) -> None:
    document = page(7)

    # The default reader leaves the line out by itself.
    plain, better = (body(document, read(document, "coreex", profile=each)) for each in (None, profile))

    assert FOLLOW in plain
    assert FOLLOW not in better
    assert SENTENCES[0] in better


def test_any_text_in_a_template_place_is_dropped() -> None:
    site = induce([page(number, f"<p class=share>Share this story, {number} did</p>") for number in range(4)], day=DAY)
    document = page(7, "<p class=share>Tell your friends about it</p>")

    assert "Tell your friends" in body(document, everything(document))
    assert "Tell your friends" not in body(document, site.apply(document, everything(document)))


def test_lines_in_the_place_of_articles_are_added(profile: SiteProfile) -> None:
    document = page(7)
    labels = np.zeros(len(document.pieces), np.int8)
    legal = document.nodes.piece_start[document.rows("p")[-1]]
    labels[legal] = Label.BODY

    text = body(document, profile.apply(document, Reading(labels, (labels > 0).astype(np.float32), "wrong")))

    assert all(sentence in text for sentence in SENTENCES)
    assert FOLLOW not in text


def test_a_line_of_links_is_not_added(profile: SiteProfile) -> None:
    document = page(7, "<p><a href=/x>Another story that the harbour talks about today</a></p>")
    labels = np.zeros(len(document.pieces), np.int8)

    text = body(document, profile.apply(document, Reading(labels, labels.astype(np.float32), "nothing")))

    assert SENTENCES[0] in text
    assert "Another story" not in text


def test_a_page_that_the_profile_was_built_from_keeps_its_article() -> None:
    same = [f"{sentence} Every page says so." for sentence in SENTENCES]
    site = induce([page(0, paragraphs=same), page(1, paragraphs=same), page(2)], day=DAY)
    document = page(1, paragraphs=same)

    assert SENTENCES[0] in body(document, site.apply(document, read(document)))


def test_lines_repeated_within_a_page_are_kept() -> None:
    heading = "<h3>What we like</h3>"
    site = induce([page(number, heading) for number in range(4)], day=DAY)
    document = page(7, heading, "<p>The pier is wide enough for two.</p>", heading)

    assert body(document, site.apply(document, everything(document))).count("What we like") == 2


def test_a_confident_reader_is_not_overruled(profile: SiteProfile) -> None:
    document = page(7)
    labels = np.full(len(document.pieces), Label.BODY, np.int8)
    labels[0] = Label.GARBAGE

    sure, unsure = (Reading(labels, np.full(len(labels), score), "scored") for score in (0.95, 0.5))

    assert FOLLOW in body(document, profile.apply(document, sure))
    assert FOLLOW not in body(document, profile.apply(document, unsure))


def test_title_date_and_author_stay_as_they_are(profile: SiteProfile) -> None:
    document = page(7)
    labels = np.full(len(document.pieces), Label.AUTHOR, np.int8)

    assert (profile.apply(document, Reading(labels, labels.astype(np.float32), "names")).labels == Label.AUTHOR).all()


@pytest.mark.parametrize("reader", ["coreex", "subsequence", "separator", "default"])
def test_every_reader_can_be_combined_with_a_profile(profile: SiteProfile, reader: str) -> None:
    document = page(7)
    assert reader in names()

    reading = read(document, reader, profile=profile)

    assert reading.reader == reader
    assert SENTENCES[0] in body(document, reading)


def test_a_page_without_text_has_nothing_to_change(profile: SiteProfile) -> None:
    document = parse("<img>")

    assert len(read(document, profile=profile).labels) == 0
