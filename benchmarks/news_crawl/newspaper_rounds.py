"""newspaper4k in an environment of its own: one round for each line on standard input, as its documentation shows.

It runs there as a script, `python newspaper_rounds.py HOME`, and prints the URLs that it has stored anew as JSON.
"""

import json
import sys


def main(home: str) -> None:
    """Build the source anew in each round, and download and parse the articles that were not known."""
    import newspaper  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415 - only that environment has it

    known: set[str] = set()
    for _ in sys.stdin:
        paper = newspaper.build(home, memoize_articles=False, fetch_images=False, number_threads=1)
        stored = []
        for article in paper.articles:
            if article.url in known:
                continue
            known.add(article.url)
            try:
                article.download()
                article.parse()
            except newspaper.ArticleException:
                continue
            stored.append(article.url)
        print(json.dumps(stored), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
