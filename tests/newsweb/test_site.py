from datetime import timedelta

from broadsheet.newsweb.site import SECTIONS, STORIES_PER_SECTION, make_site, make_story


def test_the_same_seed_gives_the_same_site() -> None:
    assert make_site(7) == make_site(7)


def test_another_seed_gives_other_stories() -> None:
    assert make_site(7).stories != make_site(8).stories


def test_stories_come_newest_first_and_no_address_twice() -> None:
    stories = make_site(7).stories

    moments = [story.published for story in stories]
    assert moments == sorted(moments, reverse=True)
    assert len({story.path for story in stories}) == len(stories) == STORIES_PER_SECTION * len(SECTIONS)


def test_a_section_has_its_own_stories_alone() -> None:
    site = make_site(7)

    for section in site.sections:
        stories = site.of(section)
        assert len(stories) == STORIES_PER_SECTION
        assert all(story.path.startswith(f"/{section.slug}/") for story in stories)


def test_times_keep_the_offset_of_the_site() -> None:
    story = make_story(7, 1003, SECTIONS[0])

    assert story.published.utcoffset() == timedelta(hours=2)
    assert story.modified is None or story.modified > story.published


def test_a_story_does_not_depend_on_the_others() -> None:
    site = make_site(7)

    alone = make_story(7, 1003, SECTIONS[3])

    assert alone in site.stories
