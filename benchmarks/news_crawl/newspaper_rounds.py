"""newspaper4k in an environment of its own: one round for each line on standard input, as its documentation shows.

It runs there as a script, `python newspaper_rounds.py HOME SECONDS`, and prints as JSON the URLs that it has stored
anew, and whether articles were left out because the round took longer than that.
"""

import json
import sys
import time


def main(home: str, seconds: float) -> None:
    """Build the source anew in each round, and download and parse the articles that were not known."""
    import newspaper  # type: ignore[import-not-found, import-untyped, unused-ignore] # noqa: PLC0415 - only there

    known: set[str] = set()
    for _ in sys.stdin:
        end, is_cut = time.monotonic() + seconds, False
        paper = newspaper.build(home, memoize_articles=False, fetch_images=False, number_threads=1)
        stored = []
        for article in paper.articles:
            if article.url in known:
                continue
            if time.monotonic() > end:
                is_cut = True
                break
            known.add(article.url)
            try:
                article.download()
                article.parse()
            except newspaper.ArticleException:
                continue
            stored.append(article.url)
        print(json.dumps({"stored": stored, "is_cut": is_cut}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
