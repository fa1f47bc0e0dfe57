import pytest

from broadsheet.newsweb.site import TEMPLATES, make_site

SITES = [make_site(5, place) for place in range(24)]


def test_the_same_seed_and_index_give_the_same_site() -> None:
    assert make_site(7, 2) == make_site(7, 2)
    assert make_site(7, 2) != make_site(8, 2)


@pytest.mark.parametrize("start", range(4))
def test_any_three_consecutive_sites_use_all_templates(start: int) -> None:
    assert {site.template for site in SITES[start : start + 3]} == set(TEMPLATES)


def test_all_languages_occur_and_some_sites_have_two() -> None:
    assert {language for site in SITES for language in site.languages} == {"en", "el", "ja"}
    assert {len(site.languages) for site in SITES} == {1, 2}


def test_hosts_and_sections_are_unique() -> None:
    assert len({site.host for site in SITES}) == len(SITES)
    for site in SITES:
        assert len({section.slug for section in site.sections}) == len(site.sections)
        assert [section.index for section in site.sections] == list(range(len(site.sections)))


def test_each_template_has_its_own_url_patterns() -> None:
    assert len({site.paths.article for site in SITES}) == len(TEMPLATES)


def test_only_the_table_layout_uses_legacy_encodings() -> None:
    assert {site.charset for site in SITES if site.template != "tables"} == {"utf-8"}
    assert {site.charset for site in SITES if site.template == "tables"} <= {
        "windows-1252",
        "windows-1253",
        "shift_jis",
    }
