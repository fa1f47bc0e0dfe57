"""Real news sites, replayed to the newsroom in virtual time: `python -m benchmarks.replay --snapshots DIR --pages DIR`.

**What is served.** The run of a site goes from the first saved snapshot of its home page to the last, and the site is
visited every hour (`--every`). A saved page is served as its newest snapshot at that moment (before the first one, as
the first), with the status of the manifest, an ETag, a Last-Modified and right 304s. Targets that were never saved are
stood in for by a real page of the kind that the golden labels give them (article, section, other); a target that is
labelled as unknown gets a page of kind other. An address without a golden label is answered with 404, robots.txt too.

**Stand-ins.** Every target has a page of its own until the pages of its kind run out; then they are used again. Pages
of news sites come first, and among those the pages in the language of the home page; which of them a target gets
depends on a hash of its address. The page's titles (title, og:title, first h1, headline in JSON-LD) become the target's
anchor text, and everything by which it states its own address is removed. Links to its own site lead to what the
replayed site linked to when the run began: links that read like headlines to articles, the others to sections. So a
page has as many links to its own site as it had, and none leads to anything that the site has not published yet.
With `--links away`, they lead where they led, which is another site; with `--links kept`, no href is changed, so that
relative ones lead to addresses of the replayed site that are answered with 404.

**What is counted.** All addresses are compared by `broadsheet.base.urls.key`.

- `fresh`: golden articles (high confidence) on the site's own registrable domain that no saved page linked to when the
  run began, and that then stood on the home page or on one saved section page for at least one interval (`--every`)
  without a break, so that nobody who visits that page at this interval can miss them. `fresh_brief` counts those that
  stood there for less.
- `fresh_archived`: those of them that are in the archive as articles; `fresh_asked`: those that were asked for.
- `archived`: archived articles with a golden label of any kind; `archived_wrong`: those that are labelled as a section
  or as other (high confidence). `archived_uncertain` have a golden label that is unknown or not of high confidence,
  `archived_unlabelled` have none and are not part of `archived`.
- `saved_sections`: saved pages with the golden label SECTION (any confidence), except the home page;
  `saved_sections_followed`: those that the archive follows as sections at the end. `followed`: all sections there.
- `requests`, `bytes`: what was asked for and sent, bodies only, before any compression; `by_class` divides them
  by golden class (saved pages are a class of their own) into first requests, repeats, and repeats answered with 304.
- `wrong`, `missed`, `ignored_sections` name the pages behind the figures, with the page that stood in for each.
"""
