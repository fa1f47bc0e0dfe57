"""Our crawl engine against a bare Scrapy spider that does the same work in its callback."""
