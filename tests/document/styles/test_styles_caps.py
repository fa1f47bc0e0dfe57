"""Hostile style sheets: each stays within its limit, keeps what was understood, and counts the rest."""

import time

import pytest

from broadsheet.base.errors import ConfigError
from broadsheet.document.document import parse
from broadsheet.document.styles import StyleLimits, Styles, read_styles

LIMITS = StyleLimits()
SPENT = "selector not tried: work budget spent"


def styles_of(css: str, limits: StyleLimits = LIMITS, body: str = "<p class=a>text</p>") -> Styles:
    return read_styles(parse(f"<!DOCTYPE html><style>{css}</style>{body}"), limits=limits)


def test_a_limit_must_be_positive() -> None:
    with pytest.raises(ConfigError, match="max_rules"):
        StyleLimits(max_rules=0)


@pytest.mark.parametrize(
    ("css", "limits", "reason"),
    [
        ("p{color:red}" + "b{color:blue}" * 9, StyleLimits(max_sheet_bytes=50), "sheet cut: too many bytes"),
        ("p{color:red}" + "b{color:blue}" * 9, StyleLimits(max_rules=3), "too many rules"),
        ("p{color:red}" + "b,i,u{color:blue}" * 9, StyleLimits(max_selectors=10), "too many selectors"),
        ("p{color:red}" + "b," * 99 + "b{color:blue}", StyleLimits(max_selector_bytes=50), "selector too long"),
        ("p{color:red}@media screen{@media screen{p{color:blue}}}", StyleLimits(max_nesting=1), "nested too deep"),
        ("p{color:red}p:not(:not(:not(b))){color:blue}", StyleLimits(max_nesting=2), "selector nested too deep"),
        ("p{color:red}p:is(:is(:is(b)), p){color:blue}", StyleLimits(max_nesting=2), "selector nested too deep"),
        ("p{color:red}.a{--x:12345678;color:var(--x,blue)}", StyleLimits(max_value_bytes=4), "value too long"),
        ("p{color:red}" + "div p{color:blue}" * 9, StyleLimits(max_attempts=1), SPENT),
    ],
)  # fmt: skip
def test_what_exceeds_a_limit_is_dropped_and_counted(css: str, limits: StyleLimits, reason: str) -> None:
    styles = styles_of(css, limits, "<div><p class=a>text</p></div>")
    assert styles.dropped[reason] >= 1
    assert int(styles.colour[0]) == (0xFF0000 if reason != "value too long" else 0)


def test_imports_are_limited_in_depth_and_number_and_cannot_loop() -> None:
    def endless(address: str) -> str:
        return f"@import '{address}x';p{{color:red}}"

    page = parse("<!DOCTYPE html><style>@import 'http://h/a';</style><p>text</p>", url="http://h/")
    deep = read_styles(page, endless, limits=StyleLimits(max_import_depth=3))
    assert deep.dropped["@import too deep"] == 1
    assert int(deep.colour[0]) == 0xFF0000
    many = read_styles(page, endless, limits=StyleLimits(max_imports=2))
    assert many.dropped["too many sheets to load"] == 1
    loop = read_styles(page, lambda _: "@import 'http://h/a';p{color:red}")
    assert loop.dropped["@import in a loop"] == 1


HOSTILE = {
    "a megabyte of rules": "p.x > b{color:red}" * 60_000,
    "deep nesting": "a{color:red;" * 100_000,
    "deep media": "@media screen{" * 100_000,
    "deep brackets": "p{color:" + "(" * 100_000,
    "a million selectors": "p{color:red}" + "b," * 1_000_000 + "b{color:red}",
    "many universal selectors": "* * * * * * *{color:red}" * 2_000,
    "deep :not": ":not(" * 5_000 + "p" + ")" * 5_000 + "{color:red}",
    "a var() bomb": ":root{--a0:xxxxxxxxxx;"
    + "".join(f"--a{n + 1}:var(--a{n})var(--a{n});" for n in range(60))
    + "}p{color:var(--a60)}",
    "deep fallbacks": "p{color:" + "var(--x," * 20_000 + "red" + ")" * 20_000 + "}",
    "deep calc": "p{font-size:" + "calc(" * 900 + "1px" + ")" * 900 + "}",
    "deep media conditions": "@media (a " + "(" * 50_000 + "{p{color:red}}",
    "deep supports conditions": "@supports " + "(" * 50_000 + "a:b" + ")" * 50_000 + "{p{color:red}}",
    "deep is": "p" + ":is(p," * 50_000 + "{color:red}",
    "nested multiplication": ".a,.b{& &,& &{" * 12 + "color:red" + "}}" * 12,
    "open strings": "p{color:red}" + "b{content:'" * 50_000,
    "open comment": "p{color:red}/*" * 50_000,
    "backslashes": "\\" * 500_000,
}
#: Sheets with a valid rule for paragraphs, which must be kept.
SOUND = {"a million selectors", "many universal selectors", "open strings", "open comment"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sheets_are_fast_and_keep_valid_rules(name: str) -> None:
    begun = time.process_time()
    styles = styles_of(HOSTILE[name], body="<div>" * 40 + "<p class=a>text</p>" * 50)
    assert time.process_time() - begun < 20
    assert styles.colour.tolist() == [0xFF0000 if name in SOUND else 0] * 50


@pytest.mark.parametrize(
    ("sheet", "colour"),
    [
        (b"\xff\xfe\x00", 0),
        (b"\xff\xfep{color:red}", 0),
        ("p{color:red}".encode("utf-16-be"), 0),
        ("p{color:red}".encode("utf-16"), 0xFF0000),
        (b"\x80" * 1000 + b"{}p{color:red}", 0xFF0000),
        (b'@charset "nope";p{color:red}', 0xFF0000),
        (b'@charset "utf-16le";p{color:red}', 0xFF0000),
    ],
)
def test_broken_encodings_are_read_as_a_browser_reads_them(sheet: bytes, colour: int) -> None:
    page = parse("<!DOCTYPE html><link rel=stylesheet href=a.css><p>text</p>", url="http://h/")
    styles = read_styles(page, lambda _: sheet)
    assert int(styles.colour[0]) == colour
