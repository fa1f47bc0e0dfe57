import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.facts._east_asian_names import has_chinese_surname, has_korean_surname, reported_by
from broadsheet.reading.facts._name_letters import letter_groups, likeness
from broadsheet.reading.facts._name_words import LEADS, OTHERS
from broadsheet.reading.facts._person_names import (
    MAX_BYLINE,
    MAX_NAMES,
    after_inner_lead,
    beside_date,
    credits_makers,
    fold,
    has_lead,
    has_shape_of_name,
    in_dateline,
    is_organisation,
    lists_names,
    names_in,
    within_line,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nora Pell", ["Nora Pell"]),
        ("By Nora Pell and Ian Moor", ["Nora Pell", "Ian Moor"]),
        ("Von Nora Pell, Berlin-Korrespondentin", ["Nora Pell", "Berlin-Korrespondentin"]),
        ("Nora Pell, Senior Editor", ["Nora Pell"]),
        ("By Nora Pell's team", []),
        ("胡一刀&李小飞", ["胡一刀", "李小飞"]),
        ("AWR Wprost Sp. z o.o.", ["AWR Wprost Sp. z o.o"]),
        ("Nora Pell, MD, PhD", ["Nora Pell"]),
        ("Nora Pell; Ian Moor & Ada Lind", ["Nora Pell", "Ian Moor", "Ada Lind"]),
        ("By Nora Pell | March 2, 2026", ["Nora Pell"]),
        ("By Nora Pell March 2, 2026", ["Nora Pell"]),
        ("Nora Pell is a writer in Brimmouth", ["Nora Pell"]),
        ("Nora Pell (nora@courier.example)", ["Nora Pell"]),
        ("Par Anne de la Tour et Luc van Dyck", ["Anne de la Tour", "Luc van Dyck"]),
        ("By Nora Pell | Reviewed by | Ian Moor", ["Nora Pell"]),
        ("Text: Nora Pell, Foto: Ian Moor", ["Nora Pell"]),
        ("By Nora Pell12.03.2026", ["Nora Pell"]),
        ("Eingestellt von | Nora Pell", ["Nora Pell"]),
        ("Publié par | Nora Pell", ["Nora Pell"]),
        ("Nora (Ann) Pell", ["Nora (Ann) Pell"]),
        ("Alles von Nora Pell", ["Nora Pell"]),
        ("كتبت أسماء نصار", ["أسماء نصار"]),
        ("No\u00adra Pell", ["Nora Pell"]),
        ("BR24 Redaktion", ["BR24 Redaktion"]),
        ("© Nora Pell", ["Nora Pell"]),
        ("Autor: Nora Janczy. Data publikacji 2026-03-02", ["Nora Janczy"]),
        ("작성 기자", ["작성"]),
        ("구현모 기자", ["구현모"]),
        ("Interview von Nora Pell mit Ian Moor", ["Nora Pell"]),
        ("Nora Pell. Photos: Ian Moor, Ada Lind", ["Nora Pell"]),
        ("文● 岡本", ["岡本"]),
        ("Unknown", []),
        ("佚名", []),
        ("Staff Writer", ["Staff Writer"]),
        ("By", []),
        ("What happened? Read on!", []),
        ("12 March 2026", []),
        ("", []),
    ],
)
def test_a_byline_is_split_into_names(text: str, names: list[str]) -> None:
    assert list(names_in(text)) == names


@pytest.mark.parametrize("text", ["By Nora Pell", "von | Nora Pell", "Autor: Nora Pell", "文／田中"])
def test_bylines_are_recognized_by_their_first_words(text: str) -> None:
    assert has_lead(text)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("3 March 2026 | by | Nora Pell", "Nora Pell"),
        ("Posted on March 3, 2026 by Nora Pell", "Nora Pell"),
        ("03.03.2026, 11:00 | Autor: Nora Pell", "Nora Pell"),
        ("On 3 March she came by train", None),
        ("Nora Pell", None),
    ],
)
def test_a_lead_within_a_line_is_found_after_a_date_or_separator(line: str, rest: str | None) -> None:
    assert after_inner_lead(line) == rest


