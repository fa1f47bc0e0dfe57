"""`broadsheet graph ARCHIVE SOURCE`: the pages of a source as a typed hypergraph, and the map of its sections."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base import urls
from broadsheet.base.errors import InputError
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row
from broadsheet.cli.writing import add_file_options, require_free
from broadsheet.outputs.hypergraph_drawing import draw_hypergraph
from broadsheet.outputs.output_files import replacing
from broadsheet.outputs.section_map import draw_section_map

if TYPE_CHECKING:
    from broadsheet.archive import Store
    from broadsheet.sources.typed_hypergraph import TypedHypergraph

_EXAMPLES = """\
What a source looks like to Broadsheet: its pages, each an article, a section or something else by the newest verdict,
and which page has linked to which. Everything follows from what the archive stores, so it changes with every visit.

examples:
  broadsheet graph news example.org                        the section tree: articles, new ones a day, pace
  broadsheet graph news example.org -o graph.svg           draw sections with their articles; open it in a browser
  broadsheet graph news example.org --map map.svg          draw the section tree as a picture
  broadsheet graph news example.org --articles-of https://example.org/politics/
  broadsheet graph news example.org --places-of https://example.org/a-story   where it has been linked to, and when
"""
_SECTIONS = ("section", "depth", "articles", "per_day", "every", "new")
_ARCS = ("page", "kind", "first", "last", "visits")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, the source, the drawings and the questions."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("source", metavar="SOURCE", help="the source, given by its address or key")
    add_file_options(parser, "FILE", "draw the graph to this SVG file")
    parser.add_argument("--map", metavar="FILE", type=Path, help="draw the section tree to this SVG file")
    parser.add_argument("--articles-of", metavar="URL", help="list the articles that this section has shown")
    parser.add_argument("--places-of", metavar="URL", help="list where this page has been linked to, and when")


def execute(args: Namespace, console: Console) -> int:
    """Answer the question or write the drawings; else list the sections."""
    for file in filter(None, (args.out, args.map)):
        require_free(file, overwrite=args.overwrite)
        if file.suffix.lower() != ".svg":
            raise UsageError(f"{file}: only SVG is drawn; end the name in .svg")
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store, source_graph  # noqa: PLC0415 - only with the extra

    with Store.open(args.archive) as archive:
        graph = source_graph(archive, args.source)
        paces = _paces(archive, args.source)
    title = urls.key(graph.home)
    if args.out:
        _write(args.out, draw_hypergraph(graph, f"Pages of {title}"), console)
    if args.map:
        _write(args.map, draw_section_map(graph.facts(), paces, f"Sections of {title}"), console)
    if args.articles_of:
        console.rows(_arcs(graph, args.articles_of, "articles"), _ARCS)
    elif args.places_of:
        console.rows(_arcs(graph, args.places_of, "places"), _ARCS)
    elif not args.out and not args.map:
        console.rows(_sections(graph, paces), _SECTIONS)
    return exits.DONE


def _write(file: Path, drawing: str, console: Console) -> None:
    with replacing(file) as path:
        path.write_text(drawing, encoding="utf-8")
    console.message(f"wrote {file}")


def _paces(archive: "Store", source: str) -> dict[str, float]:
    return {each.page.key: each.entry.every for each in archive.sections(source) if each.entry.every is not None}


def _sections(graph: "TypedHypergraph", paces: dict[str, float]) -> Iterator[Row]:
    for facts in graph.facts():
        yield {
            "section": facts.page.url,
            "name": facts.page.label,
            "depth": facts.depth,
            "above": facts.parent,
            "articles": facts.articles,
            "per_day": None if facts.per_day is None else round(facts.per_day, 2),
            "every": paces.get(facts.page.key),
            "new": None if facts.new is None else round(facts.new, 3),
        }


def _arcs(graph: "TypedHypergraph", url: str, wanted: str) -> Iterator[Row]:
    key = urls.key(url)
    if key not in graph.pages:
        raise InputError(f"{url} is not a page of this source; `broadsheet why` tells what is known of an address")
    for arc in graph.articles_of(key) if wanted == "articles" else graph.places_of(key):
        page = graph.pages[arc.son if wanted == "articles" else arc.father]
        yield {
            "page": page.url,
            "kind": page.kind,
            "first": arc.first.isoformat(timespec="seconds"),
            "last": arc.last.isoformat(timespec="seconds"),
            "visits": arc.visits,
        }
