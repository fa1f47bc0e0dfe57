"""Pages of an archive to annotate, spread over its sources; it needs the extra `crawl`."""

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, zip_longest

from broadsheet.archive import ArchiveError, RereadCandidate, RereadSelection, Store
from broadsheet.base.counters import Counters
from broadsheet.base.domains import registrable_domain
from broadsheet.corpora.site_splits import shuffled
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, decode_body
from broadsheet.document.decoding import decode

Row = dict[str, object]


def archived_pages(
    archive: Store, number: int, max_bytes: int, counters: Counters, seed: int = 0
) -> Iterator[tuple[Row, bytes]]:
    """Yield up to some number of archived articles as rows of a corpus and UTF-8 pages, from each source in turn.

    Pages that cannot be read are left out, and counted; a larger number only adds pages.
    """
    articles = archive.page_keys(kind="article")
    _, candidates = archive.reread_candidates(RereadSelection())
    by_source: defaultdict[str, list[RereadCandidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.page.key in articles:
            by_source[candidate.source].append(candidate)
    turns = (shuffled(by_source[source], lambda each: each.page.key, seed) for source in sorted(by_source))
    left = number
    for candidate in chain.from_iterable(zip_longest(*turns)):
        if candidate is None or not left:
            continue
        try:
            exchange = archive.exchange(candidate.place)
            encodings = ",".join(value for name, value in exchange.headers if name.lower() == "content-encoding")
            content = decode_body(exchange.body, encodings, max_bytes)
        except (ArchiveError, CorruptBody, TooLargeDecompressed) as error:
            counters.count("left out", str(error))
            continue
        left -= 1
        decoded = decode(content, content_type=exchange.header("content-type") or "", url=candidate.url)
        row: Row = {
            # Never taken from the address, which may hold anything.
            "id": sha256(candidate.page.key.encode()).hexdigest()[:16],
            "url": candidate.url,
            "domain": registrable_domain(candidate.url),
            "page_type": "article",
        }
        yield row, decoded.data
