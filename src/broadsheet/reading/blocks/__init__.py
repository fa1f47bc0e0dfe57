"""The lines of a page as rows of numbers: what a trained reader looks at."""
