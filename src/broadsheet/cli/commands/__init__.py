"""All commands, in the order in which the help names them; each is a module of this package that has its name."""

from broadsheet.cli.command import Listed

COMMANDS: tuple[Listed, ...] = (
    Listed(
        "demo",
        "crawl a simulated news site for a few days of speeded-up time, and compare the archive with the truth",
    ),
    Listed("extract", "extract articles from pages: title, authors, dates, headings and body"),
    Listed("identify", "tell whether pages are articles, sections or something else, and why"),
    Listed("crawl", "follow news sites: find their sections, revisit them regularly and archive every article"),
    Listed("status", "summarise an archive: rounds, sections, articles and bytes per source, and who is writing to it"),
    Listed("sections", "list the sections that an archive follows"),
    Listed("articles", "list the articles in an archive, newest first; full articles as JSON when piped"),
    Listed("article", "show one article from an archive, with all its versions; JSON when piped"),
    Listed(
        "export",
        "write an archive's articles to a file (JSON, CSV, Parquet, Markdown, text, TEI), or everything as WARC",
    ),
    Listed("check", "verify an archive and list everything that is missing or damaged"),
    Listed(
        "repair",
        "rebuild an archive's catalogue from its WARC and Parquet files, and report what could not be recovered",
    ),
    Listed("unlock", "release an archive whose writer died on another machine"),
    Listed("train", "train the models that ship with Broadsheet again from labelled pages"),
    Listed("evaluate", "measure our readers and other tools on labelled pages"),
    Listed("experiment", "reproduce an experiment from the papers, or list the experiments"),
    Listed("profile", "learn a site's template from several of its pages, to extract its articles better"),
    Listed("parse", "show what pages contain: a summary of each, or its links, metadata or text"),
    Listed("sample", "generate a few pages of a simulated news site and show what Broadsheet sees in them"),
    Listed("newsweb", "serve a simulated news web on this machine, or describe it"),
    Listed("config", "show every setting, its value and where the value comes from"),
    Listed("completion", "print a script that adds tab completion to bash, zsh or fish"),
)