@pytest.mark.parametrize("text", ["Nora Pell", "Anne de la Tour", "Дмитрий Тренин", "H.G. Parry", "NORA PELL"])
def test_a_name_alone_has_the_shape_of_a_name(text: str) -> None:
    assert has_shape_of_name(text)


@pytest.mark.parametrize(
    "text", ["", "Nora", "nora pell", "The bridge was opened", "Nora Pell, 3", "A B C D E", "معلومات عامة", "提 交"]
)
def test_other_texts_have_another_shape(text: str) -> None:
    assert not has_shape_of_name(text)


def test_a_sentence_is_not_a_byline() -> None:
    assert not has_lead("The bridge was opened")
    assert not has_lead("Byron was there")


@pytest.mark.parametrize(
    "name", ["Reuters", "Associated Press", "Newsdesk", "The Courier", "Courier Staff", "x.com", "Acme Ltd"]
)
def test_agencies_desks_sites_and_companies_are_not_people(name: str) -> None:
    assert is_organisation(name, frozenset((fold("The Courier"),)))


@pytest.mark.parametrize("name", ["Nora Pell", "n.pell", "Cory Baxter"])
def test_people_are_not_organisations(name: str) -> None:
    assert not is_organisation(name, frozenset((fold("The Courier"),)))


@pytest.mark.parametrize("lead", LEADS)
def test_every_lead_begins_a_byline_in_any_case(lead: str) -> None:
    assert has_lead(f"{lead}: Nora Pell")
    assert has_lead(f"{lead.upper()} | Åsa Pell")


@pytest.mark.parametrize("other", OTHERS)
def test_other_contributors_are_left_out(other: str) -> None:
    assert names_in(f"Nora Pell, {other}: Ian Moor") == ("Nora Pell",)


@given(st.text(max_size=MAX_BYLINE + 50))
def test_any_text_can_be_read(text: str) -> None:
    names = names_in(text)

    assert len(names) <= MAX_NAMES
    assert all(name.strip() == name and name for name in names)


@given(st.lists(st.sampled_from(["Nora Pell", "Ian Moor", "Ada Lind", "Luc van Dyck"]), unique=True, min_size=1))
def test_listed_names_are_found_in_order(names: list[str]) -> None:
    assert list(names_in("By " + ", ".join(names))) == names


def test_letters_tell_how_much_a_text_looks_like_a_name() -> None:
    weights = {"^no": 2.0, "ora": 2.0, "con": -2.0, "tact": -2.0}

    assert likeness("Nora", weights) > likeness("Zyx", weights) > likeness("Contact", weights)


@given(st.text(max_size=80))
def test_any_text_has_letters(text: str) -> None:
    groups = letter_groups(text)

    assert all(len(group) >= 2 for group in groups)
    assert likeness(text, dict.fromkeys(groups, 9.0)) >= likeness(text, dict.fromkeys(groups, -9.0))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("11.12.2019 - Nora Pell", "Nora Pell"),
        ("04.02.2022 | 13:10 Uhr | Nora Pell", "Nora Pell"),
        ("Nora Pell 20 Jun 2017 - 10:20AM", "Nora Pell"),
        ("Nora Pell, März 2020", "Nora Pell"),
        ("Monday, 2 March 2026", None),
        ("Published January 3, 2024", None),
    ],
)
def test_a_name_may_stand_beside_a_date(line: str, name: str | None) -> None:
    assert beside_date(line) == name


