"""A keep rule is read back as it is written, and everything else is refused in one sentence."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.errors import ConfigError
from broadsheet.base.keep_rules import KEEP_EVERYTHING, KEEP_KINDS, KeepRule
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.source_settings import SourceSettings

AGES = st.integers(1, 100 * 365 * 24).map(lambda hours: timedelta(hours=hours))
RULES = st.builds(KeepRule, *[st.none() | AGES] * len(KEEP_KINDS))


@given(RULES)
def test_a_written_rule_is_read_back(rule: KeepRule) -> None:
    assert KeepRule.parse(str(rule)) == rule
    assert bool(rule) == (rule != KEEP_EVERYTHING)


@given(st.permutations([("fronts", "30d"), ("OTHER", "12H"), ("links", "2y"), ("articles", "6m")]), st.data())
def test_order_case_and_spaces_do_not_matter(parts: list[tuple[str, str]], data: st.DataObject) -> None:
    spaces = st.text(" \t", max_size=2)
    text = ",".join(f"{data.draw(spaces)}{kind} {data.draw(spaces)}{age}{data.draw(spaces)}" for kind, age in parts)

    rule = KeepRule.parse(text)

    assert (rule.fronts, rule.other) == (timedelta(days=30), timedelta(hours=12))
    assert (rule.links, rule.articles) == (timedelta(days=730), timedelta(days=180))
    assert rule.shortest == timedelta(hours=12)


@given(st.text(max_size=30) | st.text("fronts other,links articles 0123456789dhwmy", max_size=40))
def test_any_other_text_is_refused_in_one_line(text: str) -> None:
    rule: KeepRule | None = None
    complaint = ""
    try:
        rule = KeepRule.parse(text)
    except ConfigError as error:
        complaint = str(error)

    assert complaint.isprintable() if rule is None else KeepRule.parse(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("front 30d", "unknown word 'front' in a keep rule; did you mean 'fronts'?"),
        ("artikel 30d", "unknown word 'artikel' in a keep rule; did you mean 'articles'?"),
        (
            "bodies 30d",
            "unknown word 'bodies' in a keep rule; write fronts, other, articles, links, events, visits or everything",
        ),
        ("", "a keep rule is empty; write fronts, other, articles, links, events, visits or everything"),
        ("fronts 30d,", "a keep rule is empty; write fronts, other, articles, links, events, visits or everything"),
        ("fronts", "a keep rule needs one age after 'fronts', such as 'fronts 30d', not 'fronts'"),
        ("fronts 30d 7d", "a keep rule needs one age after 'fronts', such as 'fronts 30d', not 'fronts 30d 7d'"),
        ("fronts 30d, fronts 7d", "the keep rule 'fronts 30d, fronts 7d' names 'fronts' twice"),
        ("fronts everything", "'everything' is not an age"),
    ],
)
def test_a_mistake_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as refused:
        KeepRule.parse(text)

    assert str(refused.value).startswith(complaint)


@pytest.mark.parametrize("age", ["30", "d", "30x", "1.5d", "-1d", "0d", "101y", "999999y", "1000000h", "٣d", "30 d"])
def test_what_is_not_an_age_is_refused(age: str) -> None:
    with pytest.raises(ConfigError):
        KeepRule.parse(f"fronts {age}")


def test_settings_refuse_bad_rules() -> None:
    with pytest.raises(ConfigError, match="did you mean 'fronts'"):
        SourceSettings(keep="front 30d")
    with pytest.raises(ConfigError, match="must be a rule such as"):
        SourceSettings(keep=30)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="did you mean 'fronts'"):
        NewsroomSettings(keep="front 30d")
