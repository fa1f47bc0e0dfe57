"""The factors of the block design, measured on one page."""

from dataclasses import astuple, dataclass

from broadsheet.base.journal import Row
from broadsheet.document import Document
from broadsheet.pages.content import run_readers
from broadsheet.pages.link_signs import count_page_links

#: What the two readers give: a number, two tags and a number.
READERS = ("MSS", "CoreEx tag", "CoreEx set tag", "CoreEx score")
NOMINAL = ("CoreEx tag", "CoreEx set tag")
#: How many of the page's links show each sign.
TARGETS = ("numbers", "dates", "reserved words", "slashes", "short links")

#: The two treatments.
TREATMENTS = {"MSS, CoreEx": READERS, "link targets, MSS, CoreEx": (*TARGETS, *READERS)}

#: What a tag is called where CoreEx finds nothing.
_NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Factors:
    """One page's factors."""

    values: dict[str, float | str]

    @classmethod
    def of(cls, document: Document) -> "Factors":
        """Measure a page."""
        found = run_readers(document)
        main, members = found.coreex.tag or _NOTHING, found.coreex.set_tag or _NOTHING
        readers = (float(found.mss), main, members, found.coreex.score)
        targets = astuple(count_page_links(document))[: len(TARGETS)]
        return cls({**dict(zip(READERS, readers, strict=True)), **dict(zip(TARGETS, targets, strict=True))})

    def to_row(self) -> Row:
        """Return the factors in plain types."""
        return dict(self.values)
