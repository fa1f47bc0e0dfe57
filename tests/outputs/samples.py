"""Outputs to write: an article with everything, and a page that is not an article."""

from datetime import UTC, datetime, timedelta, timezone

from broadsheet.base.records import Article, Block, Label, Verdict
from broadsheet.outputs.output import Output

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
#: In UTC this is the day before.
EARLY = datetime(2026, 3, 2, 1, 15, tzinfo=timezone(timedelta(hours=2)))
ARTICLE = Verdict("article", None, 0.97, {"article": 0.97, "section": 0.02, "other": 0.01}, (), "m")
SECTION = Verdict("section", None, 0.9, {"article": 0.05, "section": 0.9, "other": 0.05}, (), "m")


def article() -> Output:
    blocks = (
        Block(Label.TITLE, "Bridge reopens", "/html/body/h1"),
        Block(Label.BODY, "It was closed for months.", "/html/body/p[1]"),
        Block(Label.HEADING, "What comes next", "/html/body/h2"),
        Block(Label.BODY, "Two more\nbridges.", "/html/body/p[2]"),
        Block(Label.BODY, "The old one", "/html/body/ul/li[1]"),
        Block(Label.BODY, "The new one", "/html/body/ul/li[2]"),
    )
    read = Article(
        url="https://news.example/a?x=1&y=2",
        canonical_url="https://news.example/a",
        title="Bridge reopens",
        authors=("Nora Pell", "J. <Ö> & Co"),
        published=EARLY,
        published_precision="minute",
        modified=NOON,
        language="en-GB",
        description="After months.",
        section="City",
        headings=("What comes next",),
        body="It was closed for months.\n\nTwo more\nbridges.\n\nThe old one\n\nThe new one",
        blocks=blocks,
        topics=("bridges", "traffic"),
        site_name="The Courier",
        paywalled=False,
        verdict=ARTICLE,
    )
    return Output(article=read, verdict=ARTICLE, page="a.html", file="a.warc.gz", offset=512, fetched_at=NOON)


def section() -> Output:
    return Output(article=None, verdict=SECTION, page="b.html", url="https://news.example/", file="b.html")
