"""The catalogue's tables; docs/explanation/archive.md says what each column means."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

from broadsheet.archive.column_types import Json, UtcTime

# SQLite numbers rows by itself only where the type is INTEGER.
_Number = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData()

meta = Table("meta", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

lease = Table(
    "lease",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("boot", Text),
    Column("space", Text),
    Column("pid", Integer, nullable=False),
    Column("started", Text),
    Column("acquired", UtcTime, nullable=False),
    Column("heartbeat", UtcTime, nullable=False),
)

commits = Table(
    "commits",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("batch", Text, nullable=False, unique=True),
    Column("at", UtcTime, nullable=False),
    Column("visits", Integer, nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False, unique=True),
    Column("size", BigInteger, nullable=False),
    Column("rows", BigInteger, nullable=False),
    Column("first_visit", BigInteger, nullable=False),
    Column("last_visit", BigInteger, nullable=False),
    Column("retired", UtcTime),
    Index("files_by_kind", "kind", "retired", "first_visit"),
)

#: Where the WARC files lie that were merged into others, or rewritten without some of their records: each name that
#: there ever was leads to its bytes of today. What is left of a file lies in one piece, since records keep their order:
#: `kept` says which bytes these are (`kept_ranges`), and the first of them lies `base` bytes further on in `file`.
#: Where `kept` is null, all of them are left, and end before the next file begins.
moved = Table(
    "moved",
    metadata,
    Column("name", Text, primary_key=True),
    Column("file", _Number, ForeignKey("files.id"), nullable=False),
    Column("base", BigInteger, nullable=False),
    Column("kept", LargeBinary),
    Index("moved_by_file", "file"),
)

sources = Table(
    "sources",
    metadata,
    Column("key", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("added_at", UtcTime, nullable=False),
    Column("state", Text, nullable=False),
    Column("every", Float, nullable=False),
    # Whether a user gave `every`; null if an earlier layout did not keep it.
    Column("every_given", Boolean),
    # The policy of the last crawl that followed it; null if there was none since that is kept.
    Column("pace", Text),
    Column("snapshots", Integer, nullable=False),
    Column("until_snapshot", Integer),
    Column("until", UtcTime),
    Column("goal", Text),
    Column("reviewed_at", UtcTime),
    # What the user set for it; null if nothing.
    Column("settings", Json),
    # Whether its pages need their scripts; null if that is not known.
    Column("scripts", Json),
    # Exploration or exploitation, and why; null if nothing was evaluated yet.
    Column("phase", Json),
)

# What a page is called, whatever is known of it otherwise.
pages = Table(
    "pages",
    metadata,
    Column("key", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("first_seen", UtcTime),
    Column("duplicate_of", Text),
    # Which pages are copies of one; most are not.
    Index("pages_by_original", "duplicate_of", sqlite_where=text("duplicate_of IS NOT NULL")),
)

# A page without a row here was never asked for.
fetches = Table(
    "fetches",
    metadata,
    Column("page", Text, ForeignKey("pages.key"), primary_key=True),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("etag", Text),
    Column("last_modified", Text),
    Column("fetched_at", UtcTime),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("page", Text, ForeignKey("pages.key"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subtype", Text),
    Column("probability", Float, nullable=False),
    Column("probabilities", Json, nullable=False),
    Column("reasons", Json, nullable=False),
    Column("model", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("evidence", Json, nullable=False),
)

# Verdicts that reading archived pages again has replaced.
earlier_verdicts = Table(
    "earlier_verdicts",
    metadata,
    Column("page", Text, primary_key=True),
    Column("replaced_at", UtcTime, primary_key=True),
    *(Column(column.name, column.type, nullable=column.nullable) for column in verdicts.c if column.name != "page"),
)

# Runs over the archived pages with other models: what was chosen, how far it came, and what it changed.
rereads = Table(
    "rereads",
    metadata,
    Column("name", Text, primary_key=True),
    Column("began_at", UtcTime, nullable=False),
    Column("finished_at", UtcTime),
    Column("last_page", Text, nullable=False),
    Column("done", Json, nullable=False),
)

# Which sources lead to a page: a page may belong to several.
members = Table(
    "members",
    metadata,
    Column("source", Text, ForeignKey("sources.key"), primary_key=True),
    Column("page", Text, ForeignKey("pages.key"), primary_key=True),
    Column("first_seen", UtcTime, nullable=False),
    Column("found_on", Text, nullable=False),
    Column("anchor", Text, nullable=False),
    # What a feed says of the page; null if none lists it.
    Column("listed", Json),
    Index("members_by_page", "page"),
    Index("members_by_time", "source", "first_seen"),
)

# What is to be visited for whom, when and why; `every` is null for a page that is wanted once.
agenda = Table(
    "agenda",
    metadata,
    Column("source", Text, ForeignKey("sources.key"), primary_key=True),
    Column("page", Text, ForeignKey("pages.key"), primary_key=True),
    Column("due", UtcTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("every", Float),
    Index("agenda_by_page", "page"),
)

# Feeds and sitemaps of sources, good or bad: none is looked for twice.
feeds = Table(
    "feeds",
    metadata,
    Column("source", Text, ForeignKey("sources.key"), primary_key=True),
    Column("page", Text, ForeignKey("pages.key"), primary_key=True),
    Column("found_on", Text, nullable=False),
    Column("found_at", UtcTime, nullable=False),
    Column("form", Text),
    Column("standing", Text, nullable=False),
    Column("judged", Text, nullable=False),
    Column("newest", UtcTime),
    Column("items", Integer, nullable=False),
    Column("tells_changes", Boolean),
)

# What the visits to home pages and sections have shown, and who set their pace; those that were given up included.
fronts = Table(
    "fronts",
    metadata,
    Column("source", Text, ForeignKey("sources.key"), primary_key=True),
    Column("page", Text, ForeignKey("pages.key"), primary_key=True),
    Column("articles", Integer, nullable=False),
    Column("hours", Float, nullable=False),
    Column("new", Float, nullable=False),
    Column("first", Float, nullable=False),
    Column("stays", Json, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("last_new", UtcTime),
    Column("set_by", Text, nullable=False),
    Column("expected_missed", Float),
    Column("gaps", Integer, nullable=False),
    Column("last_gap", UtcTime),
    # Null if an earlier layout did not keep them.
    Column("looks", Json),
    Column("left_at", UtcTime),
    Column("left_because", Text, nullable=False),
    # Null if an earlier layout did not keep it: it noted only what may not.
    Column("may_rejoin", Boolean),
)

contents = Table(
    "contents",
    metadata,
    Column("page", Text, primary_key=True),
    Column("visit", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("file", _Number, ForeignKey("files.id"), nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    # Merging changes the rows of a file, and removing one has to see that there are none.
    Index("contents_by_file", "file"),
)

versions = Table(
    "versions",
    metadata,
    Column("key", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("latest", Boolean, nullable=False),
    Column("source", Text, ForeignKey("sources.key"), nullable=False),
    Column("moment", UtcTime, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("model", Text),
    Column("visit", BigInteger, nullable=False),
    Column("fetched_at", UtcTime, nullable=False),
    Column("file", _Number, ForeignKey("files.id"), nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("article", Text, nullable=False),
    # Of all that a version says and never changes, so that damage to its row shows.
    Column("digest", Text, nullable=False),
    # When the archived page was read again, if that gave this version; null if the publisher did.
    Column("reread_at", UtcTime),
    Index("versions_newest", "latest", "moment", "key"),
    Index("versions_by_file", "file"),
    Index("versions_by_source", "source", "latest", "moment"),
)

counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
)

# What follows from the tables above, but would take long to count.
tallies = Table(
    "tallies",
    metadata,
    Column("name", Text, primary_key=True),
    Column("label", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
)

incidents = Table(
    "incidents",
    metadata,
    Column("source", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
)

# What the writer is asked to do, in order; one that was taken has either a result or an error.
orders = Table(
    "orders",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("at", UtcTime, nullable=False),
    Column("what", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("values", Json, nullable=False),
    Column("taken_at", UtcTime),
    Column("result", Text),
    Column("error", Text),
)

# What happened, in order; rows are only ever added.
events = Table(
    "events",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("at", UtcTime, nullable=False),
    Column("kind", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("page", Text, nullable=False),
    Column("detail", Json, nullable=False),
    Index("events_by_page", "page"),
    # So that the number of an event that was forgotten is not given again: listeners would miss the new one.
    sqlite_autoincrement=True,
)

# Pages and sources that were forgotten; `tombstones.jsonl` says the same.
tombstones = Table(
    "tombstones",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("url", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("because", Text, nullable=False),
)

# What the newest version of an article says, in short, and the story that it tells: that of the article with that id.
sketches = Table(
    "sketches",
    metadata,
    Column("id", _Number, primary_key=True),
    Column("page", Text, nullable=False, unique=True),
    Column("story", _Number, nullable=False),
    Column("sketch", LargeBinary, nullable=False),
    Index("sketches_by_story", "story"),
)

# Under which hashes a sketch is looked up; a hash that many share leads to the first few of them.
sketch_hashes = Table(
    "sketch_hashes",
    metadata,
    Column("hash", _Number, primary_key=True, autoincrement=False),
    Column("sketch", _Number, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# The last event that each listener outside has confirmed.
deliveries = Table(
    "deliveries",
    metadata,
    Column("hook", Text, primary_key=True),
    Column("event", BigInteger, nullable=False),
    Column("at", UtcTime, nullable=False),
)

# What the rules of `keep` have removed, by source and kind: so many responses or link occurrences, of visits before a
# moment.
prunings = Table(
    "prunings",
    metadata,
    Column("source", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("before", UtcTime, nullable=False),
)
