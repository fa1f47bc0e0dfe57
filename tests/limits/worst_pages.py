"""Pages made to take as much time or memory as a page within the caps can, each when it is asked for."""

import json
from collections.abc import Callable

Make = Callable[[], bytes]


def many(template: bytes, times: int) -> bytes:
    """Repeat a template, with a number in each of its places."""
    places = template.count(b"%d")
    return b"".join(template % ((number,) * places) for number in range(times))


def many_names(bylines: int, length: int) -> list[str]:
    """Return bylines, each with so many names that no other has."""
    numbers = iter(range(bylines * length))
    return [", ".join(f"Ann {_word(next(numbers))}" for _ in range(length)) for _ in range(bylines)]


def _word(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:05}").capitalize()


def json_ld(text: str) -> bytes:
    return b"<script type='application/ld+json'>" + text.encode() + b"</script><p>Text of the page.</p>"


def graph() -> bytes:
    things = [
        {"@type": "NewsArticle", "@id": f"#{n}", "headline": f"h {n}", "mainEntityOfPage": {"@id": f"#{n + 1}"}}
        for n in range(40_000)
    ]
    return json_ld(json.dumps({"@graph": things}))


def written_by(bylines: list[str]) -> bytes:
    people = [{"@type": "Person", "name": byline} for byline in bylines]
    return json_ld(json.dumps({"@type": "NewsArticle", "headline": "A story", "author": people}))


PARAGRAPH = b"<p>It is a sentence of the story, long enough to count for a paragraph. </p>"

WORST: dict[str, Make] = {
    "nested tables": lambda: (b"<table><tr><td>x" * 300 + b"</table>" * 300) * 400,
    "tables side by side": lambda: b"<table><tr><td>cell</td><td>cell</td></tr></table>" * 79_000,
    "cells as wide as can be": lambda: many(b"<td colspan=9007199254740991 rowspan=999999999999>Text %d</td>", 19_000),
    "one text": lambda: b"<p>" + b"word and more, " * 340_000,
    "one word": lambda: b"<p>" + b"x" * 5_000_000,
    "one text without spaces": lambda: b"<p>" + "日本語の文章です。".encode() * 190_000,
    "100,000 links": lambda: many(b"<a href='/section/story-%d.html'>A headline of six words %d</a> ", 100_000),
    "100,000 headlines": lambda: many(b"<h2><a href=/s/%d>A headline of six words %d</a></h2>", 100_000),
    "100,000 headings": lambda: b"<title>A heading</title>" + many(b"<h1>A heading of words %d</h1>", 100_000),
    "as many paragraphs as can be": lambda: b"<p>a " * 399_000,
    "as many paragraphs as are read": lambda: b"<h1>A story</h1>" + PARAGRAPH * 19_000,
    "as many lines as can be": lambda: b"<p>" + b"text<br>" * 395_000,
    "as many lines as are read": lambda: b"<p>" + b"text<br>" * 19_000,
    "lines as they are written": lambda: b"<pre>" + b"a\n" * 9_000_000,
    "as many tags in one line as can be": lambda: b"<p>" + b"<b>word</b> " * 395_000,
    "200,000 words in a class": lambda: b"<div class='" + many(b"w%d ", 200_000) + b"'>text</div>",
    "long names": lambda: (b"<div class='" + b"a" * 1_000_000 + b"' id='" + b"b-" * 500_000 + b"'>text</div>") * 6,
    "attributes everywhere": lambda: many(b"<p class='a%d b%d' id=i%d data-x=y>text %d</p>", 79_000),
    "as deep as can be": lambda: b"<div>" * 1_990 + b"text " * 1_000,
    "deep and long": lambda: b"<div>" * 240 + b"<div><p>Some text of words</p></div>" * 19_000,
    "deeper and long": lambda: b"<div>" * 1_900 + b"<p>Some text of words</p>" * 19_000,
    "one large JSON-LD": lambda: json_ld(json.dumps({"@type": "NewsArticle", "articleBody": "word " * 800_000})),
    "a graph of JSON-LD": graph,
    "deep JSON-LD": lambda: json_ld('{"a":[' * 100_000),
    "broken JSON-LD": lambda: json_ld('{"headline": "a "b" c",\n' * 150_000),
    "thousands of times": lambda: many(b"<time datetime='2026-03-02T12:00'>2 March 2026, %d</time> ", 50_000),
    "thousands of times in words": lambda: many(b"<div class=date>%d hours ago, 2 March 2026</div>", 19_000),
    "thousands of bylines": lambda: many(b"<div class='byline author'>By <a rel=author>Ann Other %d</a></div>", 19_000),
    "thousands of metas": lambda: many(b"<meta name=author content='A %d'><meta name=date content=%d>", 60_000),
    "thousands of authors of a long text": lambda: written_by(many_names(5_000, 1))
    + b"<h1>A story</h1><p>"
    + b"written by Ann Other and others " * 560_000,
    "thousands of long bylines": lambda: written_by(many_names(1_000, 20)) + b"<h1>A story</h1>" + PARAGRAPH * 100,
    "a long title": lambda: b"<title>" + b"A | b - c: " * 300_000 + b"</title><h1>A | b - c</h1><p>Text.",
    "thousands of things": lambda: b"<div itemscope itemtype='http://schema.org/NewsArticle'>" * 500
    + b"<span itemprop=author itemscope><b itemprop=name>x</b></span>" * 60_000,
    "sheets of style": lambda: b"<style>" + many(b".a%d .b%d{color:red}", 200_000) + b"</style>" + PARAGRAPH * 1_000,
    "names that nobody knows": lambda: many(b"<x%d>t</x%d>", 190_000),
    "comments": lambda: b"<!-- c -->" * 399_000,
    "open tags in a script's comment": lambda: b"<script><!--" + b"<" * 3_000_000,
    "spaces for a character set": lambda: b"<meta http-equiv=content-type content='charset=" + b" " * 60_000 + b"'>a",
    "links full of percent signs": lambda: many(b"<a href='/%d%%2f%%41%%zz%%2f%%41%%zz%%%%'>x</a>", 60_000),
    "hosts in other alphabets": lambda: many(b"<a href='//%d\xc3\xa9\xe6\x97\xa5.example/'>x</a>", 60_000),
    "white space": lambda: b"<p>" + b" \n\t" * 6_000_000 + b"x",
}  # fmt: skip
