"""From labelled pages to the net that tells which lines are an article's."""
