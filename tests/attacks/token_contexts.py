"""Pages of one token, repeated in one context: `python -m tests.attacks.token_contexts [PAGES]` prints the worst.

Each page goes through `analyse` and through what the newsroom does with it, in a process of its own.
"""

import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from itertools import product
from typing import NamedTuple

import broadsheet
from broadsheet.archive import VisitReason
from broadsheet.base.memory import peak_memory
from broadsheet.newsroom.line import FilterSettings, build_line
from broadsheet.newsroom.page_visit import Breakdown, FetchedVisit, Probabilities

SECONDS, MEGABYTES = 2.0, 600.0
#: What stops a page that would take minutes, in each of its two ways.
LONGEST = 20
SIZES = (300_000, 3_000_000)
ADDRESS = "https://courier.example/city/a-bridge-reopens"
NOW = datetime(2026, 3, 2, tzinfo=UTC)

TOKENS = [
    "<", ">", "</", "<!", "<?", "<!--", "-->", "<!-- -->", "<![CDATA[", "]]>", "&", "&#", "&#x", "&amp;", "&#0;",
    "&notin", '"', "'", "`", "=", "/", "\\", "-", "--", "_", ".", ",", ";", ":", "|", "·", " - ", " | ", "\n", "\t",
    " ", "\u00a0", "\u200b", "\u202e", "\u0301", "a\u0301", "\0", "\ufffd", "é", "日", "日本。", "😀", "ß", "İ", "0",
    "1,",
    "12:30 ", "2026-03-02 ", "3 hours ago ", "2 March ", "a", "a ", "A. ", "By Ann Lee, ", "(", ")", "[", "]", "{",
    "}", '{"a":', "[{", '"a",', '"\\', "\\u0041", "//", "/*", "*/", "{}", "a{}", ".a ", "#a>", ".a,", ":is(",
    ":not(.a)", "[a=", '[a="b"]', "@", "@media ", "@import ", "@media (min-width:1px){", "--a:", "var(--a)",
    "calc(1px + ", "url(", "rgb(", "color:red;", "font:bold ", "font-family:a,", "!important", "%", "%2", "%41",
    "%C3%A9", "xn--", "xn--a.", "é.", "www.", "http:", "https://a.b/", "//a.", "?a=", "&a=b", ";jsessionid=", "/..",
    "/.", "#", "@a", "mailto:a@b", "<a>", "<a href=", "<a href='/a'>", "<a href='/a'>a</a> ", "<b>", "<b>a</b> ",
    "<p>", "<p>a", "<p class=a>", "<div>", "<div></div>", "<br>", "<li>", "<h1>", "<h1>a</h1>", "<table>", "<tr><td>",
    "<table><tr><td>a</table>", "<select>", "<option>a", "<svg>", "<svg><title>", "<math>", "<template>", "<script>",
    "<script></script>", "</script>", "<script><!--", "<style>", "</style>", "<title>", "</title>", "<textarea>",
    "<meta name=a content=b>", "<meta charset=", "<base href=a>", "<link rel=a>", "<time>", "<time datetime=",
    "<img src=a alt=b>", "<iframe>", "<noscript>", "<frameset>", "<form><input>", "<body a=b>", "<html a=b>", "<x-y>",
    "<o:p>", " style=", " style='color:red'", " class=a", " a=b", " a", "<p style='font:bold 1px a'>a</p>",
    "<p itemprop=a itemscope>",
]  # fmt: skip

CONTEXTS = {
    "text": "<p>{}", "bare": "{}", "after text": "<p>A line of text.</p>{}", "tag": "<p {}",
    "tag that ends": "<p {}>a</p>", "end tag": "</p {}", "comment": "<!--{}", "comment that ends": "<!--{}--><p>a",
    "declaration": "<!{}", "instruction": "<?{}", "CDATA": "<svg><![CDATA[{}", "script": "<script>{}",
    "comment in a script": "<script><!--{}", "script in a script": "<script><!--<script>{}",
    "style": "<style>{}</style><p>a", "rule": "<style>a{{{}}}</style><p>a",
    "condition": "<style>@media {}{{a{{color:red}}}}</style><p>a", "import": "<style>@import url({}</style>",
    "selector": "<style>.a{} b{{color:red}}</style><p class=a>a", "textarea": "<textarea>{}",
    "title": "<title>{}</title><h1>a</h1><p>b", "href": '<a href="{}">a</a>',
    "href of another site": '<a href="//a.b{}">a</a>', "host": '<a href="http://{}">a</a>',
    "query": '<a href="?{}">a</a>', "href in single quotes": "<a href='{}'>a</a>",
    "href without quotes": "<a href={}>a</a>", "base": '<base href="{}"><a href=a>b</a>',
    "style attribute": '<p style="{}">a</p>', "font": '<p style="font:{}">a</p>',
    "colour": '<p style="color:{}">a</p>', "family": '<p style="font-family:{}">a</p>',
    "size": '<p style="font-size:{}">a</p>', "custom property": '<p style="--a:{};color:var(--a)">a</p>',
    "class": '<p class="{}">a</p>', "id": '<p id="{}">a</p>', "srcset": '<img srcset="{}">',
    "description": '<meta name=description content="{}"><p>a',
    "stated date": '<meta property="article:published_time" content="{}"><p>a',
    "stated author": '<meta name=author content="{}"><p>a',
    "content type": '<meta http-equiv=content-type content="{}"><p>a', "meta": "<meta {}><p>a",
    "JSON-LD": "<script type=application/ld+json>{}</script><p>a",
    "headline in JSON-LD": '<script type=application/ld+json>{{"headline":"{}"}}</script>',
    "array in JSON-LD": "<script type=application/ld+json>[{}]</script><p>a", "heading": "<h1>{}</h1><p>b",
    "byline": "<p class=byline>{}</p><p>a", "date": "<time>{}</time><p>a", "datetime": '<time datetime="{}">a</time>',
    "table": "<table>{}", "cell": "<table><tr><td>{}", "select": "<select>{}", "option": "<select><option>{}",
    "svg": "<svg>{}", "math": "<math><mi>{}", "template": "<template>{}", "noscript": "<noscript>{}",
    "frameset": "<frameset>{}", "pre": "<pre>{}", "list": "<ul><li>{}", "link": "<a href=/a>{}", "bold": "<b>{}",
    "deep": "<div>" * 200 + "{}", "deeper": "<div>" * 1_500 + "{}", "form": "<form>{}", "iframe": "<iframe>{}",
    "alt": '<a href=/a><img alt="{}"></a>', "lang": '<html lang="{}"><p>a',
}  # fmt: skip


