# ruff: noqa: E501 -- a page reads better in few long lines
"""Pages that exercise one feature each, with the styles that a browser computes, which Chromium confirms."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from benchmarks.styles.chromium import Viewer, installed, open_viewer
from benchmarks.styles.comparing import FIELDS, compare
from benchmarks.styles.marking import mark_rows

from broadsheet.document.document import parse
from broadsheet.document.styles import Family, read_styles

SERIF, SANS, MONO = Family.SERIF, Family.SANS_SERIF, Family.MONOSPACE
STANDARD = "<!DOCTYPE html><title>t</title>"


class Seen(NamedTuple):
    """The expected style of a text."""

    size: float = 16
    colour: int = 0
    bold: bool = False
    family: Family = SERIF
    hidden: bool = False


class Case(NamedTuple):
    html: str
    #: The expected styles, by text.
    seen: dict[str, Seen]


CASES: dict[str, Case] = {
    "browser": Case(
        STANDARD + "<h1>one</h1><section><h1>in</h1></section><h4>four</h4><p>par<small>small</small><big>big</big>"
        "<sub>sub</sub><b>bold</b><code>code</code><a href=x>link</a><a>anchor</a></p><pre>pre<small>presmall</small></pre>"
        "<table><tr><th>head<td>cell</table><button>button</button><mark>mark</mark><ruby>r<rt>rt</rt></ruby>"
        "<noscript>noscript</noscript>",
        {
            "one": Seen(32, bold=True), "in": Seen(32, bold=True), "four": Seen(16, bold=True), "par": Seen(),
            "small": Seen(40 / 3), "big": Seen(19.2), "sub": Seen(40 / 3), "bold": Seen(bold=True),
            "code": Seen(13, family=MONO), "link": Seen(colour=0x0000EE), "anchor": Seen(),
            "pre": Seen(13, family=MONO), "presmall": Seen(13 / 1.2, family=MONO), "head": Seen(bold=True),
            "cell": Seen(), "button": Seen(40 / 3, family=SANS), "mark": Seen(), "rt": Seen(8), "noscript": Seen(),
        },
    ),
    "hidden": Case(
        STANDARD + "<style>.n{display:none}.v{visibility:hidden}.w{visibility:visible}</style><p class=n>none<b>inner</b></p>"
        "<p class=v>veiled<b class=w>shown</b></p><p hidden>attr</p><p hidden style='display:block'>forced</p>"
        "<details><summary>sum</summary>closed</details><details open><summary>sum2</summary>open_viewer</details>"
        "<dialog>dialog</dialog><select><option>option</select><video>video</video><p style='opacity:0'>clear</p>",
        {
            "none": Seen(hidden=True), "inner": Seen(bold=True, hidden=True), "veiled": Seen(hidden=True),
            "shown": Seen(bold=True), "attr": Seen(hidden=True), "forced": Seen(), "sum": Seen(),
            "closed": Seen(hidden=True), "sum2": Seen(), "open_viewer": Seen(), "dialog": Seen(hidden=True),
            "video": Seen(hidden=True), "clear": Seen(),
        },
    ),
    "cascade": Case(
        STANDARD + "<style>p{color:red;color:nonsense}#i{color:lime}.c{color:blue}p.c{color:green!important}"
        ".x{color:purple}.x{color:teal}@layer low,high;@layer high{.l{color:red}}@layer low{.l{color:blue;font-weight:bold!important}}"
        "@layer high{.l{font-weight:400!important}}</style>"
        "<p>plain</p><p id=i>id</p><p id=i class=c style='color:yellow'>important</p><b class=x>later</b><i class=l>layer</i>",
        {
            "plain": Seen(colour=0xFF0000), "id": Seen(colour=0x00FF00), "important": Seen(colour=0x008000),
            "later": Seen(colour=0x008080, bold=True), "layer": Seen(colour=0xFF0000, bold=True),
        },
    ),
    "units": Case(
        STANDARD + "<style>html{font-size:20px}p{font-size:10px}.em{font-size:2em}.rem{font-size:1.5rem}.pt{font-size:12pt}"
        ".pc{font-size:150%}.vw{font-size:2vw}.kw{font-size:x-large}.lg{font-size:larger}.calc{font-size:calc(1rem + 2px*3)}"
        ".clamp{font-size:clamp(10px,4vw,30px)}.min{font-size:min(2em,50px)}.bare{font-size:12}.neg{font-size:-3px}</style>"
        "<p>ten</p><p class=em>em</p><p class=rem>rem</p><p class=pt>pt</p><p class=pc>pc</p><p class=vw>vw</p>"
        "<p class=kw>kw</p><p class=lg>lg</p><p class=calc>calc</p><p class=clamp>clamp</p><p class=min>min</p>"
        "<p class=bare>bare</p><p class=neg>neg</p>",
        {
            "ten": Seen(10), "em": Seen(40), "rem": Seen(30), "pt": Seen(16), "pc": Seen(30), "vw": Seen(25.6),
            "kw": Seen(24), "lg": Seen(24), "calc": Seen(26), "clamp": Seen(30), "min": Seen(40), "bare": Seen(10),
            "neg": Seen(10),
        },
    ),
    "quirks": Case(
        "<style>.bare{font-size:12}.hash{color:00ff00}.UP{font-weight:bold}</style><body text=#333333 link=red>"
        "<div style='font-size:30px;color:blue;font-weight:bold'>div<table><tr><td>cell</table></div><p class=bare>bare</p>"
        "<p class=hash>hash</p><p class=up>up</p><a href=x>link</a><font size=5 color=chucknorris face=arial>font</font>"
        "<font size=+1>plus</font><pre>pre<font size=2>pretwo</font></pre>",
        {
            "div": Seen(30, 0x0000FF, bold=True), "cell": Seen(colour=0x333333), "bare": Seen(12, 0x333333),
            "hash": Seen(colour=0x00FF00), "up": Seen(colour=0x333333, bold=True), "link": Seen(colour=0xFF0000),
            "font": Seen(24, 0xC00000, family=SANS), "plus": Seen(18, 0x333333), "pre": Seen(13, 0x333333, family=MONO),
            "pretwo": Seen(10, 0x333333, family=MONO),
        },
    ),
    "variables": Case(
        STANDARD + "<style>:root{--c:#102030;--d:var(--c);--a:var(--b);--b:var(--a);--s:20px}.v{color:var(--d)}"
        ".f{color:var(--none,rgb(1 2 3))}.loop{color:red;color:var(--a)}.font{font:bold var(--s)/1 Arial}"
        ".set{--c:#ff0000;color:var(--c)}</style><p class=v>value</p><p class=f>fall</p>"
        "<p class=loop>loop</p><p class=font>font</p><p class=set>set<b class=v>old</b></p>",
        {
            "value": Seen(colour=0x102030), "fall": Seen(colour=0x010203), "loop": Seen(),
            "font": Seen(20, bold=True, family=SANS), "set": Seen(colour=0xFF0000), "old": Seen(colour=0x102030, bold=True),
        },
    ),
    "media": Case(
        STANDARD + "<style>@media print{p{color:red}}@media screen and (min-width:600px){p{color:#010101}}"
        "@media (max-width:600px){p{color:red}}@media not print{b{color:#020202}}@media (600px<=width<2000px){i{color:#030303}}"
        "@media (prefers-color-scheme:dark){p{color:red}}@supports (display:grid){u{color:#040404}}"
        "@supports not (display:grid){u{color:red}}@media (min-width:10em) and (orientation:landscape){s{color:#050505}}</style>"
        "<style media=print>p{color:red}</style><p>p</p><b>b</b><i>i</i><u>u</u><s>s</s>",
        {
            "p": Seen(colour=0x010101), "b": Seen(colour=0x020202, bold=True), "i": Seen(colour=0x030303),
            "u": Seen(colour=0x040404), "s": Seen(colour=0x050505),
        },
    ),
    "selectors": Case(
        STANDARD + "<style>ul>li:first-child{color:#000001}li:nth-child(2n){color:#000002}li:last-of-type{color:#000003}"
        "h2+p{color:#000004}h2~div{color:#000005}[data-x]{color:#000006}[lang|=de]{color:#000007}[title~='two' i]{color:#000008}"
        "em:not(.no,#no){color:#000009}:is(s,u) b{color:#00000a}:where(#w){color:#00000b}.a\\:b{color:#00000c}"
        "a:hover,a:link{color:#00000d}p::before{color:red}q,q::-moz-x{color:red}cite:bogus,cite{color:red}"
        ".out{.deep{color:#00000e}&.on{color:#00000f}}var:empty{color:red}:lang(fr) kbd{color:#000010}"
        "dfn:only-child{color:#000011}</style>"
        "<ul><li>l1</li><li>l2</li><li>l3</li></ul><h2>h</h2><p>beside</p><div>later</div><i data-x>x</i><i lang=de-AT>lang</i>"
        "<i title='one TWO'>title</i><em>em</em><em class=no>no</em><s><b>is</b></s><i id=w>where</i><i class='a:b'>esc</i>"
        "<a href=y>link</a><q>quote</q><cite>cite</cite><div class=out>out<i class=deep>deep</i></div><i class='out on'>on</i>"
        "<div lang=fr><kbd>kbd</kbd></div><p><dfn>only</dfn></p>",
        {
            "l1": Seen(colour=1), "l2": Seen(colour=2), "l3": Seen(colour=3), "beside": Seen(colour=4),
            "x": Seen(colour=6), "lang": Seen(colour=7), "title": Seen(colour=8), "em": Seen(colour=9), "no": Seen(),
            "is": Seen(colour=10, bold=True), "where": Seen(colour=11), "esc": Seen(colour=12), "link": Seen(colour=13),
            "quote": Seen(), "cite": Seen(), "deep": Seen(colour=14), "on": Seen(colour=15),
            "kbd": Seen(13, 16, family=MONO), "only": Seen(colour=17),
        },
    ),
    "inheritance": Case(
        STANDARD + "<style>div{color:red;font:bold 20px monospace}.in{color:inherit;font-size:inherit}.ini{all:initial}"
        ".un{color:unset;font-weight:unset}.re{font-weight:revert;font-size:revert}.cur{color:currentcolor}"
        ".li{font-weight:lighter}.mono{font-family:monospace,monospace}</style><div>div<p class=in>in</p><p class=ini>ini</p>"
        "<h3 class=un>un</h3><h3 class=re>re</h3><p class=cur>cur</p><p class=li>li</p></div><p class=mono>mono</p>",
        {
            "div": Seen(20, 0xFF0000, True, MONO), "in": Seen(20, 0xFF0000, True, MONO), "ini": Seen(),
            "un": Seen(23.4, 0xFF0000, True, MONO), "re": Seen(23.4, 0xFF0000, True, MONO),
            "cur": Seen(20, 0xFF0000, True, MONO), "li": Seen(20, 0xFF0000, False, MONO), "mono": Seen(family=MONO),
        },
    ),
    "colours": Case(
        STANDARD + "<style>i{color:green}</style><i style='color:#1234'>short</i><i style='color:rgb(10%,20%,30%)'>percent</i>"
        "<i style='color:hsl(120deg 100% 25% / .5)'>hsl</i><i style='color:RebeccaPurple'>name</i><i style='color:ff0000'>bad</i>"
        "<i style='color:rgba(1,2,3,.5)'>alpha</i><i style=\"font-family:'Nobody', Georgia\">named</i>"
        "<i style='font-family:Foo,Bar,sans-serif'>generic</i><i style='font-family:-apple-system,BlinkMacSystemFont'>system</i>",
        {
            "short": Seen(colour=0x112233), "percent": Seen(colour=0x1A334D), "hsl": Seen(colour=0x008000),
            "name": Seen(colour=0x663399), "bad": Seen(colour=0x008000), "alpha": Seen(colour=0x010203),
            "named": Seen(colour=0x008000), "generic": Seen(colour=0x008000, family=SANS),
            "system": Seen(colour=0x008000, family=Family.SYSTEM),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_text_has_the_expected_style(name: str) -> None:
    document = parse(CASES[name].html)
    styles = read_styles(document)
    texts = {document.piece_text(row).strip(): row for row in range(len(document.pieces))}
    for text, expected in CASES[name].seen.items():
        row = texts[text]
        actual = Seen(
            round(float(styles.size[row]), 1),
            int(styles.colour[row]),
            bool(styles.bold[row]),
            Family(styles.family[row]),
            bool(styles.hidden[row]),
        )
        assert (text, actual) == (text, expected._replace(size=round(expected.size, 1)))


@pytest.fixture(scope="module")
def viewer() -> Iterator[Viewer]:
    if installed() is None:
        pytest.skip("Chromium is not installed")
    with open_viewer() as viewer:
        yield viewer


@pytest.mark.parametrize("name", CASES)
def test_chromium_sees_the_same(name: str, viewer: Viewer) -> None:
    page = CASES[name].html.encode()
    document = parse(page)
    tally = compare(document, read_styles(document), viewer.view(mark_rows(page)))
    assert tally.compared["hidden"] > 0
    assert not tally.causes
    assert all(tally.share(field) == 1 for field in FIELDS)