@pytest.mark.parametrize(
    ("line", "byline"),
    [
        ("A column by Nora Pell", "Nora Pell"),
        ("Im Gespräch von Nora Pell", "Nora Pell"),
        ("Leasing von Fahrzeugen", None),
        ("Fotos von Nora Pell", None),
    ],
)
def test_a_name_may_be_introduced_within_a_line(line: str, byline: str | None) -> None:
    found = within_line(line)

    assert (names_in(found) if found else None) == ((byline,) if byline else None)


@pytest.mark.parametrize(
    ("line", "byline"),
    [
        ("本報訊(記者劉立春) 做了一次手術", "劉立春"),
        ("記者陳鈞凱／台北報導", "陳鈞凱"),
        ("(張文祿報導)", "張文祿"),
        ("【撰文：曾廣海、尹瑞麟】", "曾廣海、尹瑞麟"),
        ("경제부 나윤석 기자 na@courier.example", "나윤석"),
        ("記者：邱雯琪 羅執中 台北報導", "邱雯琪、羅執中"),
        ("【邱俊吉╱台北報導】近日天冷", "邱俊吉"),
        ("采写：南都见习记者 林子沛", "林子沛"),
        ("（记者 梁沅 通讯员 石岩）", "梁沅"),
        ("不讓人失望。文/包文臻", "包文臻"),
        ("(李艳 撰稿)", "李艳"),
        ("来源： | 光明日报 | 作者： | 詹媛", "詹媛"),
        ("作者： | 手机版", None),
        ("公司9日对记者表示", None),
        ("据外媒报道", None),
        ("(综合报道)", None),
        ("By Nora Pell", None),
    ],
)
def test_reporters_are_named_by_their_title_in_chinese_and_korean(line: str, byline: str | None) -> None:
    assert reported_by(line) == byline


def test_a_line_may_be_nothing_but_names() -> None:
    assert lists_names("Nora Pell, Ian Moor and Ada Lind")
    assert not lists_names("Nora Pell")
    assert not lists_names("Nora Pell, Harbours and more")


def test_a_text_with_a_number_has_not_the_shape_of_a_name() -> None:
    assert not has_shape_of_name("Netwave MNG6200")


@pytest.mark.parametrize(
    ("beginning", "name"),
    [
        ("Киев, 4 января (Новый Регион, Дарья Неклюдова) – Мост открыли", "Дарья Неклюдова"),
        ("Brimmouth, 3 March (Courier, Nora Pell) - The bridge", "Nora Pell"),
        ("Brimmouth (Courier, 3 March) - The bridge", None),
        ("The bridge (long, and narrow) is open", None),
    ],
)
def test_a_dateline_names_the_reporter_after_the_agency(beginning: str, name: str | None) -> None:
    assert in_dateline(beginning) == name


def test_credits_of_who_made_the_site_are_told_from_a_byline() -> None:
    assert credits_makers("Design: Nora Pell. Programming: Ian Moor")
    assert not credits_makers("Text: Nora Pell, Photos: Ian Moor")
    assert not credits_makers("Author: Nora Pell")


@pytest.mark.parametrize("name", ["人民日报", "财新网", "网络整理", "当代商报 时间", "共同通信", "한국일보"])
def test_newspapers_and_sources_in_east_asia_are_told_by_their_endings(name: str) -> None:
    assert is_organisation(name)


@pytest.mark.parametrize("name", ["李小飞", "田中 宏昌", "김두환", "Nora Pell"])
def test_names_of_people_do_not_end_like_those_of_newspapers(name: str) -> None:
    assert not is_organisation(name)


def test_surnames_tell_names_in_chinese_and_korean() -> None:
    assert has_chinese_surname("李小飞")
    assert has_chinese_surname("歐陽震華")
    assert not has_chinese_surname("看图片")
    assert has_korean_surname("김두환")
    assert not has_korean_surname("요소")


def test_the_letters_of_other_scripts_count_like_their_latin_ones() -> None:
    assert letter_groups("Иван Петров") == letter_groups("Ivan Petrov")
    assert letter_groups("Νίκος") == letter_groups("Nikos")
