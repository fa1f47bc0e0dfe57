"""From labelled pages to the net that decides which lines belong to an article."""
