"""An archive's articles in formats that other programs read, or what it fetched as one WARC file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.article_records import StoredArticle
from broadsheet.archive.article_versions import OnDamage
from broadsheet.archive.store import Store
from broadsheet.archive.warc_export import VisitSelection, write_warc
from broadsheet.base.moments import Moment, to_utc
from broadsheet.base.records import Kind
from broadsheet.outputs import formats
from broadsheet.outputs.output import Output
from broadsheet.outputs.output_columns import ARCHIVED, archive_row
from broadsheet.outputs.output_files import replacing
from broadsheet.outputs.writers import Style, write_file

FORMATS = (*formats.FORMATS, *formats.FEEDS, formats.WARC)
#: The articles in a feed, if not told otherwise.
FEED_ARTICLES = 50


def output(stored: StoredArticle) -> Output:
    """Return an article as it is written to any format."""
    return Output(
        article=stored.article,
        verdict=stored.article.verdict,
        url=stored.article.url,
        file=stored.warc,
        offset=stored.offset,
        length=stored.length,
        fetched_at=stored.fetched_at,
        key=stored.key,
        source=stored.source,
        version=stored.version,
        model=stored.model,
        story=stored.story,
    )


def row(stored: StoredArticle) -> dict[str, Any]:
    """Return an article with all that is known of where it comes from, in plain types that JSON knows."""
    return archive_row(output(stored))


def export(  # noqa: PLR0913 - what is to be written, and where
    archive: Store,
    form: str,
    out: Path,
    *,
    since: Moment | None = None,
    until: Moment | None = None,
    words: Sequence[str] = (),
    source: str | None = None,
    kind: Kind | None = None,
    limit: int | None = None,
    section: str | None = None,
    author: str | None = None,
    language: str | None = None,
    tag: str | None = None,
    overwrite: bool = False,
    on_damage: OnDamage | None = None,
    raw_cells: bool = False,
) -> int:
    """Write articles to a file that appears when it is complete, and return how many.

    `limit` is the number of articles at most, the newest first; a feed has 50 if not told otherwise. In CSV, text that
    a spreadsheet would take for a formula has an apostrophe before it, unless `raw_cells` is set.

    A WARC file holds what was fetched in the time from `since` to `until`, of a source and of pages of a `kind`; the
    number of the archive's files that it was taken from is returned. It stays compressed unless its name ends in .warc.
    A file that is there already is replaced only with `overwrite`. What is damaged raises `DamagedRow`, or is passed to
    `on_damage` and left out.
    """
    if form not in FORMATS:
        raise ArchiveError(f"{form!r} is not a known format; use one of {', '.join(FORMATS)}")
    if form == formats.WARC and any((words, section, author, language, tag)):
        raise ArchiveError("a WARC export can be limited only by date, source and kind")
    if form != formats.WARC and kind not in {None, "article"}:
        raise ArchiveError(f"only WARC files and raw pages hold pages of the kind {kind}; {form} holds articles")
    if out.is_dir():
        raise ArchiveError(f"{out} is a folder: give the path of a file")
    if out.exists() and not overwrite:
        raise ArchiveError(f"{out} already exists: choose another name, or allow it to be overwritten")
    with replacing(out) as temporary:
        if form == formats.WARC:
            first, last = (None if moment is None else to_utc(moment) for moment in (since, until))
            key = None if source is None else archive.find_source(source).key
            selection = VisitSelection(since=first, until=last, source=key, kind=kind)
            packed = not out.name.lower().endswith(".warc")
            return write_warc(archive, temporary, selection, on_damage, compressed=packed)
        articles = archive.articles(
            since,
            source,
            limit or (FEED_ARTICLES if form in formats.FEEDS else None),
            until=until,
            words=words,
            section=section,
            author=author,
            language=language,
            tag=tag,
            on_damage=on_damage,
        )
        return write_file(map(output, articles), Style(form, ARCHIVED, raw_cells), temporary)
