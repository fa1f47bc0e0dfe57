"""What the targets of a source are: evidence of addresses, links and other targets, with reasons."""

from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.records import KINDS
from broadsheet.sources.address_shapes import address_shapes
from broadsheet.sources.expected_quality import PhaseSwitch, expected_f, may_switch
from broadsheet.sources.link_features import LINK_FEATURES, measure_links
from broadsheet.sources.link_words import service_share
from broadsheet.sources.site_evidence import beliefs_of, contrasts, folder, shared_evidence
from broadsheet.sources.site_model import load_site_model, save_site_model, site_model
from broadsheet.sources.source_judge import SourceJudge
from broadsheet.sources.source_links import SourceLinks, TargetGroups
from tests.sources.visits import visit

HOME = "https://news.example/"
STORIES = [f"https://news.example/politics/2026/11/16/the-minister-has-said-number-{number}" for number in range(12)]
SECTIONS = [f"https://news.example/{name}/" for name in ("politics", "sport", "culture", "world")]
SERVICES = [f"https://news.example/{name}" for name in ("imprint", "privacy", "login")]


def front_page(snapshots: int) -> SourceLinks:
    """Return the links of a home page with a menu, a list of stories that moves on, and a footer."""
    links = SourceLinks()
    for number in range(snapshots):
        stories = STORIES[max(0, 8 - number) :][:4]
        lists = {1: SECTIONS, 2: stories, 3: SERVICES}
        saved = visit("home", number, lists)
        assert saved.targets is not None
        anchors = [
            f"The minister has said what she thinks of it, says {url[-2:]}"
            if url in STORIES
            else url.rstrip("/").rpartition("/")[2]
            for url in saved.targets
        ]
        places = {1: "/html/body/nav/ul/li/a", 2: "/html/body/main/article/h2/a", 3: "/html/body/footer/ul/li/a"}
        links.add(
            saved, list(saved.targets), anchors, [places[collection] for collection in saved.collections.tolist()]
        )
    return links


@pytest.mark.parametrize("snapshots", [1, 6])
def test_a_plain_front_page_is_understood_from_the_first_visit_on(snapshots: int) -> None:
    links = front_page(snapshots)
    targets = list(links.urls)

    verdicts = dict(zip(targets, SourceJudge(lambda _: links).judge("news", targets), strict=True))

    kinds = {target: verdict.kind for target, verdict in verdicts.items() if verdict}
    assert {kinds[url] for url in kinds if url in STORIES} == {"article"}
    assert {kinds[url] for url in SECTIONS} == {"section"}
    assert {kinds[url] for url in SERVICES} == {"other"}


def test_the_second_page_of_a_story_is_an_article_though_its_link_says_a_number_and_never_moves() -> None:
    links = front_page(6)
    second = f"{STORIES[7]}/2"
    for number in range(6, 9):
        links.add(visit(STORIES[7], number, {1: [second]}), [second], ["2"], ["/html/body/main/nav/a"])
    targets = list(links.urls)

    verdicts = dict(zip(targets, SourceJudge(lambda _: links).judge("news", targets), strict=True))

    assert {verdict.kind for target in (STORIES[7], second) if (verdict := verdicts[target])} == {"article"}


def test_what_follows_visitors_in_an_address_makes_no_difference() -> None:
    links, tracked = front_page(6), SourceLinks()
    target = STORIES[7]
    for number in range(6, 9):
        url = f"{target}?utm_source=front&utm_content=list"
        tracked.add(visit("home", number, {1: [target]}), [url], ["What the minister said"], ["/html/body/main/h2/a"])

    assert tracked.urls[target] != target
    assert tracked.table([target]).urls == links.table([target]).urls == [target]


def test_reasons_say_what_was_seen() -> None:
    links = front_page(6)
    targets = list(links.urls)

    verdicts = dict(zip(targets, SourceJudge(lambda _: links).judge("news", targets), strict=True))

    story, section = verdicts[STORIES[8]], verdicts[SECTIONS[0]]
    assert story is not None
    assert section is not None
    assert story.reasons[:3] == ("linked in 4 of 6 visits", "moved 3 times", "linked from 1 page")
    assert "other addresses in its folder are articles" in story.reasons[3]
    assert section.reasons[:2] == ("linked in 6 of 6 visits", "never moved")


def test_a_page_that_nothing_links_to_has_no_verdict() -> None:
    links = front_page(1)

    assert SourceJudge(lambda _: links).judge("news", ["https://news.example/elsewhere"]) == [None]
    assert SourceJudge(lambda _: SourceLinks()).judge("news", ["x"]) == [None]


def test_without_addresses_the_folder_and_the_address_do_not_matter() -> None:
    links = front_page(6)
    keys = list(links.urls)
    model = site_model().without_addresses()
    table = links.table(keys)

    before = model.probabilities(table)
    object.__setattr__(table, "urls", [f"https://other.example/{number}" for number in range(len(keys))])

    np.testing.assert_array_equal(model.probabilities(table), before)
    assert KINDS[before[keys.index(STORIES[8])].argmax()] == "article"


