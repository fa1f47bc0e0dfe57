"""Pages of a fictional site: one template with varying articles."""

from collections.abc import Sequence

from broadsheet.document import Document, parse

FOLLOW = "Follow the Courier on every channel and never miss what the harbour talks about."
SENTENCES = (
    "The harbour bridge was opened to traffic on Monday after three months of work.",
    "The council has put off its vote on the new library until the spring session.",
    "Rain has kept the ferries in port for two days, and the islands wait for their mail.",
    "A cargo ship lost its rudder off the point and was towed in before the storm came.",
    "Fishermen say that the catch of this winter was the best in more than ten years.",
)


def page_markup(number: int, *more: str, paragraphs: Sequence[str] | None = None, name: str = "story") -> str:
    """Return the markup of an article's page, with additional elements inside the article."""
    told = paragraphs or [f"{sentence} Report number {'abcdefghij'[number]}." for sentence in SENTENCES]
    text = "".join(f"<p>{paragraph}</p>" for paragraph in told)
    return (
        f"<html><head><title>Story {number}</title></head><body><ul class=bar><li><a href=/>Home</a></li></ul>"
        f'<div class="page"><div class="{name} id-{number}"><h1>Story {number}</h1>{text}{"".join(more)}'
        f"<p>{FOLLOW}</p></div></div><p class=legal>All rights are reserved by the Courier.</p></body></html>"
    )


def page(number: int, *more: str, paragraphs: Sequence[str] | None = None, name: str = "story") -> Document:
    """Return the parsed page of an article."""
    markup = page_markup(number, *more, paragraphs=paragraphs, name=name)
    return parse(markup, f"https://courier.example/{number}")
