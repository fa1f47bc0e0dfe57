"""All commands, in the order in which the help names them; each is a module of this package that has its name."""

from broadsheet.cli.command import Listed

COMMANDS: tuple[Listed, ...] = (
    Listed(
        "demo",
        "crawl an invented news site for some days in accelerated time, and compare the archive with the truth",
    ),
    Listed("extract", "read the articles of pages: title, authors, dates, headings and body"),
    Listed("identify", "say what pages are: an article, a section or something else"),
    Listed("crawl", "follow news sites: find their sections, visit them again and again, archive every article"),
    Listed(
        "status", "show how an archive stands: rounds, sections, articles and bytes of each source, and who is writing"
    ),
    Listed("sections", "list the sections that an archive follows"),
    Listed("articles", "list the articles of an archive, the newest first; whole articles when piped"),
    Listed("article", "show one article of an archive with its versions; JSON when piped"),
    Listed("export", "write an archive's articles to a file: JSON, CSV, Parquet, Markdown, text, TEI; or all as WARC"),
    Listed("check", "read an archive through and name all that is missing or damaged"),
    Listed("repair", "rebuild an archive's catalogue from its WARC and Parquet files, and say what could not be saved"),
    Listed("unlock", "free an archive whose writer died on another machine, and say who held it"),
    Listed("train", "learn the shipped models again from labelled pages"),
    Listed("evaluate", "measure readers and peers on labelled pages, or the labels themselves"),
    Listed("experiment", "run an experiment of the papers again, or list them"),
    Listed("profile", "learn from several pages of one site what is its template and where its articles stand"),
    Listed("parse", "show what pages are made of: a row each, or their links, metadata or pieces of text"),
    Listed("sample", "make the pages of a small invented news site and show what Broadsheet sees in them"),
    Listed("newsweb", "serve a small invented news web on this machine, or describe it"),
    Listed("config", "show the settings in force and where each comes from"),
    Listed("completion", "print the script that completes commands, options and paths in bash, fish or zsh"),
)
