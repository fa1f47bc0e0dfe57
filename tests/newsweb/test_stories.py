from datetime import UTC, datetime, timedelta
from itertools import islice

from broadsheet.newsweb._stories import Stories
from broadsheet.newsweb._timeline import Timeline
from broadsheet.newsweb.site import make_site

SITES = [make_site(3, place) for place in range(3)]
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=9)


def test_a_story_does_not_depend_on_the_others() -> None:
    slots = list(islice(Timeline(SITES[0]).before(NOON), 20))
    stories = Stories(SITES[0])
    for slot in slots:
        stories.version_at(slot, NOON)

    assert Stories(SITES[0]).version_at(slots[13], NOON) == stories.version_at(slots[13], NOON)


def test_every_url_is_unique() -> None:
    for site in SITES:
        stories = Stories(site)
        paths = [stories.version_at(slot, NOON).path for slot in islice(Timeline(site).before(NOON), 1000)]

        assert len(set(paths)) == len(paths)


def test_some_stories_have_two_authors() -> None:
    stories = [
        Stories(site).version_at(slot, NOON) for site in SITES for slot in islice(Timeline(site).before(NOON), 100)
    ]

    assert {len(set(story.authors)) for story in stories} == {1, 2}
    assert all(set(story.authors) <= set(story.section.lexicon.authors) for story in stories)


def test_a_few_stories_are_corrected_in_one_paragraph_after_the_first() -> None:
    stories = Stories(SITES[0])
    slots = list(islice(Timeline(SITES[0]).before(NOON), 1000))
    corrected = [slot for slot in slots if stories.version_at(slot, LATER).modified]

    assert 50 < len(corrected) < 110
    for slot in corrected:
        last = stories.version_at(slot, LATER)
        assert last.modified is not None
        assert last.modified > last.published
        first = stories.version_at(slot, last.modified - timedelta(seconds=1))
        assert (first.modified, first.headline, first.path) == (None, last.headline, last.path)
        assert stories.version_at(slot, last.modified) == last
        changed = [
            place
            for place, texts in enumerate(zip(first.paragraphs, last.paragraphs, strict=True))
            if texts[0] != texts[1]
        ]
        assert len(changed) == 1
        assert changed != [0]
