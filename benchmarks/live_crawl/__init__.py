"""A whole live crawl of real pages, archived and read, beside a Scrapy spider that reads with trafilatura."""
