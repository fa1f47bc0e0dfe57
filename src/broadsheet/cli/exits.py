"""Exit codes, stable for use in scripts."""

DONE = 0
FAILED = 1
USAGE = 2
SOME_FAILED = 3
INTERRUPTED = 130
