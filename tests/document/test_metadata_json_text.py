import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document.metadata._json_repair import MAX_DEPTH, read_tolerantly
from broadsheet.document.metadata._json_text import JsonError, read_json


def _values(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | text,
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(text, inner, max_size=5),
        max_leaves=30,
    )


JSON = _values(st.text(max_size=20))
#: Values whose strings contain nothing that could be mistaken for their end.
PLAIN = _values(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\"'\\"), max_size=20))
#: Text made of the tokens of JSON, mostly in the wrong order.
NOISE = st.lists(
    st.sampled_from(
        [
            *"{}[]:,\"'\\/;-",
            *(
                "//",
                "/*",
                "*/",
                "<!--",
                "-->",
                "<![CDATA[",
                "]]>",
                " ",
                "\n",
                "\t",
                "\x00",
                "\ufeff",
                "\ud83d",
            ),
            *(
                "\\u12",
                "\\ud83d",
                "&quot;",
                "true",
                "null",
                "NaN",
                "1e999",
                "007",
                "a",
                "ä",
                '"@type"',
                '"Article"',
            ),
        ]
    ),
    max_size=60,
).map("".join)
SAMPLE = json.dumps(
    {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "NewsArticle", "headline": 'He said "no", twice', "author": [{"name": "Ann"}, "Bob"]},
            {
                "@type": "WebPage",
                "url": "https://example.org/a?b=1&c=2",
                "position": -1.5,
                "free": False,
                "x": None,
            },
        ],
    },
    indent=1,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "line\nbreak\tand\x01control"}', {"a": "line\nbreak\tand\x01control"}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('<!-- {"a": 1} -->', {"a": 1}),
        ('<![CDATA[\n{"a": 1}\n]]>', {"a": 1}),
        ('//<![CDATA[\n{"a": 1}\n//]]>', {"a": 1}),
        ('/* <![CDATA[ */ {"a": 1} /* ]]> */', {"a": 1}),
        ('{"a": 1};', {"a": 1}),
        ("{&quot;a&quot;: &quot;b&quot;}", {"a": "b"}),
        ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}),
        ('{"a": 1,, "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "x"\n "b": "y"}', {"a": "x", "b": "y"}),
        ('[{"a": 1} {"b": 2}]', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1},\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}}', {"a": 1}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": {"b": 1}', {"a": {"b": 1}}),
        ('{"a": 1 // why\n, "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "x", // why "b"\n "b": "y" /* or */}', {"a": "x", "b": "y"}),
        ('{//"a": 1,\n"b": 2}', {"b": 2}),
        ('{"a": "https://x.org/y"}//', {"a": "https://x.org/y"}),
        ('{"a": "James "Jim" Doe", "b": 1,}', {"a": 'James "Jim" Doe', "b": 1}),
        (
            '{"a": "<a href="https://x.org" rel="x">y</a>", "b": 1}',
            {"a": '<a href="https://x.org" rel="x">y</a>', "b": 1},
        ),
        ('{"a": "He said "no", then left", "b": 1}', {"a": 'He said "no", then left', "b": 1}),
        ("{'a': 'it''s', 'b': \"x\"}", {"a": "it''s", "b": "x"}),
        ('{"a": Ann Author, "b": 1}', {"a": "Ann Author", "b": 1}),
        ("{a: 'x', b_2: true, c: undefined}", {"a": "x", "b_2": True, "c": None}),
        ('{"a": , "b": 1}', {"b": 1}),
        ('{"a": "\\q \\u00e4 \\ud83d\\ude00 \\n", }', {"a": "q ä 😀 \n"}),
        ('{"a": -1.5e3, "b": 007,}', {"a": -1500.0, "b": "007"}),
        ('{"a": "whole", "b": "cut of', {"a": "whole"}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('var data = {"a": 1};', {"a": 1}),
    ],
)
def test_real_faults_are_repaired(text: str, value: object) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize("text", ["", " \n", "text", '"', "</", "//", "/*", ";", "}", "]]>"])
def test_text_without_a_value_is_refused(text: str) -> None:
    with pytest.raises(JsonError):
        read_json(text)


@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_valid_json_is_read_as_by_the_standard_parser(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

    assert read_json(text) == json.loads(text)


@given(PLAIN.filter(lambda value: isinstance(value, list | dict)))
def test_the_lenient_parser_agrees_on_valid_json(value: Any) -> None:
    assert read_tolerantly(json.dumps(value, ensure_ascii=False)) == value


def reason_against(text: str) -> str | None:
    """Return why the text cannot be read, or None if it can; any other exception is a bug."""
    try:
        read_json(text)
    except JsonError as error:
        return str(error)
    return None


@given(NOISE)
def test_noise_gives_a_value_or_a_reason(text: str) -> None:
    for candidate in (text, '{"a":' + text, '{"a": "' + text + '"}'):
        assert reason_against(candidate) in {None, "empty", "not JSON"}


@given(st.integers(0, len(SAMPLE)), st.integers(0, len(SAMPLE)), NOISE)
def test_a_damaged_script_gives_a_value_or_a_reason(start: int, end: int, noise: str) -> None:
    for damaged in (SAMPLE[:start], SAMPLE[:start] + noise + SAMPLE[end:], SAMPLE[start:] + SAMPLE[:end]):
        assert reason_against(damaged) in {None, "empty", "not JSON"}


@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.sampled_from("{}[]:,\"'\\/\n x")), max_size=5))
def test_changed_characters_give_a_value_or_a_reason(changes: list[tuple[int, str]]) -> None:
    text = list(SAMPLE)
    for at, character in changes:
        text[at] = character

    assert reason_against("".join(text)) in {None, "not JSON"}


@pytest.mark.parametrize("pair", ["[]", "{}"])
def test_both_parsers_have_the_same_depth_limit(pair: str) -> None:
    def nested(levels: int, fault: str) -> str:
        opening = "[" if pair == "[]" else '{"a":'
        return opening * levels + "1" + fault + pair[1] * levels

    for fault in ("", ","):
        assert read_json(nested(MAX_DEPTH - 1, fault))
        with pytest.raises(JsonError, match="nested too deep"):
            read_json(nested(MAX_DEPTH + 1, fault))


@pytest.mark.parametrize(
    "text",
    [
        '"' * 99_000,
        '{"a": "' + '" ' * 49_000,
        '{"a": "' + '", ' * 33_000,
        '{"a": "' + "\\" * 99_000,
        "/*" * 49_000,
        "//" * 49_000,
        "<!--" * 24_000,
        "[]" * 49_000,
        "{}," * 33_000,
        '{"a' + " " * 99_000,
        '"' + " " * 99_000 + '"',
        "a " * 49_000,
        "a //" * 24_000,
        "{" * 99 + "]" * 90_000,
        ";" * 1_900_000,
        "/* " * 600_000,
        "//" * 900_000,
        '{"a": ' + "1" * 90_000 + "}",
    ],
    ids=range(18),
)
def test_no_text_takes_more_than_linear_time(text: str) -> None:
    start = process_time()
    reason_against(text)

    assert process_time() - start < 20
