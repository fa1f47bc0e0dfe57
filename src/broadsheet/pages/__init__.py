"""Page classification: what a page is, judged by its URL and a link to it, or by the page itself."""
