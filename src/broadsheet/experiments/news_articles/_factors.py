"""The factors of the blocked design, measured on one page."""

from dataclasses import astuple, dataclass

from broadsheet.base.journal import Row
from broadsheet.document import Document
from broadsheet.pages.content import run_readers
from broadsheet.pages.link_signs import count_page_links

#: The output of the two readers: a number, two tags and a number.
READERS = ("MSS", "CoreEx tag", "CoreEx set tag", "CoreEx score")
NOMINAL = ("CoreEx tag", "CoreEx set tag")
#: How many of the page's links have each feature.
TARGETS = ("numbers", "dates", "reserved words", "slashes", "short links")

#: The two treatments.
TREATMENTS = {"MSS, CoreEx": READERS, "link targets, MSS, CoreEx": (*TARGETS, *READERS)}

#: The tag if CoreEx finds nothing.
_NOTHING = "none"


@dataclass(frozen=True, slots=True)
class Factors:
    """The factors of one page."""

    values: dict[str, float | str]

    @classmethod
    def measure(cls, document: Document) -> "Factors":
        """Measure a page."""
        output = run_readers(document)
        main, members = output.coreex.tag or _NOTHING, output.coreex.set_tag or _NOTHING
        readers = (float(output.mss), main, members, output.coreex.score)
        targets = astuple(count_page_links(document))[: len(TARGETS)]
        return cls({**dict(zip(READERS, readers, strict=True)), **dict(zip(TARGETS, targets, strict=True))})

    def to_row(self) -> Row:
        """Return the factors as JSON-compatible types."""
        return dict(self.values)
