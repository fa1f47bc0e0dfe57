"""The scanner finds the rules and declarations that a full parser finds."""

import tinycss2
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.document.styles.declarations import RELEVANT, is_relevant
from broadsheet.document.styles.scanner import cut_block, cut_sheet, without_comments

NAMES = ("color", "font-size", "margin", "background", "font", "--x", "display", "content")
VALUES = (
    "red", "1px", "url(a;b.png)", "url('a}b')", '"a;{b"', "rgb(1, 2, 3)", "'it\\'s'", "calc(1px + (2em * 3))",
    "/* } */ 1", "a\\;b", "url( x\\)y )", "[a;b]", "1/2",
)  # fmt: skip
SELECTORS = ("p", ".a > b", "a[href='{']", "#i:not(.x, .y)", "h1/* { */, h2", ".a\\:b", "li:nth-child(2n + 1)")

comments = st.sampled_from(("", " ", "/* ; } */", "\n"))
declarations = st.builds("{0}{1}:{2}{3}".format, comments, st.sampled_from(NAMES), st.sampled_from(VALUES), comments)
blocks = st.lists(declarations, max_size=4).map(";".join)
rules = st.builds("{0}{1}{{{2}}}".format, comments, st.sampled_from(SELECTORS), blocks)
groups = st.builds(
    "@media ({0}) {{{1}}}".format, st.sampled_from(("x", "y: 1")), st.lists(rules, max_size=3).map("".join)
)
statements = st.sampled_from(("@import 'a;b';", '@charset "x";', "@layer a, b;", "<!--", "-->"))
sheets = st.lists(st.one_of(rules, groups, statements), max_size=6).map("".join)


def plain(text: str) -> str:
    """Return the text without what no parser keeps."""
    values = tinycss2.parse_component_value_list(text, skip_comments=True)
    return "".join(tinycss2.serialize([value]) for value in values if value.type != "whitespace")


@given(sheets)
@settings(deadline=None)
def test_rules_are_those_of_a_full_parser(sheet: str) -> None:
    expected = [
        (getattr(rule, "lower_at_keyword", ""), plain(tinycss2.serialize(rule.prelude)), rule.content is not None)
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    ]
    cuts = [(cut.at, plain(cut.prelude), cut.block is not None) for cut in cut_sheet(sheet)]
    assert cuts == expected


@given(blocks)
@settings(deadline=None)
def test_declarations_are_those_of_a_full_parser(block: str) -> None:
    parsed = tinycss2.parse_blocks_contents(block, skip_comments=True, skip_whitespace=True)
    expected = [(rule.name, plain(tinycss2.serialize(rule.value))) for rule in parsed if rule.type == "declaration"]
    pairs = [without_comments(cut.prelude).partition(":") for cut in cut_block(block)]
    cuts = [(name.strip(), plain(value)) for name, _, value in pairs if name.strip()]
    assert cuts == expected
    if any(name in RELEVANT or name.startswith("--") for name, _ in expected):
        assert is_relevant(block)


@given(st.text(alphabet="{}()[];:'\"\\/*@ab!<->\n", max_size=60))
@settings(deadline=None)
def test_any_text_is_split_without_an_error(text: str) -> None:
    blocks = [cut.block or "" for cut in cut_sheet(text)]

    assert sum(map(len, blocks)) <= len(text)
    assert all(len(name) + len(value or "") <= len(block) for block in blocks for name, _, value in cut_block(block))


def test_irrelevant_blocks_are_recognised_without_parsing() -> None:
    assert not is_relevant("margin:0;background-color:red;font-style:italic;border-color:blue")
    assert is_relevant("margin:0;COLOR :red")