class Page(NamedTuple):
    """A page to be made: a token so often in a context that the page has a size."""

    token: str
    context: str
    size: int

    def make(self) -> bytes:
        times = self.size // len(self.token.encode())
        return CONTEXTS[self.context].format(self.token * times).encode()


class Taken(NamedTuple):
    """What a page took; `broken` says how its process ended where it did not end well."""

    page: Page
    seconds: float
    megabytes: float
    broken: str = ""

    @property
    def too_much(self) -> bool:
        return bool(self.broken) or self.seconds > SECONDS or self.megabytes > MEGABYTES


def analyse(page: bytes) -> None:
    broadsheet.analyse(page, ADDRESS, force=True)


def as_the_newsroom_does(page: bytes) -> None:
    line = build_line(FilterSettings())
    article: Probabilities = {"article": 1.0, "section": 0.0, "other": 0.0}
    # A followed page is not read, and what is surely an article is.
    for why, address in ((VisitReason.SECTION, {}), (VisitReason.CANDIDATE, article)):
        result = line.apply(FetchedVisit(page, ADDRESS, "text/html", NOW, why, address))
        assert not isinstance(result, Breakdown), result.trace


WAYS: tuple[Callable[[bytes], None], ...] = (analyse, as_the_newsroom_does)


def measure(page: Page) -> Taken:
    """Take a page both ways in a process of its own; the more expensive way counts, and the memory of both."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _take(page, writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read().split()
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended or len(said) != 2:
        return Taken(page, float(LONGEST), 0.0, f"ended with {ended}")
    return Taken(page, float(said[0]), float(said[1]))


def _take(page: Page, pipe: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    made, longest = page.make(), 0.0
    for way in WAYS:
        begin = _cpu()
        resource.setrlimit(resource.RLIMIT_CPU, (int(begin) + LONGEST, resource.RLIM_INFINITY))
        with suppress(broadsheet.LimitError):
            way(made)
        longest = max(longest, _cpu() - begin)
    os.write(pipe, f"{longest} {peak_memory() / 1e6}".encode())
    os._exit(0)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def sample(count: int, seed: int, sizes: Iterable[int] = SIZES) -> list[Page]:
    """Return pages at random, none of them twice; all there are where `count` is more."""
    every = [Page(*parts) for parts in product(TOKENS, CONTEXTS, sizes)]
    return random.Random(seed).sample(every, min(count, len(every)))


def campaign(pages: Iterable[Page], processes: int = 1) -> Iterator[Taken]:
    """Measure pages, some at a time; what is loaded once is loaded before."""
    for way in WAYS:
        way(
            b"<title>A story</title><h1>A story</h1>"
            + b"<p style='color:red'>A sentence of the story by Ann Lee.</p>" * 50
        )
    with ThreadPoolExecutor(processes) as threads:
        yield from threads.map(measure, pages)


def report(count: int, seed: int, processes: int = 2, sizes: Iterable[int] = SIZES) -> list[Taken]:
    """Run a campaign, saying how far it is; print the pages that took the most, and return all."""
    found: list[Taken] = []
    for taken in campaign(sample(count, seed, sizes), processes):
        found.append(taken)
        if taken.too_much:
            print(*taken, flush=True)
        if len(found) % 100 == 0:
            print(f"{len(found):,} pages, {sum(taken.too_much for taken in found)} too dear", flush=True)
    worst = sorted(found, key=lambda taken: taken.seconds, reverse=True)[:10]
    print(*worst, f"most memory: {max(found, key=lambda taken: taken.megabytes)}", sep="\n", flush=True)
    return found


if __name__ == "__main__":
    pages, seed, *only = (*map(int, sys.argv[1:]), *(1_500, 1)[len(sys.argv) - 1 :])
    taken = report(pages, seed, sizes=only or SIZES)
    sys.exit(any(page.too_much for page in taken))
