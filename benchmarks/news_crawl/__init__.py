"""A benchmark of news crawling: which crawler finds most of what a site publishes, soonest, with the least traffic.

    python -m benchmarks.news_crawl --quick                                    a look, in less than a minute
    python -m benchmarks.news_crawl --json crawl.json --plot crawl.svg         the sites of the news web
    python -m benchmarks.news_crawl --snapshots DIR --pages DIR --json crawl.json     saved real sites as well

Sites are followed in virtual time, in two tiers. In the tier `links` crawlers see the links of pages without HTML, and
know what each page is once they have asked for it: that is fast enough for many sites, days and intervals, and shows
how well visits are planned. In the tier `pages` they get HTML and have to find out what it is; Broadsheet runs as a
whole there, on few sites.

With `--json`, finished cells (a crawler on a site at an interval) are kept in the file, and the same command goes on
where it was stopped.
"""
