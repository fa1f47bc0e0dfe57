"""All commands, in the order in which the help names them; each is a module of this package that has its name."""

from broadsheet.cli.command import Listed

COMMANDS: tuple[Listed, ...] = (
    Listed(
        "demo",
        "crawl an invented news site for some days in accelerated time, and compare the archive with the truth",
    ),
    Listed("extract", "read the articles on pages: title, authors, dates, headings and body"),
    Listed("identify", "tell articles from sections and other pages"),
    Listed("crawl", "follow news sites: find their sections, visit them again and again, archive every article"),
    Listed(
        "status", "show what an archive holds: rounds, sections, articles and bytes of each source, and who is writing"
    ),
    Listed("sections", "list the sections that an archive follows"),
    Listed("articles", "list the articles of an archive, the newest first; whole articles when piped"),
    Listed("article", "show one article of an archive with its versions; JSON when piped"),
    Listed("export", "write an archive's articles to a file: JSON, CSV, Parquet, Markdown, text, TEI; or all as WARC"),
    Listed("check", "read a whole archive and report everything that is missing or damaged"),
    Listed(
        "repair", "rebuild an archive's catalogue from its WARC and Parquet files, and list what could not be saved"
    ),
    Listed("unlock", "free an archive whose writer died on another machine, and print who held it"),
    Listed("train", "train the shipped models again on labelled pages"),
    Listed("evaluate", "measure readers and other tools on labelled pages, or check the labels"),
    Listed("experiment", "repeat an experiment from the papers, or list them"),
    Listed("profile", "learn a site's template, and where its articles are, from several of its pages"),
    Listed("parse", "show what pages consist of: one row each, or their links, metadata or pieces of text"),
    Listed("sample", "make pages of a small invented news site and show what Broadsheet sees in them"),
    Listed("newsweb", "serve a small invented news web on this machine, or describe it"),
    Listed("config", "show the settings in effect and where each comes from"),
)
