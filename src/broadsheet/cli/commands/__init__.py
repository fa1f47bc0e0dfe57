"""All commands, in the order of the help; each is defined in the module NAME_command of this package."""

from broadsheet.cli.command import CommandEntry

COMMANDS: tuple[CommandEntry, ...] = (
    CommandEntry(
        "demo",
        "crawl a simulated news site for a few days of speeded-up time, and compare the archive with what it published",
    ),
    CommandEntry("extract", "extract articles from pages: title, authors, dates, headings and body"),
    CommandEntry("identify", "tell whether pages are articles, sections or something else, and why"),
    CommandEntry("crawl", "follow news sites: find their sections, revisit them regularly and archive every article"),
    CommandEntry(
        "sources", "list, add, pause, resume, remove and change the sources of an archive, even during a crawl"
    ),
    CommandEntry(
        "status", "summarise an archive: snapshots, sections, articles and bytes per source, and who is writing to it"
    ),
    CommandEntry("sections", "list the sections that an archive follows"),
    CommandEntry("graph", "draw the pages of a source and its sections, or ask which page linked to which and when"),
    CommandEntry("articles", "list the articles in an archive, newest first; full articles as JSON when piped"),
    CommandEntry("article", "show one article from an archive, with all its versions and its history; JSON when piped"),
    CommandEntry("diff", "show what changed between two versions of an article: paragraph by paragraph, word by word"),
    CommandEntry("why", "tell why a page is in an archive or why it is not, and all that is known of it"),
    CommandEntry("events", "list what happened in an archive, follow it, or send it to a webhook; JSON when piped"),
    CommandEntry(
        "export",
        "write an archive's articles to a file (JSON, CSV, Parquet, Markdown, text, TEI, RSS, Atom), pages, or WARC",
    ),
    CommandEntry("check", "verify an archive and list everything that is missing or damaged"),
    CommandEntry(
        "repair",
        "rebuild an archive's catalogue from its WARC and Parquet files, and report what could not be recovered",
    ),
    CommandEntry("reread", "read the archived pages again with the models of this version, and keep what differs"),
    CommandEntry("forget", "remove pages or sources from an archive for good, so that they are not fetched again"),
    CommandEntry("tidy", "remove old responses and links from an archive by rules of source and age; articles stay"),
    CommandEntry("unlock", "release an archive whose writer died on another machine"),
    CommandEntry("annotate", "label the texts of pages in the terminal, to train on them"),
    CommandEntry("corpus", "check, describe and convert annotated pages"),
    CommandEntry("train", "adapt the reader to annotated pages, or train the models that ship with Broadsheet again"),
    CommandEntry("evaluate", "measure our readers and other tools on labelled pages"),
    CommandEntry("experiment", "reproduce an experiment from the papers, or list the experiments"),
    CommandEntry("profile", "learn a site's template from several of its pages, for the readers that follow rules"),
    CommandEntry("parse", "show what pages contain: a summary of each, or its links, metadata or text"),
    CommandEntry("sample", "generate a few pages of a simulated news site and show what Broadsheet sees in them"),
    CommandEntry("newsweb", "serve a simulated news web on this machine, or describe it"),
    CommandEntry("config", "show every setting, its value and where the value comes from"),
    CommandEntry("completion", "print a script that adds tab completion to bash, zsh or fish"),
)