def test_probabilities_sum_to_one() -> None:
    links = front_page(3)

    for beliefs in site_model().evidence(links.table(list(links.urls))):
        np.testing.assert_allclose(beliefs.sum(axis=1), 1)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    model, table = site_model(), front_page(3).table([*SECTIONS, *SERVICES])

    save_site_model(model, tmp_path)

    assert model.models.addresses is not None
    read = load_site_model(tmp_path, model.models.addresses)
    np.testing.assert_array_equal(read.probabilities(table), model.probabilities(table))
    assert read.publishers == model.publishers


def test_a_model_without_addresses_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="without addresses"):
        save_site_model(site_model().without_addresses(), tmp_path)


def test_topic_pages_with_addresses_of_articles_are_told_by_the_links_to_them() -> None:
    """Addresses of both have the same form; the links differ in text, place and behaviour."""
    topics = [f"https://news.example/news/id_90{number}/everything-about-person-number-{number}" for number in range(9)]
    stories = [f"https://news.example/news/id_80{number}/the-person-has-said-a-word-{number}" for number in range(12)]
    links = SourceLinks()
    for number in range(6):
        saved = visit("home", number, {1: topics, 2: stories[max(0, 8 - number) :][:4]})
        targets = list(saved.targets or ())
        texts = [
            f"Person {url[-1]}" if url in topics else f"A long headline that says what has happened, {url}"
            for url in targets
        ]
        paths = ["/html/body/nav/ul/li/a" if url in topics else "/html/body/main/article/h2/a" for url in targets]
        links.add(saved, targets, texts, paths)
    keys = list(links.urls)

    kinds = dict(zip(keys, site_model().probabilities(links.table(keys)).argmax(axis=1).tolist(), strict=True))

    assert {KINDS[kinds[url]] for url in stories if url in kinds} == {"article"}
    assert "article" not in {KINDS[kinds[url]] for url in topics}


def test_odds_and_probabilities_are_two_ways_to_say_the_same() -> None:
    beliefs = np.array([[0.7, 0.2, 0.1], [0.05, 0.15, 0.8]])

    np.testing.assert_allclose(beliefs_of(contrasts(beliefs)), beliefs)


def test_others_of_a_group_speak_for_a_target_and_it_does_not_speak_for_itself() -> None:
    beliefs = np.array([[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.34, 0.33, 0.33], [0.02, 0.49, 0.49]])

    shared = shared_evidence(TargetGroups.of([("a",), ("a",), ("a",), ("b",)]), beliefs)

    assert shared[2, 0] > 0
    assert shared[3].tolist() == pytest.approx([0, 0])


def test_a_folder_is_the_address_up_to_its_last_segment() -> None:
    assert folder("https://www.news.example/politics/germany/a-story-123.html") == "www.news.example/politics/germany"
    assert folder("https://news.example/sport/") == "news.example"


def test_link_features_know_nothing_of_the_neighbours_of_a_lonely_link() -> None:
    links = SourceLinks()
    links.add(visit("home", 0, {1: ["https://news.example/a"]}), ["https://news.example/a"], [""], ["/html/body/nav/a"])

    row = dict(zip(LINK_FEATURES, measure_links(links.table(["https://news.example/a"]))[0].tolist(), strict=True))

    assert np.isnan(row["neighbours_stability"])
    assert np.isnan(row["anchor_words"])
    assert (row["in_nav"], row["in_footer"], row["stability"]) == (1, 0, 1)


def test_the_quality_of_verdicts_follows_from_their_probabilities() -> None:
    assert expected_f(np.array([1.0, 1.0, 0.0])) == pytest.approx(1)
    assert expected_f(np.array([0.6, 0.4])) == pytest.approx(0.6)
    assert may_switch(np.array([0.95, 0.9, 0.05]))
    assert not may_switch(np.array([0.6, 0.55, 0.4]))
    assert not may_switch(np.zeros(0))


def test_addresses_have_one_shape_if_they_share_what_the_site_repeats() -> None:
    urls = [f"https://news.example/{topic}/a-title-with-the-word-{topic}/story/{n}" for n, topic in enumerate("abcd")]

    story, *others = address_shapes([*urls, "https://news.example/politics/"])

    assert others[:3] == [story] * 3
    assert others[3] != story
    assert story == ("news.example", ("words", "story"), 4, "number", False)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Contact", 1.0),
        ("Suscríbete", 1.0),
        ("お問い合わせ", 1.0),
        ("개인정보처리방침", 0.5),
        ("Politics", 0.0),
        ("", 0.0),
    ],
)
def test_words_that_offer_a_service_are_known_in_many_languages(text: str, share: float) -> None:
    assert service_share(text) == share


def test_a_headline_with_one_such_word_is_not_a_service() -> None:
    assert service_share("The weather will be bad for everybody in the north") < 0.2


def test_the_phases_switch_only_after_sections_have_stayed_the_same() -> None:
    phases = PhaseSwitch()
    sure = np.array([0.99, 0.98, 0.01])

    moments = [phases.observe(sure, sections) for sections in (["a"], ["a", "b"], ["a", "b"], ["a", "b"], ["a", "b"])]

    assert moments == [False, False, False, False, True]


def test_the_phases_do_not_switch_while_articles_are_in_doubt() -> None:
    phases = PhaseSwitch()

    assert not any(phases.observe(np.array([0.6, 0.5, 0.4]), ["a"]) for _ in range(10))
